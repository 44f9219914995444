package matrixtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"fsa/internal/matrix"
)

// copying: copied cells of a [matrix.Plain], for any rows and columns, make a matrix with the same
// products.
func copying(s *subject) error {
	m, ok := s.m.(matrix.Plain)
	if !ok {
		return nil
	}
	size := map[matrix.Format]int{matrix.Float32: 4, matrix.BFloat16: 2, matrix.Int8: 1}[m.Format()]
	rows, all := m.Dims()
	var some []int
	for j := range all {
		if s.rng.IntN(2) == 0 || j == all-1 {
			some = append(some, j)
		}
	}
	for _, cols := range [][]int{nil, some} {
		lo := s.rng.IntN(rows)
		hi := lo + 1 + s.rng.IntN(rows-lo)
		n, vars := all, []int(nil)
		if cols != nil {
			n, vars = len(cols), cols
		}
		stride := n + 3
		const mark = 0x5a
		got := bytes.Repeat([]byte{mark}, (hi-lo)*stride*size)
		if err := m.Copy(cols)(context.Background(), got, stride, lo, hi); err != nil {
			return err
		}
		var tight []byte
		for i := range hi - lo {
			row := got[i*stride*size : (i+1)*stride*size]
			tight = append(tight, row[:n*size]...)
			if !bytes.Equal(row[n*size:], bytes.Repeat([]byte{mark}, 3*size)) {
				return errors.New("copy: what is behind a row was changed")
			}
		}
		list := make([]int, hi-lo)
		for i := range list {
			list[i] = lo + i
		}
		if err := s.equal(fmt.Sprintf("copy of rows %d to %d", lo, hi-1), matrix.FromBytes(m.Format(), hi-lo, n, tight), s.want.pick(list, vars)); err != nil {
			return err
		}
	}
	return nil
}

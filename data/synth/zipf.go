package synth

import (
	"math"
	"math/bits"
	"slices"

	"fsa/data"
)

// sparseRows is the number of rows per block of the Zipf model.
const sparseRows = 512

// sparseBlock generates some rows of the Zipf model. It only reads r, so it may run concurrently
// with itself.
func (r *Reader) sparseBlock(first, rows int) *data.Block {
	b := &data.Block{Rows: rows, Start: []int{0}, Label: make([]float64, rows)}
	for i := range rows {
		row := uint64(first + i)
		s := newStream(r.config.Seed, row, forVariables)
		lo := len(b.Index)
		b.Index = r.config.columns(b.Index, &s)
		var sum float64
		for _, j := range b.Index[lo:] {
			x := hundredths(s.normal())
			b.Value = append(b.Value, x)
			if _, ok := slices.BinarySearch(r.truth, int(j)); ok {
				sum += x
			}
		}
		b.Start = append(b.Start, len(b.Index))
		b.Label[i] = r.config.response(sum, row)
	}
	return b
}

// hundredths rounds x to a nonzero multiple of 0.01, which is short when written as text.
func hundredths(x float64) float64 {
	if n := math.Round(100 * x); n != 0 {
		return n / 100
	}
	return 0.01
}

// columns appends the nonzero columns of a row, ascending. Columns 2ᵏ−1 to 2ᵏ⁺¹−2 together are
// drawn as often as the next 2ᵏ⁺¹ columns together, so the frequency of a column is about inversely
// proportional to its number.
func (c *Config) columns(dst []uint32, s *stream) []uint32 {
	lo := len(dst)
	octaves := uint64(bits.Len(uint(c.M)))
	for want := lo + c.nonzeros(); len(dst) < want; {
		for len(dst) < want {
			u := s.next()
			octave, _ := bits.Mul64(u, octaves)
			if j := 1<<octave - 1 + s.next()>>(64-octave); j < uint64(c.M) {
				dst = append(dst, uint32(j))
			}
		}
		slices.Sort(dst[lo:])
		dst = dst[:lo+len(slices.Compact(dst[lo:]))]
	}
	return dst
}

// nonzeros returns the number of nonzero cells per row.
func (c *Config) nonzeros() int {
	if c.Nonzeros == 0 {
		return min(115, (c.M+1)/2)
	}
	return c.Nonzeros
}

package parquet

import (
	"encoding/binary"
	"errors"

	"fsa/internal/format/columnar"
)

// arrays returns values of varying length, one at a time. Each is valid until the next.
type arrays interface {
	next() ([]byte, error)
}

// byteArrays converts such values to cells.
type byteArrays struct {
	cell func([]byte) (float64, error)
	arrays
}

// arrayCell returns the cell of a byte array of the column.
func (c *cursor) arrayCell() func([]byte) (float64, error) {
	if c.cell == decimal {
		return func(b []byte) (float64, error) { return columnar.BigEndian(b) / c.unit, nil }
	}
	return c.codes.Code
}

func (a *byteArrays) next(dst []float64) error {
	for i := range dst {
		b, err := a.arrays.next()
		if err != nil {
			return err
		}
		if dst[i], err = a.cell(b); err != nil {
			return err
		}
	}
	return nil
}

// plainArrays has each value after its length.
type plainArrays struct{ src []byte }

func (a *plainArrays) next() ([]byte, error) {
	if len(a.src) < 4 {
		return nil, errShort
	}
	n := int64(binary.LittleEndian.Uint32(a.src))
	if n > int64(len(a.src)-4) {
		return nil, errShort
	}
	b := a.src[4:][:n]
	a.src = a.src[4+n:]
	return b, nil
}

// deltaArrays has all lengths before all values. With prefixes, a value begins with so many bytes
// of the one before it.
type deltaArrays struct {
	prefixes, lengths []int64
	src               []byte
	last              []byte
	i                 int
}

func newDeltaArrays(src []byte, most int, prefixed bool) (*deltaArrays, error) {
	a := &deltaArrays{src: src}
	lists := []*[]int64{&a.lengths}
	if prefixed {
		lists = []*[]int64{&a.prefixes, &a.lengths}
	}
	for _, list := range lists {
		d, err := newDelta(a.src, most)
		if err != nil {
			return nil, err
		}
		if *list, a.src, err = d.all(); err != nil {
			return nil, err
		}
	}
	if prefixed && len(a.prefixes) != len(a.lengths) {
		return nil, errors.New("the lists of lengths do not match")
	}
	return a, nil
}

func (a *deltaArrays) next() ([]byte, error) {
	if a.i == len(a.lengths) {
		return nil, errShort
	}
	n := a.lengths[a.i]
	if n < 0 || n > int64(len(a.src)) {
		return nil, errShort
	}
	prefix := int64(0)
	if a.prefixes != nil {
		if prefix = a.prefixes[a.i]; prefix < 0 || prefix > int64(len(a.last)) {
			return nil, errShort
		}
	}
	a.last = append(a.last[:prefix], a.src[:n]...)
	a.src = a.src[n:]
	a.i++
	return a.last, nil
}

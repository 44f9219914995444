package parquet

import (
	"fmt"

	"fsa/data/columnar"

	"github.com/parquet-go/parquet-go/format"
)

// dictionary delivers values by their position in a list that the chunk
// begins with.
type dictionary struct {
	index hybrid
	table []float64
	// A text gets its code when it first appears in a row, so that codes go
	// by the order of rows, not of the dictionary. Until then, table has -1.
	texts [][]byte
	codes *columnar.Texts
}

// dictionaryBytes returns how many bytes a dictionary of n values takes whose page
// has so many.
func (c *cursor) dictionaryBytes(page int, n int32) int64 {
	entry := int64(8) // a float64
	if c.cell == text {
		entry += 24 // a slice
	}
	return int64(page) + entry*int64(n)
}

// newDictionary decodes a dictionary of n values from src, which it keeps.
func newDictionary(c *cursor, src []byte, n int) (*dictionary, error) {
	least := n * c.size
	switch {
	case c.cell == boolean:
		least = n / 8
	case c.size == 0:
		least = n * 4 // for the lengths
	}
	if least > len(src) {
		return nil, fmt.Errorf("%d values in %d bytes", n, len(src))
	}
	d := &dictionary{table: make([]float64, n)}
	if c.cell != text {
		v, err := c.open(format.Plain, src, n)
		if err != nil {
			return nil, err
		}
		return d, v.next(d.table)
	}
	d.codes, d.texts = c.codes, make([][]byte, n)
	arrays := plainArrays{src}
	for i := range d.texts {
		var err error
		if d.texts[i], err = arrays.next(); err != nil {
			return nil, err
		}
		d.table[i] = -1
	}
	return d, nil
}

func (d *dictionary) next(dst []float64) error {
	return inBatches(&d.index, dst, func(dst []float64, positions []uint32) error {
		for i, p := range positions {
			if int(p) >= len(d.table) {
				return fmt.Errorf("position %d in a dictionary of %d values", p, len(d.table))
			}
			dst[i] = d.table[p]
		}
		if d.texts == nil {
			return nil
		}
		for i, p := range positions {
			if dst[i] >= 0 {
				continue
			}
			code, err := d.codes.Code(d.texts[p])
			if err != nil {
				return err
			}
			d.table[p], dst[i] = code, code
		}
		return nil
	})
}

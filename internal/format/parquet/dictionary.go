package parquet

import (
	"fmt"

	"fsa/internal/format/columnar"
)

// dictionary returns values by their index in a list at the beginning of the chunk.
type dictionary struct {
	index hybrid
	table []float64
	// A text gets its code when it first appears in a row, so codes follow the order of rows, not of
	// the dictionary. Until then, table has -1.
	texts [][]byte
	codes *columnar.Texts
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

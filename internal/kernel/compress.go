package kernel

import "math/bits"

// Choice is a choice of columns.
type Choice struct {
	columns, chosen int
	keep            []uint16 // a bit for each column
}

// Choose returns the choice of the given columns, ascending, of m.
func Choose(columns []int, m int) *Choice {
	c := &Choice{columns: m, chosen: len(columns), keep: make([]uint16, (m+15)/16)}
	for i, j := range columns {
		if j >= m || i > 0 && j <= columns[i-1] {
			panic("kernel: Choose: columns do not ascend or there are too many")
		}
		c.keep[j/16] |= 1 << (j % 16)
	}
	return c
}

// Compress sets dst to the chosen numbers of a row. Dst may be the beginning of
// the row itself, or lie before it in memory.
func (c *Choice) Compress(dst, row []float32) {
	if len(row) != c.columns || len(dst) != c.chosen {
		panic("kernel: Compress: dst or row have another length than the choice")
	}
	compress(dst, row, c.keep)
}

func compressGo(dst, row []float32, keep []uint16) {
	to := 0
	for i, w := range keep {
		for ; w != 0; w &= w - 1 {
			dst[to] = row[16*i+bits.TrailingZeros16(w)]
			to++
		}
	}
}

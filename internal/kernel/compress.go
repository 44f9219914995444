package kernel

import "slices"

// Mask marks some of m columns.
type Mask struct {
	columns, marked int
	bits            []uint16 // one bit for each column
	few             []int    // the marked columns if they are far apart; else nil
}

// fewOf is the number of columns per marked one from which it is faster to fetch these one by one
// than to go through all: a cache line has 16, and most lines need not be read.
const fewOf = 32

// NewMask returns a mask of the given ascending columns, out of m.
func NewMask(columns []int, m int) *Mask {
	k := &Mask{columns: m, marked: len(columns), bits: make([]uint16, (m+15)/16)}
	for i, j := range columns {
		if j >= m || i > 0 && j <= columns[i-1] {
			panic("kernel: NewMask: columns do not ascend or there are too many")
		}
		k.bits[j/16] |= 1 << (j % 16)
	}
	if fewOf*len(columns) <= m {
		k.few = slices.Clone(columns)
	}
	return k
}

// Compress computes
//
//	for _, j := range columns {
//		dst[0], dst = row[j], dst[1:]
//	}
//
// Dst may be the beginning of the row itself, or lie before it in memory.
func (k *Mask) Compress(dst, row []float32) {
	if len(row) != k.columns || len(dst) != k.marked {
		panic("kernel: Compress: dst or row have another length than the mask")
	}
	if k.few == nil {
		compress(dst, row, k.bits)
		return
	}
	for i, j := range k.few {
		dst[i] = row[j]
	}
}

package kernel

import "math/bits"

// Mask marks some of m columns.
type Mask struct {
	columns, marked int
	bits            []uint16 // one for each column
}

// NewMask returns a mask of the given columns, ascending, of m.
func NewMask(columns []int, m int) *Mask {
	k := &Mask{columns: m, marked: len(columns), bits: make([]uint16, (m+15)/16)}
	for i, j := range columns {
		if j >= m || i > 0 && j <= columns[i-1] {
			panic("kernel: NewMask: columns do not ascend or there are too many")
		}
		k.bits[j/16] |= 1 << (j % 16)
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
	compress(dst, row, k.bits)
}

func compressGo(dst, row []float32, mask []uint16) {
	to := 0
	for i, w := range mask {
		for ; w != 0; w &= w - 1 {
			dst[to] = row[16*i+bits.TrailingZeros16(w)]
			to++
		}
	}
}

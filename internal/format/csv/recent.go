package csv

import (
	"encoding/binary"
	"math/bits"
)

// recent remembers the codes of short cells of text columns. Most text columns have few different
// texts, and finding one of these here takes a fraction of the time of cutting the cell and asking
// a map.
type recent [1 << 10]struct {
	key    uint64
	column int
	value  float64
}

// shortCell returns a key for the bytes at i up to the delimiter stop, and their number; ok is
// false if there are more than seven. The key is never 0.
func shortCell(text []byte, i int, stop byte) (key uint64, n int, ok bool) {
	if i+8 > len(text) {
		return 0, 0, false
	}
	w := binary.LittleEndian.Uint64(text[i : i+8 : len(text)])
	// The lowest top bit is that of the first byte that equals stop.
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	diff := w ^ ones*uint64(stop)
	found := (diff - ones) &^ diff & tops
	if found == 0 {
		return 0, 0, false
	}
	n = bits.TrailingZeros64(found) / 8
	return w&(1<<(8*n)-1) | uint64(n+1)<<56, n, true
}

// slot returns where the cell of a column is remembered, if it is.
func slot(key uint64, column int) int {
	return int((key*0x9e3779b97f4a7c15 + uint64(column)*0xc2b2ae3d27d4eb4f) >> (64 - 10))
}

func (r *recent) get(key uint64, column int) (v float64, ok bool) {
	e := &r[slot(key, column)]
	return e.value, e.key == key && e.column == column
}

func (r *recent) put(key uint64, column int, v float64) {
	e := &r[slot(key, column)]
	e.key, e.column, e.value = key, column, v
}

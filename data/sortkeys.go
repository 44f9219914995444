package data

import "math"

// sortKey returns a whole number for each number that is not missing. Keys are in the order of the
// numbers.
func sortKey(v float32) uint32 {
	b := math.Float32bits(v)
	if b>>31 == 1 {
		return ^b
	}
	return b | 1<<31
}

// keyed returns the number of a key.
func keyed(key uint32) float32 {
	if key>>31 == 1 {
		return math.Float32frombits(key &^ (1 << 31))
	}
	return math.Float32frombits(^key)
}

// sortKeys sorts keys byte by byte, with room for as many.
func sortKeys(keys, room []uint32) {
	var at [4][256]int
	for _, k := range keys {
		for b := range at {
			at[b][k>>(8*b)&255]++
		}
	}
	room = room[:len(keys)]
	for b := range at {
		next := 0
		for v, n := range at[b] {
			at[b][v], next = next, next+n
		}
		for _, k := range keys {
			v := k >> (8 * b) & 255
			room[at[b][v]] = k
			at[b][v]++
		}
		keys, room = room, keys
	}
}

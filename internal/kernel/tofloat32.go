package kernel

import "math"

// ToFloat32 computes
//
//	for j, v := range row {
//		dst[j] = float32(v - shift[j])
//		largest[j] = max(largest[j], |v - shift[j]|)
//	}
//
// where NaN is ignored for the largest.
func ToFloat32(dst []float32, largest, row, shift []float64) {
	n := len(row)
	if len(dst) != n || len(largest) != n || len(shift) != n {
		panic("kernel: ToFloat32: rows have different lengths")
	}
	whole := toFloat32(dst, largest, row, shift)
	toFloat32Go(dst[whole:], largest[whole:], row[whole:], shift[whole:])
}

func toFloat32Go(dst []float32, largest, row, shift []float64) {
	n := len(row)
	dst, largest, shift = dst[:n], largest[:n], shift[:n]
	for j, v := range row {
		v -= shift[j]
		dst[j] = float32(v)
		if size := math.Abs(v); size > largest[j] {
			largest[j] = size
		}
	}
}

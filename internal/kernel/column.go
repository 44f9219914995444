package kernel

import (
	"math"
	"slices"
)

// Largest returns the largest absolute value:
//
//	for _, v := range column {
//		largest = max(largest, |v|)
//	}
//
// where NaN is ignored.
func Largest(column []float64) float64 {
	var lanes [columnStep]float64
	whole := largest(&lanes, column)
	return max(slices.Max(lanes[:]), largestGo(column[whole:]))
}

// ColumnToFloat32 computes
//
//	for i, v := range column {
//		dst[i] = float32(v - shift)
//		largest = max(largest, |v - shift|)
//	}
//
// where NaN is ignored for the largest.
func ColumnToFloat32(dst []float32, column []float64, shift float64) (largest float64) {
	if len(dst) != len(column) {
		panic("kernel: ColumnToFloat32: columns have different lengths")
	}
	var lanes [columnStep]float64
	whole := columnToFloat32(&lanes, dst, column, shift)
	return max(slices.Max(lanes[:]), columnToFloat32Go(dst[whole:], column[whole:], shift))
}

func largestGo(column []float64) (largest float64) {
	for _, v := range column {
		if size := math.Abs(v); size > largest {
			largest = size
		}
	}
	return largest
}

func columnToFloat32Go(dst []float32, column []float64, shift float64) (largest float64) {
	dst = dst[:len(column)]
	for i, v := range column {
		v -= shift
		dst[i] = float32(v)
		if size := math.Abs(v); size > largest {
			largest = size
		}
	}
	return largest
}

package anneal

import (
	"math"
	"math/rand/v2"
)

// strength is what groups are compared by: ‖β_j‖₂, over the fourth root of the size
// of the group. Noise alone makes the length of n coefficients √n times that of
// one, and so large groups would always win; but to divide by √n is to ask of each
// coefficient what a variable of one has. This is halfway.
func strength(v []float64) float64 {
	length := Norm(v)
	if len(v) > 1 {
		length /= math.Sqrt(math.Sqrt(float64(len(v))))
	}
	return length
}

// Norm returns ‖v‖₂.
func Norm(v []float64) float64 {
	if len(v) == 1 {
		return math.Abs(v[0])
	}
	var sum float64
	for _, x := range v {
		sum += x * x
	}
	return math.Sqrt(sum)
}

// NthLargest returns the m-th largest value of v, with m from 1. It reorders v (Hoare's
// selection). The pivot is random, because inputs that do occur, such as a sorted one with its
// halves swapped, make any fixed choice quadratic.
func NthLargest(v []float64, m int) float64 {
	rng := rand.New(rand.NewPCG(1, 1))
	lo, hi, want := 0, len(v)-1, m-1
	for lo < hi {
		pivot := v[lo+rng.IntN(hi-lo+1)]
		i, j := lo, hi
		for i <= j {
			for v[i] > pivot {
				i++
			}
			for v[j] < pivot {
				j--
			}
			if i <= j {
				v[i], v[j] = v[j], v[i]
				i++
				j--
			}
		}
		switch {
		case want <= j:
			hi = j
		case want >= i:
			lo = i
		default:
			return v[want]
		}
	}
	return v[lo]
}

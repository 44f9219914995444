package anneal

import (
	"math"
	"math/rand/v2"
)

// strength returns the value by which groups are compared: ‖β_j‖₂ divided by the fourth root of the size of the group.
// With noise alone, the norm of n coefficients is about √n times that of one, so large groups would win without the
// divisor. A divisor of √n would require every coefficient of a group to be as large as that of a single variable. The
// fourth root is a compromise.
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
// selection). The pivot is random, because realistic inputs, such as a sorted list with its halves
// swapped, make any fixed choice quadratic.
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

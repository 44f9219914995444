package solve

import "fsa/internal/kernel"

// chunk is the number of rows of a block: the columns of a hundred variables stay in the cache.
const chunk = 512

// Line search.
const (
	halvings   = 40   // maximum number of times that a step is halved
	sufficient = 1e-4 // smallest decrease of the objective, as a share of the predicted decrease (Armijo)
)

// axpy adds b·x to z.
func axpy(z []float64, b float64, x []float64) {
	kernel.MulTFloat64(z[:len(x)], x, []float64{b})
}

func dot(a, b []float64) float64 {
	var s [1]float64
	kernel.MulFloat64(s[:], a, b[:len(a)])
	return s[0]
}

func total(v []float64) float64 {
	var sum float64
	for _, x := range v {
		sum += x
	}
	return sum
}

func scale(v []float64, by float64) {
	for i := range v {
		v[i] *= by
	}
}

// all returns 0 to n−1.
func all(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

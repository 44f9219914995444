package data

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// Keys are in the order of the numbers, and give them back.
func TestSortKeys(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{0, 1, 2, 3, 100, 1000} {
		list := []float32{0, float32(math.Inf(1)), float32(math.Inf(-1)), math.MaxFloat32, -math.MaxFloat32, math.SmallestNonzeroFloat32, -1, -1, 1}[:min(n, 9)]
		for len(list) < n {
			list = append(list, float32(rng.NormFloat64()*math.Exp2(float64(rng.IntN(60)-30))))
		}
		keys := make([]uint32, n)
		for i, v := range list {
			keys[i] = sortKey(v)
		}
		sortKeys(keys, make([]uint32, n))
		slices.Sort(list)
		for i, v := range list {
			if keyed(keys[i]) != v {
				t.Fatalf("%d numbers: number %d is %v, not %v", n, i, keyed(keys[i]), v)
			}
		}
	}
}

package kernel

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestColumns expects all instruction sets to store the same numbers and to find the same largest
// one, wherever there are NaNs.
func TestColumns(t *testing.T) {
	const seed = 61
	rng := rand.New(rand.NewPCG(seed, 1))
	eachOnThisMachine(func(name string) {
		for n := range 40 {
			column := normals(rng, n)
			for range rng.IntN(4) {
				if n > 0 {
					column[rng.IntN(n)] = []float64{math.NaN(), 1e300, -1e300, math.Inf(1), math.Inf(-1), 1e-310}[rng.IntN(6)]
				}
			}
			shift := float64(rng.IntN(2)) * 0.75
			if got, want := Largest(column), largestGo(column); got != want {
				t.Errorf("%s: the largest of %v (seed %d): %v, want %v", name, column, seed, got, want)
			}
			got, want := append(make([]float32, n), 42), append(make([]float32, n), 42) // a guard behind the last
			largest, most := ColumnToFloat32(got[:n], column, shift), columnToFloat32Go(want[:n], column, shift)
			same := slices.EqualFunc(got, want, func(a, b float32) bool { return a == b || a != a && b != b })
			if largest != most || !same {
				t.Errorf("%s: %v less %v (seed %d):\n%v, largest %v, in Go\n%v, largest %v", name, column, shift, seed, got, largest, want, most)
			}
		}
	})
}

package real

import (
	"math"
	"math/rand/v2"
	"slices"
)

// held is the number of held-out rows of a generated table, large enough that noise does not hide
// the differences between methods.
const held = 1000

// normals returns standard normal numbers.
func normals(rng *rand.Rand, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = rng.NormFloat64()
	}
	return x
}

// numbersOrClasses gives a dense table its target from the given signal of each row. The target is
// the signal plus normal noise, such that the signal explains the given share of the variance, or
// one of two classes drawn by a logistic model whose signal has standard deviation scale.
func numbersOrClasses(t *Table, signal []float64, asClasses bool, explained, scale float64, rng *rand.Rand) {
	var mean, square float64
	n := float64(len(signal))
	for _, v := range signal {
		mean += v / n
	}
	for _, v := range signal {
		square += (v - mean) * (v - mean) / n
	}
	sd := math.Sqrt(square)
	t.Y = make([]float64, t.Rows)
	for i, v := range signal {
		z := 0.0
		if sd > 0 {
			z = (v - mean) / sd
		}
		switch {
		case !asClasses:
			t.Y[i] = math.Sqrt(explained)*z + math.Sqrt(1-explained)*rng.NormFloat64()
		case rng.Float64() < 1/(1+math.Exp(-scale*z)):
			t.Y[i] = 1
		}
	}
	if asClasses {
		t.Classes = []string{"no", "yes"}
	}
}

// cut returns the first rows for training, and the others.
func cut(t *Table, train int) (*Table, *Table) {
	all := make([]int, t.Rows)
	for i := range all {
		all[i] = i
	}
	return t.pick(all[:train]), t.pick(all[train:])
}

// dot returns the signal of every row of a dense table: a weighted sum of some columns.
func dot(t *Table, columns []int, weight []float64) []float64 {
	out := make([]float64, t.Rows)
	for i := range out {
		for c, j := range columns {
			out[i] += weight[c] * t.Dense[i*t.Cols+j]
		}
	}
	return out
}

// sample returns n different numbers below m, in order.
func sample(rng *rand.Rand, m, n int) []int {
	list := rng.Perm(m)[:n]
	slices.Sort(list)
	return list
}

// signs returns weights of size 1 to 2 with random signs.
func signs(rng *rand.Rand, n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = 1 + rng.Float64()
		if rng.IntN(2) == 0 {
			out[i] = -out[i]
		}
	}
	return out
}

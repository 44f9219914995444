package real

import (
	"math"
	"math/rand/v2"
	"slices"
)

// held is how many rows of a generated table are held out: so many that their noise
// does not hide what methods differ by.
const held = 1000

// generatedSets lists the sets that are made: for every seed another table, from one
// file for each family.
func generatedSets() []*Set {
	few, some := []int{5, 10, 20}, []int{5, 20}
	return []*Set{
		{Name: "wide-classes", Family: "wide", K: few, make: wide(80, 3000, true, 1)},
		{Name: "wide-numbers", Family: "wide", K: few, make: wide(80, 3000, false, 1)},
		{Name: "wide-weak", Family: "wide", K: few, make: wide(200, 1000, true, 0.5)},

		{Name: "noise-classes", Family: "wide-noise", K: some, make: wide(80, 3000, true, 0), noise: true},
		{Name: "noise-numbers", Family: "wide-noise", K: some, make: wide(80, 3000, false, 0), noise: true},

		{Name: "spectra-numbers", Family: "spectra", K: few, make: spectra(120, 150, false)},
		{Name: "spectra-few", Family: "spectra", K: few, make: spectra(50, 300, false)},
		{Name: "spectra-classes", Family: "spectra", K: few, make: spectra(120, 150, true)},

		{Name: "body-numbers", Family: "body", K: []int{3, 5, 8}, make: body(125, 14, false)},
		{Name: "body-classes", Family: "body", K: []int{3, 5, 8}, make: body(125, 14, true)},

		{Name: "words-200", Family: "words", K: []int{5, 20, 50}, make: words(200)},
		{Name: "words-800", Family: "words", K: []int{5, 20, 50}, make: words(800)},

		{Name: "outlier-cell", Family: "outliers", K: []int{5, 10}, make: outliers(corruptCell)},
		{Name: "outlier-row", Family: "outliers", K: []int{5, 10}, make: outliers(corruptRow)},
		{Name: "outlier-target", Family: "outliers", K: []int{5, 10}, make: outliers(corruptTarget)},

		{Name: "factors-numbers", Family: "factors", K: few, make: factors(150, 200, false)},
		{Name: "factors-classes", Family: "factors", K: few, make: factors(150, 200, true)},

		{Name: "classes-10", Family: "classes", K: []int{10, 20, 50}, make: classes(10, 15, 500)},
		{Name: "classes-4", Family: "classes", K: few, make: classes(4, 15, 500)},

		{Name: "labels-1000", Family: "wrong-labels", K: []int{10}, make: asPaper(1000, 1000, 10, 0.2)},
		{Name: "labels-300", Family: "wrong-labels", K: []int{10}, make: asPaper(300, 500, 10, 0.2)},

		{Name: "rare-classes", Family: "rare", K: some, make: rare(400, 300, true)},
		{Name: "rare-numbers", Family: "rare", K: some, make: rare(400, 300, false)},

		{Name: "heavy-classes", Family: "heavy", K: []int{5, 10}, make: heavy(200, 100, true)},
		{Name: "heavy-numbers", Family: "heavy", K: []int{5, 10}, make: heavy(200, 100, false)},
	}
}

// normals returns standard normal numbers.
func normals(rng *rand.Rand, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = rng.NormFloat64()
	}
	return x
}

// numbersOrClasses gives a dense table its response: the given signal of each row plus
// normal noise so large that the signal explains the given share of the variance, or
// two classes that a logistic model draws with a signal of standard deviation scale.
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

// cut returns the first rows to learn from, and the others.
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

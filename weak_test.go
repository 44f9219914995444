package fsa_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"fsa"
	"fsa/data"
	"fsa/internal/need"
	"fsa/model"
)

// effects returns normal columns; the first ones have the given effects on the target, a number with normal noise or a class.
func effects(t *testing.T, seed uint64, rows, cols int, common float64, effect []float64, classes bool) *data.Dataset {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 3000))
	x, y := make([]float64, rows*cols), make([]float64, rows)
	for i := range y {
		factor := math.Sqrt(common) * rng.NormFloat64()
		row := x[i*cols : (i+1)*cols]
		for j := range row {
			row[j] = factor + math.Sqrt(1-common)*rng.NormFloat64()
		}
		var z float64
		for j, b := range effect {
			z += b * row[j]
		}
		if y[i] = z + rng.NormFloat64(); classes {
			y[i] = 0
			if rng.Float64() < 1/(1+math.Exp(-2*z)) {
				y[i] = 1
			}
		}
	}
	d, err := data.FromRows(nil, cols, x, y)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// found returns the number of selected variables among the first n.
func found(m *model.Model, n int) int {
	count := 0
	for _, v := range m.Selected() {
		if v.Index < n {
			count++
		}
	}
	return count
}

// Effects of five standard errors each are found in tables of any size, also with minibatches, in which they are within the
// noise.
func TestWeakEffects(t *testing.T) {
	need.Long(t)
	tables := need.Sweep(1, 3)
	for _, rows := range []int{1000, 2500, 10000} {
		for _, classes := range []bool{false, true} {
			hits, o := 0, fsa.Options{K: 10}
			if rows > 1000 {
				o.Bins = fsa.None // with curves as candidates a fit takes two to three times as long
			}
			for seed := range uint64(tables) {
				effect := make([]float64, o.K)
				for j := range effect {
					effect[j] = 5 / math.Sqrt(float64(rows)) * float64(1-2*(j%2))
				}
				hits += found(fit(t, effects(t, seed, rows, 100, 0, effect, classes), o), len(effect))
			}
			if hits < 9*tables {
				t.Errorf("%d rows, classes %v: %d of %d were found", rows, classes, hits, 10*tables)
			}
		}
	}
}

// A variable whose effect opposes the common factor of all columns hardly correlates with the target, but is found.
func TestCommonFactor(t *testing.T) {
	need.Long(t)
	for _, c := range []struct {
		rows, cols int
		common     float64
	}{{500, 60, 0.5}, {500, 60, 0.9}, {1500, 300, 0.5}, {3000, 60, 0.9}} {
		for seed := range uint64(3) {
			effect := []float64{2, 1.5, 1, 1.8, -1, -1.5}
			m := fit(t, effects(t, seed, c.rows, c.cols, c.common, effect, false), fsa.Options{K: len(effect)})
			if got := found(m, len(effect)); got < len(effect) {
				t.Errorf("%+v, seed %d: %d of %d were found", c, seed, got, len(effect))
			}
		}
	}
}

// Curves can be fitted to columns with any distribution, such as skewed ones and ones with outliers.
func TestCurvesOfSkewedColumns(t *testing.T) {
	need.Long(t)
	const rows, cols = 1000, 10
	for name, shape := range map[string]func(i int, x float64) float64{
		"normal":  func(_ int, x float64) float64 { return x },
		"skewed":  func(_ int, x float64) float64 { return math.Exp(1.5 * x) },
		"far out": func(i int, x float64) float64 { return x + 1e4*float64(i/(rows-1)) },
		"a code": func(i int, x float64) float64 {
			if i%100 == 7 {
				return -999
			}
			return x
		},
	} {
		rng := rand.New(rand.NewPCG(1, 6000))
		x, y := make([]float64, rows*cols), make([]float64, rows)
		for i := range y {
			var z [cols]float64
			for j := range z {
				z[j] = rng.NormFloat64()
				x[i*cols+j] = shape(i, z[j])
			}
			y[i] = math.Sin(2*z[0]) + math.Abs(z[1]) + 0.2*rng.NormFloat64()
		}
		d, err := data.FromRows(nil, cols, x, y)
		if err != nil {
			t.Fatal(err)
		}
		m := fit(t, d, fsa.Options{K: 2, Bins: 8, Quick: true})
		if r2 := m.Training().Metrics["r2"]; r2 < 0.85 || found(m, 2) < 2 {
			t.Errorf("%s: R² is %v, variables %v", name, r2, indices(m))
		}
	}
}

package validate

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// around returns four errors with the given mean whose standard error is spread/√6: the squared
// deviations add up to 2·spread², and are divided by 4·3. So t = mean·√6/spread.
func around(mean, spread float64) []float64 {
	return []float64{mean - spread, mean, mean, mean + spread}
}

// Cases computed by hand. In most of them the best candidate has errors of 0, so that the errors of another candidate are
// its paired differences. The two-sided 5% limits of Student's t are 12.706, 3.182 and 2.365 with 1, 3 and 7 degrees of
// freedom.
func TestSimplest(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	zeros := make([]float64, 4)
	twice := func(x []float64) []float64 { return slices.Concat(x, x) }
	for _, c := range []struct {
		name    string
		errors  [][]float64
		null    []float64
		repeats int
		want    int
	}{
		{"no candidate", nil, nil, 1, -1},
		{"one candidate", [][]float64{{1, 2, 3}}, nil, 1, 0},
		{"one candidate, worse than the null model", [][]float64{{1, 2, 3}}, []float64{0, 0, 0}, 1, 0},
		{"two that are equal", [][]float64{{1, 2, 3}, {1, 2, 3}}, nil, 1, 0},
		{"two of equal means", [][]float64{{3, 2, 1}, {1, 2, 3}}, []float64{9, 9, 9}, 1, 0},
		{"the simplest is the best", [][]float64{zeros, around(1, 6), zeros}, nil, 1, 0},

		// 3 degrees of freedom: t = 3.00 and 3.31.
		{"not significant", [][]float64{around(7.35, 6), zeros}, nil, 1, 0},
		{"significant", [][]float64{around(8.1, 6), zeros}, nil, 1, 1},
		// 1 degree of freedom: the standard error of m ± 1 is 1, hence t = m.
		{"not significant in two folds", [][]float64{{11, 13}, {0, 0}}, nil, 1, 0},
		{"significant in two folds", [][]float64{{12, 14}, {0, 0}}, nil, 1, 1},
		{"always worse by the same", [][]float64{{1e-6, 1e-6, 1e-6}, {0, 0, 0}}, nil, 1, 1},
		{"hard folds are hard for all", [][]float64{{101, 1, 51, 11}, {100, 0, 50, 10}}, nil, 1, 1},
		{"the first that is not significant", [][]float64{around(1, 0), around(1, 6), zeros}, nil, 1, 1},

		// Repeats: as one sample of 8 folds, t would be 4.58. A repeat alone has 3.00.
		{"two repeats", [][]float64{twice(around(7.35, 6)), twice(zeros)}, nil, 2, 0},
		{"as many folds of one repeat", [][]float64{twice(around(7.35, 6)), twice(zeros)}, nil, 1, 1},
		// Standard errors of √6 and 0 have the root mean square √3: t = 3.12 and 3.23.
		{"repeats of different spread", [][]float64{slices.Concat(around(5.4, 6), around(5.4, 0)), twice(zeros)}, nil, 2, 0},
		{"repeats of different spread, significant", [][]float64{slices.Concat(around(5.6, 6), around(5.6, 0)), twice(zeros)}, nil, 2, 1},

		// The best candidate gains 100 over the null model; a simpler one may lack 1% of it.
		{"1% given up", [][]float64{around(1, 10), zeros}, around(100, 0), 1, 0},
		{"more than 1%", [][]float64{around(1, 10), zeros}, around(99, 0), 1, 1},
		{"more than 1%, null model not known", [][]float64{around(1, 10), zeros}, nil, 1, 0},
		{"1%, but significant", [][]float64{around(1, 0), zeros}, around(100, 0), 1, 1},
		{"the first within 1%", [][]float64{around(1.5, 10), around(0.5, 10), zeros}, around(100, 0), 1, 1},
		{"nothing is explained", [][]float64{around(0.01, 10), zeros}, around(0, 1), 1, 1},
		{"less than nothing is explained", [][]float64{around(0.01, 10), zeros}, around(-5, 1), 1, 1},
		{"nothing is explained, equal means", [][]float64{around(0, 10), zeros}, around(-5, 1), 1, 0},
		{"1% over repeats", [][]float64{twice(around(1, 10)), twice(zeros)}, slices.Concat(around(50, 0), around(150, 0)), 2, 0},

		// With one fold, the standard error is not known.
		{"one fold", [][]float64{{2}, {1}}, nil, 1, 1},
		{"one fold, equal", [][]float64{{1}, {1}}, nil, 1, 0},
		{"repeats of one fold", [][]float64{{2, 1}, {1, 1}}, nil, 2, 1},

		{"an infinite error", [][]float64{{0, 0, 0, inf}, around(1, 6), zeros}, nil, 1, 1},
		{"an infinite error of the best but for one fold", [][]float64{around(1, 6), {-9, -9, -9, inf}}, nil, 1, 0},
		{"infinite errors alone", [][]float64{{inf, inf}, {inf, 0}}, []float64{1, 1}, 1, 0},
		{"an infinite null model", [][]float64{around(2, 10), zeros}, []float64{inf, 0, 0, 0}, 1, 0},
		{"not measured", [][]float64{{0, nan, 0, 0}, around(1, 0)}, around(9, 0), 1, 1},
		{"nothing measured", [][]float64{{nan, 1}, {1, nan}}, nil, 1, -1},
	} {
		if got := Simplest(c.errors, c.null, c.repeats); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}

// The choice does not change if a constant is added to all errors of a fold, if errors are scaled, or if a worse candidate
// is appended. Errors are integers in 4 or 8 folds, so that this holds exactly.
func TestSimplestProperties(t *testing.T) {
	const seed = 31
	rng := rand.New(rand.NewPCG(seed, 0))
	chosen := map[int]int{}
	for round := range 2000 {
		folds, repeats := 4+4*rng.IntN(2), 1+rng.IntN(2)
		list := func(most int) []float64 {
			x := make([]float64, folds*repeats)
			for i := range x {
				x[i] = float64(rng.IntN(most))
			}
			return x
		}
		null := list(200)
		errors := [][]float64{list(20), list(18), list(16)}
		want := Simplest(errors, null, repeats)
		chosen[want]++
		hard := list(1000)
		change := func(f func(v, hard float64) float64) ([][]float64, []float64) {
			all := make([][]float64, 0, len(errors)+1)
			for _, x := range append(slices.Clone(errors), null) {
				y := make([]float64, len(x))
				for i := range x {
					y[i] = f(x[i], hard[i])
				}
				all = append(all, y)
			}
			return all[:len(errors)], all[len(errors)]
		}
		moved, movedNull := change(func(v, hard float64) float64 { return v + hard })
		scaled, scaledNull := change(func(v, _ float64) float64 { return v / 8 })
		worse := append(slices.Clone(errors), slices.Repeat([]float64{20}, folds*repeats))
		for what, got := range map[string]int{
			"hard folds":        Simplest(moved, movedNull, repeats),
			"another unit":      Simplest(scaled, scaledNull, repeats),
			"another candidate": Simplest(worse, null, repeats),
		} {
			if got != want {
				t.Fatalf("seed %d, round %d: candidate %d, and %d with %s\n%v\nnull model %v, %d repeats", seed, round, want, got, what, errors, null, repeats)
			}
		}
	}
	if len(chosen) != 3 {
		t.Errorf("the candidates that were chosen are %v: all three should be", chosen)
	}
}

// If errors are likelihoods, the null model is tested by the gain of all held-out rows: at least the logarithm of 20 times
// the number of models, here ln 40 = 3.69, whatever the folds say.
func TestNullByLikelihood(t *testing.T) {
	apart, agree := []float64{1.1, 1.9, 1.9, 2.3}, []float64{1.8, 1.81, 1.79, 1.8}
	for _, c := range []struct {
		errors []float64
		nats   float64
		want   int
	}{{apart, 0, 0}, {apart, 18.4, 0}, {apart, 18.5, 1}, {agree, 0, 1}, {agree, 5, 0}} {
		curve := NewCurve([]int{0, 3}, [][]float64{{2, 2, 2, 2}, c.errors}, nil, 1)
		curve.Nats, curve.Trials = c.nats, 2
		if got, err := curve.Choose("paired"); err != nil || got != c.want {
			t.Errorf("%v nats for each unit of %v: point %d, not %d (%v)", c.nats, c.errors, got, c.want, err)
		}
	}
}

package paper

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"fsa"
	"fsa/data/synth"
	"fsa/loss"
)

// The least squares solution is that of the normal equations.
func TestMinimumSquares(t *testing.T) {
	const rows, cols, ridge = 50, 4, 0.3
	rng := rand.New(rand.NewPCG(7, 1))
	x := make([][]float64, cols)
	y := make([]float64, rows)
	design := mat.NewDense(rows+cols, cols+1, nil)
	target := mat.NewVecDense(rows+cols, nil)
	for i := range rows {
		y[i] = rng.NormFloat64() + 2
		design.Set(i, 0, 1)
		target.SetVec(i, y[i])
	}
	for k := range x {
		for i := range rows {
			x[k] = append(x[k], rng.NormFloat64())
			design.Set(i, k+1, x[k][i])
		}
		design.Set(rows+k, k+1, math.Sqrt(2*ridge*rows)) // rows that represent the ridge
	}
	var beta, rest mat.VecDense
	if err := beta.SolveVec(design, target); err != nil {
		t.Fatal(err)
	}
	rest.MulVec(design, &beta)
	rest.SubVec(&rest, target)
	want := mat.Dot(&rest, &rest) / 2 / rows
	if got := minimum(loss.Squared{}, x, y, ridge); math.Abs(got-want) > 1e-9 {
		t.Errorf("%v, want %v", got, want)
	}
}

// Separable classes without a ridge have a loss that tends to 0, and with one a finite minimum that
// no shorter or longer coefficient improves.
func TestMinimumLogistic(t *testing.T) {
	x, y := [][]float64{{-1, -0.5, 0.5, 1}}, []float64{-1, -1, 1, 1}
	if got := minimum(loss.Logistic{}, x, y, 0); got > 1e-4 {
		t.Errorf("%v, want nearly 0", got)
	}
	least := math.Inf(1)
	for b := 0.0; b < 20; b += 0.001 {
		least = min(least, (math.Log1p(math.Exp(-b))+math.Log1p(math.Exp(-b/2)))/2+0.01*b*b)
	}
	if got := minimum(loss.Logistic{}, x, y, 0.01); math.Abs(got-least) > 1e-6 {
		t.Errorf("%v, want %v", got, least)
	}
}

// The truth is not a failure; noise variables in its place are.
func TestSearchFailed(t *testing.T) {
	for _, task := range []string{synth.Classification, synth.Regression} {
		c := synth.Config{Task: task, N: 200, M: 60, K: 3, Seed: 11}
		table, err := makeTable(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		m, err := fsa.Fit(t.Context(), table, fsa.Options{K: 3})
		if err != nil {
			t.Fatal(err)
		}
		if v, err := failed(t.Context(), m, c); v != 0 || err != nil {
			t.Errorf("%s: %v, %v", task, v, err)
		}
		if bad, err := searchFailed(t.Context(), m, c, []int{40, 41, 42}, synth.Truth(c)); !bad || err != nil {
			t.Errorf("%s: noise is as good as the truth: %v", task, err)
		}
	}
}

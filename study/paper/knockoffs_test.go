package paper

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Knockoffs have the covariance of the columns, among themselves and with others, and less with their own column.
func TestKnockoffCopies(t *testing.T) {
	const rows, cols = 20000, 5
	const rho = 0.5
	by := neighbours(rho)
	rng := rand.New(rand.NewPCG(1, 1))
	x := make([][]float64, cols)
	for j := range x {
		x[j] = make([]float64, rows)
		for i := range x[j] {
			x[j][i] = rng.NormFloat64()
			if j > 0 {
				x[j][i] = rho*x[j-1][i] + math.Sqrt(1-rho*rho)*x[j][i]
			}
		}
	}
	copies := knockoffCopies(x, by, 3)
	product := func(a, b []float64) (mean float64) {
		for i := range a {
			mean += a[i] * b[i] / rows
		}
		return mean
	}
	s := 0.999 * 2 * (1 - rho) / (1 + rho)
	for j := range cols {
		for k := range cols {
			want := math.Pow(rho, math.Abs(float64(j-k)))
			if got := product(copies[j], copies[k]); math.Abs(got-want) > 0.05 {
				t.Errorf("knockoffs %d and %d: %v, want %v", j, k, got, want)
			}
			if j == k {
				want -= s
			}
			if got := product(x[j], copies[k]); math.Abs(got-want) > 0.05 {
				t.Errorf("column %d and knockoff %d: %v, want %v", j, k, got, want)
			}
		}
	}
}

// The lasso of orthogonal columns shrinks each mean product by the penalty.
func TestLassoOfKnockoffs(t *testing.T) {
	x := [][]float64{{1, 1, -1, -1}, {1, -1, 1, -1}}
	l := newLasso(x, []float64{4, 1, -1, -4}, []float64{1, 1, 1, 1})
	l.descend(1)
	if l.beta[0] != 1.5 || l.beta[1] != 0.5 {
		t.Errorf("%v", l.beta)
	}
}

package solve

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"fsa/loss"
)

// With orthogonal columns, each coefficient can be computed separately.
func TestAdaptiveOfOrthogonalColumns(t *testing.T) {
	const rows, ridge = 8, 0.3
	var x [][]float64 // a Hadamard matrix without its column of ones
	for j := 1; j < rows; j++ {
		column := make([]float64, rows)
		for i := range column {
			column[i] = 1
			for bits := i & j; bits != 0; bits &= bits - 1 {
				column[i] = -column[i]
			}
		}
		x = append(x, column)
	}
	of := []float64{3, -2, 1, 0.5, -0.2, 0.05, 0} // coefficients without any ridge
	y := make([]float64, rows)
	for j, b := range of {
		axpy(y, b, x[j])
	}
	p := &Problem{X: x, Penalty: make([]float64, len(x)), Ridge: ridge, Adaptive: true, Loss: loss.Squared{}, Target: loss.Target{Y: y}, Intercept: true, Quadratic: true}
	s, err := p.Solve(context.Background(), all(len(x)), nil)
	if err != nil {
		t.Fatal(err)
	}
	want, typical := make([]float64, len(of)), 0.0
	for j, b := range of {
		want[j] = b / (1 + 2*ridge)
		typical += math.Abs(want[j]) / float64(len(of))
	}
	for range 3 {
		for j, b := range of {
			want[j] = b / (1 + 2*ridge*math.Pow(typical/(math.Abs(want[j])+0.01*typical), 1.5))
		}
	}
	for j, b := range s.Beta[0] {
		if math.Abs(b-want[j]) > 1e-8 {
			t.Errorf("column %d: %v, want %v", j, b, want[j])
		}
		if j > 0 && of[j] != 0 && b/of[j] > s.Beta[0][j-1]/of[j-1] {
			t.Errorf("column %d is shrunk less than one with a larger coefficient: %v", j, s.Beta[0])
		}
	}
	if p.Ridge != ridge || !p.Adaptive || total(p.Penalty) != 0 {
		t.Errorf("the problem was changed: %+v", p)
	}
}

// The coefficients of a column in several classes share one ridge, and the result does not depend on the starting point.
func TestAdaptiveOfClasses(t *testing.T) {
	ctx, rng := context.Background(), rand.New(rand.NewPCG(1, 7))
	const rows, cols = 90, 6
	x, y := make([][]float64, cols), make([]float64, rows)
	for i := range y {
		y[i] = float64(i % 3)
		for j := range x {
			x[j] = append(x[j], rng.NormFloat64())
		}
		x[0][i] += 2 * y[i]
	}
	p := &Problem{X: x, Penalty: make([]float64, cols), Ridge: 0.02, Loss: loss.Multinomial{Classes: 3}, Target: loss.Target{Y: y}, Intercept: true}
	plain, err := p.Solve(ctx, all(cols), nil)
	if err != nil {
		t.Fatal(err)
	}
	p.Adaptive = true
	s, err := p.Solve(ctx, all(cols), nil)
	if err != nil {
		t.Fatal(err)
	}
	again, err := p.Solve(ctx, all(cols), s)
	if err != nil {
		t.Fatal(err)
	}
	before, lengths, last := plain.lengths(), s.lengths(), again.lengths()
	for j := range cols {
		if j > 0 && lengths[j]/before[j] >= lengths[0]/before[0] {
			t.Errorf("column %d: norm %v, %v with the plain ridge; the informative column: %v and %v", j, lengths[j], before[j], lengths[0], before[0])
		}
		if math.Abs(last[j]-lengths[j]) > 1e-6 {
			t.Errorf("column %d: norm %v from zero, %v from the other starting point", j, lengths[j], last[j])
		}
	}
}

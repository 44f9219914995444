package solve

import (
	"math"
	"slices"
	"testing"

	"fsa/loss"
)

// Rows without a weight do not influence the fit, but Complete and Margins compute their margins.
func TestHeldOut(t *testing.T) {
	x, y := sample(5, 700, 4)
	signs := make([]float64, len(y))
	for i, v := range y {
		signs[i] = math.Copysign(1, v-1+math.Sin(float64(7*i)))
	}
	weight := make([]float64, len(y))
	rows, others := []int{}, []int{}
	for i := range weight {
		if i%3 == 1 {
			others = append(others, i)
			continue
		}
		weight[i] = 1 + float64(i%2)
		rows = append(rows, i)
	}
	some := func(v []float64) (of []float64) {
		for _, i := range rows {
			of = append(of, v[i])
		}
		return of
	}
	for name, c := range map[string]struct {
		loss loss.Loss
		y    []float64
	}{"squared": {loss.Squared{}, y}, "logistic": {loss.Logistic{}, signs}} {
		p := &Problem{X: x, Penalty: penalties(4, 0.01), Loss: c.loss, Target: loss.Target{Y: c.y, Weight: weight}, Intercept: true, Quadratic: name == "squared"}
		alone := &Problem{Penalty: p.Penalty, Loss: c.loss, Target: loss.Target{Y: some(c.y), Weight: some(weight)}, Intercept: true, Quadratic: p.Quadratic}
		for _, v := range x {
			alone.X = append(alone.X, some(v))
		}
		cols := []int{0, 1, 3}
		got, err := p.Optimum(t.Context(), cols, nil)
		if err != nil {
			t.Fatal(err)
		}
		want, err := alone.Solve(t.Context(), cols, nil)
		if err != nil {
			t.Fatal(err)
		}
		held := p.Margins(got, cols, others)
		p.Complete(got, cols)
		for i, b := range want.Beta[0] {
			if math.Abs(got.Beta[0][i]-b) > 1e-7 {
				t.Errorf("%s: coefficients %v, not %v", name, got.Beta[0], want.Beta[0])
			}
		}
		if math.Abs(got.Loss-want.Loss) > 1e-9 || math.Abs(got.Objective-want.Objective) > 1e-9 {
			t.Errorf("%s: loss %v and objective %v, not %v and %v", name, got.Loss, got.Objective, want.Loss, want.Objective)
		}
		for i, row := range others {
			z := got.Intercept[0]
			for j, col := range cols {
				z += got.Beta[0][j] * x[col][row]
			}
			if math.Abs(held[i]-z) > 1e-12 || math.Abs(got.Z[row]-z) > 1e-12 {
				t.Fatalf("%s: margins %v and %v of row %d, not %v", name, held[i], got.Z[row], row, z)
			}
		}
	}
}

// Cached columns are not used for other columns.
func TestCache(t *testing.T) {
	x, y := sample(6, 50, 5)
	for i, v := range y {
		y[i] = math.Copysign(1, v-1+math.Sin(float64(7*i)))
	}
	fresh := func(x [][]float64, ridge float64) []float64 {
		p := &Problem{X: x, Penalty: penalties(len(x), 0), Ridge: ridge, Loss: loss.Logistic{}, Target: loss.Target{Y: y}, Intercept: true}
		s, err := p.Solve(t.Context(), all(len(x)), nil)
		if err != nil {
			t.Fatal(err)
		}
		return s.Beta[0]
	}
	p := &Problem{X: slices.Clone(x[:2]), Penalty: penalties(2, 0), Ridge: 0.1, Loss: loss.Logistic{}, Target: loss.Target{Y: y}, Intercept: true}
	for step, change := range []func(){func() {}, func() { p.Ridge = 0.2 }, func() { p.replace(1, x[3]) }, func() { p = p.copy(); p.replace(0, x[4]) }} {
		change()
		s, err := p.Solve(t.Context(), all(2), nil)
		if err != nil {
			t.Fatal(err)
		}
		for i, b := range fresh(p.X, p.Ridge) {
			if math.Abs(s.Beta[0][i]-b) > 1e-7 {
				t.Errorf("step %d: coefficients %v, not %v", step, s.Beta[0], fresh(p.X, p.Ridge))
				break
			}
		}
	}
}

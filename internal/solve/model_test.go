package solve

import (
	"math"
	"slices"
	"testing"

	"fsa/loss"
)

// After columns are dropped from a model, the others are at their new optimum.
func TestModel(t *testing.T) {
	for _, intercept := range []bool{true, false} {
		x, y := sample(4, 80, 7)
		p := &Problem{X: x, Penalty: penalties(7, 0.01), Ridge: 0.02, Loss: loss.Squared{}, Target: loss.Target{Y: y}, Intercept: intercept, Quadratic: true}
		m, err := p.Model(t.Context(), []int{0, 1, 3, 4, 6})
		if err != nil {
			t.Fatal(err)
		}
		for _, out := range []int{3, 0, 2} {
			m.Drop(out)
			s, err := p.Solve(t.Context(), m.Columns, nil)
			if err != nil {
				t.Fatal(err)
			}
			for i, b := range s.Beta[0] {
				if math.Abs(m.Beta[i]-b) > 1e-9 {
					t.Errorf("intercept %v, columns %v: coefficients %v, not %v", intercept, m.Columns, m.Beta, s.Beta[0])
					break
				}
			}
		}
		if !slices.Equal(m.Columns, []int{1, 3}) {
			t.Errorf("columns %v are left", m.Columns)
		}
	}
}

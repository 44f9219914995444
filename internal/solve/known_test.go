package solve

import (
	"slices"
	"testing"

	"fsa/loss"
)

// Products that another problem has are the same bits as those that are computed anew.
func TestKnown(t *testing.T) {
	const rows = 2500 // more than one chunk
	x, y := sample(7, rows, 9)
	weight := make([]float64, rows)
	for i := range weight {
		weight[i] = float64(i % 3)
	}
	problem := func(columns ...int) *Problem {
		p := &Problem{Ridge: 0.01, Loss: loss.Squared{}, Quadratic: true, Intercept: true, Target: loss.Target{Y: y, Weight: weight}}
		for _, j := range columns {
			p.X, p.Penalty = append(p.X, x[j]), append(p.Penalty, 0)
		}
		return p
	}
	of := problem(0, 1, 2, 4, 8)
	if err := of.setGram(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, columns := range [][]int{{0, 2, 3, 4}, {1, 2}, {3, 5, 6}, {0, 1, 2, 3, 4, 5, 6, 7, 8}} {
		got, want := problem(columns...), problem(columns...)
		got.Known.Of = of
		for _, j := range columns {
			got.Known.At = append(got.Known.At, slices.Index([]int{0, 1, 2, 4, 8}, j))
		}
		for _, p := range []*Problem{got, want} {
			if err := p.setGram(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if !slices.Equal(got.gram, want.gram) || got.nullWeight != want.nullWeight {
			t.Errorf("columns %v: other products", columns)
		}
	}
}

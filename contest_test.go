package fsa_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"fsa"
)

// Cross-validation detects whether effects are curved, and chooses the first of equally good options.
func TestBestOf(t *testing.T) {
	for _, curved := range []bool{false, true} {
		c := newCells(300, 6, 3)
		for i := range c.y {
			x := float64(c.x[i*c.cols])
			c.y[i] = x + 0.1*math.Sin(float64(i))
			if curved {
				c.y[i] = x*x + 0.1*math.Sin(float64(i))
			}
		}
		found, err := fsa.BestOf(context.Background(), c.table(t), []fsa.Options{{K: 1, Bins: fsa.None}, {K: 1, Bins: 5}})
		if err != nil {
			t.Fatal(err)
		}
		if got := found.Winner == 1; got != curved {
			t.Errorf("curved %v: number %d was chosen, %s %v", curved, found.Winner, found.Measure, found.Means)
		}
		m, err := found.Job.Run(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if got := m.Selected()[0].Index; got != 0 {
			t.Errorf("curved %v: variable %d was selected", curved, got)
		}
	}
}

// Losses are compared by a measure that all of them have, and the chosen model equals the model of the chosen options alone.
func TestBestOfLosses(t *testing.T) {
	c := newCells(120, 8, 5)
	for i, v := range c.y {
		c.y[i] = 1
		if v < 0 {
			c.y[i] = 0
		}
	}
	among := []fsa.Options{{K: 3, Loss: "logistic"}, {K: 3, Loss: "lorenz"}}
	found, err := fsa.BestOf(context.Background(), c.table(t), among)
	if err != nil {
		t.Fatal(err)
	}
	if found.Measure != "auc" || len(found.Means) != 2 || !(found.Means[0] > 0.9 && found.Means[0] <= 1) {
		t.Errorf("%s %v", found.Measure, found.Means)
	}
	m, err := found.Job.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	alone := among[found.Winner]
	alone.Validation.Always = true
	sameModel(t, alone.Loss, m, fit(t, c.table(t), alone))
	again, err := fsa.Among(among).Fit(context.Background(), c.table(t))
	if err != nil {
		t.Fatal(err)
	}
	sameModel(t, "as a learner", m, again)
	if _, err := fsa.BestOf(context.Background(), c.table(t), nil); !errors.Is(err, fsa.ErrOptions) {
		t.Errorf("no options: %v", err)
	}
}

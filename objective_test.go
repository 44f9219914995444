package fsa

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"fsa/anneal"
	"fsa/anneal/objectivetest"
	"fsa/data"
	"fsa/loss"
)

// The objective passes the suite for every loss, storage and kind of group.
func TestObjective(t *testing.T) {
	const rows, cols = 60, 8
	rng := rand.New(rand.NewPCG(1, 2))
	x := make([]float64, rows*cols)
	for i := range x {
		x[i] = rng.NormFloat64()
		if i%11 == 0 {
			x[i] = math.NaN()
		}
	}
	signs, numbers, classes, grades := make([]float64, rows), make([]float64, rows), make([]float64, rows), make([]float64, rows)
	weight := make([]float64, rows)
	for i := range rows {
		signs[i] = float64(2*rng.IntN(2) - 1)
		numbers[i] = rng.NormFloat64()
		classes[i] = float64(rng.IntN(3))
		grades[i] = float64(rng.IntN(3))
		weight[i] = rng.Float64()
	}
	table, err := data.FromRows(nil, cols, x, numbers)
	if err != nil {
		t.Fatal(err)
	}
	apart := [][]int{{0}, {1}, {2}, {3}, {4}, {5}, {6}, {7}}
	for name, c := range map[string]struct {
		loss   loss.Loss
		target data.Target
		groups [][]int
		o      Options
	}{
		"squared":     {loss.Squared{}, data.Target{Y: numbers}, apart, Options{}},
		"logistic":    {loss.Logistic{}, data.Target{Y: signs, Weight: weight}, apart, Options{Shrink: 0.1}},
		"lorenz":      {loss.Lorenz{}, data.Target{Y: signs}, [][]int{{0, 5}, {1}, {2, 3, 7}, {4}, {6}}, Options{}},
		"svm batches": {loss.SVM{}, data.Target{Y: signs}, apart, Options{Batch: 16, Threads: 3}},
		"multinomial": {loss.Multinomial{Classes: 3}, data.Target{Y: classes}, [][]int{{3, 1}, {0}, {2}, {4}, {5}, {6}, {7}}, Options{Threads: 2}},
		"rank":        {loss.Rank{}, data.Target{Y: grades, Query: []int{0, 7, 20, 41, 60}}, apart, Options{Batch: 20}},
		"bins":        {loss.Logistic{}, data.Target{Y: signs}, apart, Options{Bins: 3, Shrink: 0.01, Smooth: 0.1, Variation: 0.1}},
		"all at once": {loss.Multinomial{Classes: 3}, data.Target{Y: classes}, [][]int{{0, 4}, {1}, {2}, {3}, {5}, {6}, {7}}, Options{Bins: 2, Smooth: 0.1, Threads: 4}},
	} {
		t.Run(name, func(t *testing.T) {
			objectivetest.Run(t, func() anneal.Objective {
				design, err := table.Design(context.Background(), data.DesignOptions{Bins: c.o.Bins})
				if err != nil {
					t.Fatal(err)
				}
				resp := &response{loss: c.loss, target: &c.target}
				if name == "rank" {
					resp.task = Ranking
				}
				s := &search{Options: c.o, design: design, cells: design.X.Cells(), resp: resp, groups: grouped(c.groups)}
				return s.objective()
			})
		})
	}
}

func grouped(lists [][]int) groups {
	g := groups{first: []int{0}}
	for _, vars := range lists {
		g.add(vars...)
	}
	return g
}

// Rows may be cut anywhere but within a query.
func TestCut(t *testing.T) {
	p := &rowPlan{query: []int{0, 3, 4, 10, 12}}
	for step := 1; step < 15; step++ {
		at := 0
		for _, s := range p.cut(span{0, 12}, step) {
			if s.lo != at || s.hi <= s.lo {
				t.Fatalf("step %d: span %v after %d", step, s, at)
			}
			found := false
			for _, q := range p.query {
				found = found || q == s.hi
			}
			if !found {
				t.Errorf("step %d: a query is cut at %d", step, s.hi)
			}
			at = s.hi
		}
		if at != 12 {
			t.Errorf("step %d: ends at %d", step, at)
		}
	}
}

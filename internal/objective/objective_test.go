package objective

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"fsa/anneal"
	"fsa/data"
	"fsa/internal/objectivetest"
	"fsa/loss"
	"fsa/prior"
)

// The objective satisfies the contract for every loss, storage and kind of group.
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
	curved := prior.Sum{prior.Smooth{C: 0.1}, prior.Variation{Q: 0.1}}
	for name, c := range map[string]struct {
		groups [][]int
		Config
	}{
		"squared":     {apart, Config{Loss: loss.Squared{}, Target: Target{Y: numbers}}},
		"logistic":    {apart, Config{Loss: loss.Logistic{}, Target: Target{Y: signs, Weight: weight}, Ridge: 0.1}},
		"lorenz":      {[][]int{{0, 5}, {1}, {2, 3, 7}, {4}, {6}}, Config{Loss: loss.Lorenz{}, Target: Target{Y: signs}}},
		"svm batches": {apart, Config{Loss: loss.SVM{}, Target: Target{Y: signs}, Batch: 16, Threads: 3}},
		"multinomial": {[][]int{{3, 1}, {0}, {2}, {4}, {5}, {6}, {7}}, Config{Loss: loss.Multinomial{Classes: 3}, Target: Target{Y: classes}, Threads: 2}},
		"rank":        {apart, Config{Loss: loss.Rank{}, Target: Target{Y: grades, Query: []int{0, 7, 20, 41, 60}}, Batch: 20}},
		"one query":   {apart, Config{Loss: loss.Rank{}, Target: Target{Y: grades, Query: []int{0, 60}}}},
		"bins":        {apart, Config{Loss: loss.Logistic{}, Target: Target{Y: signs}, Bins: 3, Ridge: 0.01, Curve: curved}},
		"all at once": {[][]int{{0, 4}, {1}, {2}, {3}, {5}, {6}, {7}}, Config{Loss: loss.Multinomial{Classes: 3}, Target: Target{Y: classes}, Bins: 2, Curve: curved[:1], Threads: 4}},
	} {
		t.Run(name, func(t *testing.T) {
			objectivetest.Run(t, func() anneal.Objective {
				d, err := table.Design(context.Background(), data.DesignOptions{Bins: c.Bins})
				if err != nil {
					t.Fatal(err)
				}
				to := c.Config
				to.X, to.Scale, to.Offset, to.Numbers, to.Groups = d.X, d.Scale, d.Offset, d.Numbers, grouped(c.groups)
				to.Intercept = name != "rank"
				return New(to)
			})
		})
	}
}

func grouped(lists [][]int) Groups {
	g := Lists()
	for _, vars := range lists {
		g.Add(vars...)
	}
	return g
}

// The Hessian bound of a loss that compares all rows is computed on separate shards of rows, as that of weighted squares is.
func TestBoundOfAllRows(t *testing.T) {
	const rows, cols = 8000, 24
	rng := rand.New(rand.NewPCG(3, 4))
	x, times, events := make([]float64, rows*cols), make([]float64, rows), make([]bool, rows)
	for i := range x {
		x[i] = rng.NormFloat64()
	}
	for i := range times {
		times[i], events[i] = rng.ExpFloat64(), rng.IntN(3) > 0
	}
	table, err := data.FromRows(nil, cols, x, times)
	if err != nil {
		t.Fatal(err)
	}
	d, err := table.Design(context.Background(), data.DesignOptions{})
	if err != nil {
		t.Fatal(err)
	}
	cox, steep, v := loss.NewCox(loss.Params{Times: times, Events: events}), make([]float64, rows), make([]float64, cols)
	want := cox.Curvature(steep, loss.Target{Y: times})
	all := make([]int, cols)
	for j := range v {
		v[j], all[j] = rng.NormFloat64(), j
	}
	bound := func(c Config) (hv []float64, weight float64, shards int) {
		c.X, c.Scale, c.Offset, c.Numbers, c.Groups, c.Threads = d.X, d.Scale, d.Offset, d.Numbers, Single(all), 3
		ob := New(c)
		hv = make([]float64, cols)
		weight, err := ob.Curvature(context.Background(), 0, hv, v)
		if err != nil {
			t.Fatal(err)
		}
		return hv, weight, len(ob.sample(0))
	}
	got, weight, shards := bound(Config{Loss: cox, Target: Target{Y: times, Query: []int{0, rows}}})
	squares, _, _ := bound(Config{Loss: loss.Squared{}, Target: Target{Y: times, Weight: steep}})
	if shards < 2 || math.Abs(weight-want) > 1e-9*want {
		t.Errorf("%d shards of the weight %v, want %v", shards, weight, want)
	}
	for j := range got {
		if math.Abs(got[j]-squares[j]) > 1e-6*anneal.Norm(squares) {
			t.Errorf("column %d: %v, want %v", j, got[j], squares[j])
		}
	}
}

// cut splits rows anywhere except within a query.
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

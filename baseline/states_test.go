package baseline

import (
	"math"
	"slices"
	"testing"
)

// However rows are counted, each is counted once and in the right place.
func TestCensus(t *testing.T) {
	s := mixed(12, "squared").thinned(2)
	ones := slices.Repeat([]float64{1}, len(s.Y))
	plain, even, weighted := *s, *s, *s
	plain.Weight, even.Weight = nil, ones
	for name, c := range map[string]struct {
		task   *task
		weight []float64
	}{
		"bits":            {rawTask(t, plain.dense(t), "squared"), ones},
		"lists":           {rawTask(t, even.dense(t), "squared"), ones},
		"sparse":          {rawTask(t, plain.sparse(t), "squared"), ones},
		"weighted":        {rawTask(t, weighted.dense(t), "squared"), s.Weight},
		"weighted sparse": {rawTask(t, weighted.sparse(t), "squared"), s.Weight},
	} {
		count := c.task.newCensus()
		if _, bits := count.(*planes); bits != (name == "bits") {
			t.Fatalf("%s is a %T", name, count)
		}
		a, b := make([]uint8, len(s.Y)), make([]uint8, len(s.Y))
		for v := range s.Columns {
			count.states(a, v)
			column := &c.task.Data.Columns[v]
			for i, got := range a {
				if want := state(s.X[i*s.Columns+v], column.Mean, column.SD); got != want {
					t.Fatalf("%s: state %d in row %d of column %d, want %d", name, got, i, v, want)
				}
			}
			count.meet(a)
			for other := range s.Columns {
				count.states(b, other)
				var want joint
				for i, w := range c.weight {
					want[b[i]][a[i]] += w
				}
				if got := count.count(other); got != want {
					t.Fatalf("%s: columns %d and %d: %v, want %v", name, other, v, got, want)
				}
			}
		}
	}
}

// Mutual information equals its definition, for integer and fractional counts.
func TestInformation(t *testing.T) {
	e := newEntropies(50)
	for _, n := range []joint{
		{{3, 4, 5}, {6, 7, 8}, {9, 1, 2}},
		{{10, 0, 0}, {0, 20, 0}, {0, 0, 5}},
		{{0.5, 0.25, 1}, {2, 4, 0}, {0, 0, 0}},
		{{2, 4, 6}, {1, 2, 3}, {3, 6, 9}},
	} {
		var along, across [levels]float64
		var total, want float64
		for a, row := range n {
			for b, x := range row {
				along[a] += x
				across[b] += x
				total += x
			}
		}
		for a, row := range n {
			for b, x := range row {
				if x > 0 {
					want += x / total * math.Log(x*total/(along[a]*across[b]))
				}
			}
		}
		near(t, "information", []float64{e.information(&n)}, []float64{want}, 1e-14)
	}
}

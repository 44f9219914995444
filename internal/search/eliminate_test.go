package search

import (
	"math"
	"slices"
	"testing"
)

// From each size to the next, elimination drops the group with the smallest weighted coefficient at the optimum, and
// never a forced group.
func TestEliminate(t *testing.T) {
	s := normal(3, 200, 30, 0.5, 1, 2, -1, 1, 0.5).sample(t, "squared")
	s.Force = []int{20}
	d := descent(s)
	d.Batch = 40
	r := NewRunner(s, []int{2, 5, 10})
	by := annealed(d, 0.01)
	if _, err := r.Run(t.Context(), by, 5); err != nil {
		t.Fatal(err)
	}
	p := r.paths[by.Select]
	for size := 10; size > 2; size-- {
		set, next := p.sets[size], p.sets[size-1]
		if len(set) != size || len(next) != size-1 || !slices.Contains(next, 20) {
			t.Fatalf("sets %v and %v", set, next)
		}
		f, err := s.Learn(t.Context(), set, 0.01, false, nil)
		if err != nil {
			t.Fatal(err)
		}
		weakest, least := -1, math.Inf(1)
		for i, g := range set {
			if v := math.Abs(f.Solution.Beta[0][i]) * s.groupWeight(g); v < least && g != 20 {
				weakest, least = g, v
			}
		}
		if want := slices.DeleteFunc(slices.Clone(set), func(g int) bool { return g == weakest }); !slices.Equal(next, want) {
			t.Errorf("%v after %v, not %v", next, set, want)
		}
	}
	if p.sets[1] != nil {
		t.Error("there is a set below the smallest size")
	}
}

// A descent passes through all sizes if it takes few steps between them, or if elimination would have to read rows.
func TestEliminates(t *testing.T) {
	for name, c := range map[string]struct {
		loss  string
		batch int
		eta   float64
		most  int
		want  bool
	}{
		"squared":    {"squared", 20, 0, 5, true},
		"all rows":   {"squared", 60, 0, 5, false},
		"step given": {"squared", 20, 0.1, 5, false},
		"many":       {"squared", 20, 0, 1001, false},
		"huber":      {"huber", 20, 0, 5, false},
	} {
		s := normal(1, 60, 8, 0, 1, 1).sample(t, c.loss)
		d := descent(s)
		d.Batch, d.Eta = c.batch, c.eta
		if got := s.eliminates(annealed(d, 0).Select, c.most); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// A path has the same bits whether its columns come from the objective of the descent or, as after resuming a completed
// descent, from the table.
func TestLeft(t *testing.T) {
	var fits [2]*Fit
	for i := range fits {
		s := normal(3, 600, 80, 0.5, 1, 2, -1, 1, 0.5).sample(t, "squared")
		d := descent(s)
		d.Batch = 50
		r, by := NewRunner(s, []int{2, 5, 10}), annealed(d, 0.01)
		p, err := r.path(t.Context(), by.Select)
		if err != nil || p.left == nil {
			t.Fatalf("the objective of the descent was not kept: %v", err)
		}
		if i > 0 {
			p.left = nil
		}
		if fits[i], err = r.Run(t.Context(), by, 5); err != nil {
			t.Fatal(err)
		}
	}
	if a, b := fits[0], fits[1]; !slices.Equal(a.Groups, b.Groups) || !slices.Equal(a.Complete().Beta[0], b.Complete().Beta[0]) || !slices.Equal(a.Complete().Z, b.Complete().Z) {
		t.Errorf("%v %v, not %v %v", a.Groups, a.Solution.Beta, b.Groups, b.Solution.Beta)
	}
}

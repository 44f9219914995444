package search

import (
	"context"
	"errors"
	"slices"
	"testing"

	"fsa/data"
	"fsa/internal/matrix"
	"fsa/internal/objective"
)

// folds returns samples of one table; each holds out the rows of one fold.
func folds(t *testing.T, c *cells, n int) []*Sample {
	t.Helper()
	whole := c.sample(t, "squared")
	list := make([]*Sample, n)
	for i := range list {
		s := *whole
		s.Target.Weight = slices.Repeat([]float64{1}, len(c.y))
		for row := i; row < len(c.y); row += n {
			s.Target.Weight[row] = 0
		}
		s.Effective, s.Counted = Effective(s.Target.Weight, len(c.y)), Counted(s.Target.Weight, len(c.y))
		s.Meter, s.Journal = NewMeter(s.Design.X.Cells()), NewJournal(nil, "")
		list[i] = &s
	}
	return list
}

// Descents that share reads of the table select the same groups as separate descents. Small tables and a single runner
// are not joined.
func TestTogether(t *testing.T) {
	large := normal(1, 1050, 4000, 0, 0.5, 2, -2, 2)
	alone, beside := folds(t, large, 2), folds(t, large, 2)
	d := hasty(alone[0])
	by := annealed(d, 0.01).Select
	runners := []*Runner{NewRunner(beside[0], []int{3}), NewRunner(beside[1], []int{3})}
	if err := Together(t.Context(), runners[:1], by, 1); err != nil || runners[0].paths[by] != nil {
		t.Errorf("Together ran a single runner: %v", err)
	}
	if err := Together(t.Context(), runners, by, 1); err != nil {
		t.Fatal(err)
	}
	for i, r := range runners {
		p := r.paths[by]
		if p == nil {
			t.Fatalf("sample %d has not selected", i)
		}
		want := ran(t, alone[i], []int{3}, annealed(d, 0.01), 3)
		if p.Sample != beside[i] || p.selecting.member != nil || !slices.Equal(p.set(3), want.Groups) {
			t.Errorf("sample %d: %v, alone %v", i, p.set(3), want.Groups)
		}
	}
	small := folds(t, normal(1, 60, 8, 0, 0.5, 2, -2), 2)
	runners = []*Runner{NewRunner(small[0], []int{2}), NewRunner(small[1], []int{2})}
	if err := Together(t.Context(), runners, by, 1); err != nil || runners[0].paths[by] != nil || runners[1].paths[by] != nil {
		t.Errorf("a small table is read together: %v", err)
	}
}

// Only plain annealing on a shared dense table in memory is joined.
func TestJoinable(t *testing.T) {
	const cols = 64
	x := matrix.NewDense(objective.JointCells/cols, cols, make([]float32, objective.JointCells))
	runner := func(x matrix.Matrix) *Runner {
		return &Runner{Sample: &Sample{Design: &data.Design{X: x}, Device: NewDevice(nil, false)}}
	}
	plain := Selection{Method: Annealing, Pooling: 1}
	if !joinable([]*Runner{runner(x), runner(x)}, plain) {
		t.Fatal("a table of the minimum size is not joined")
	}
	for name, by := range map[string]Selection{
		"the lasso":         {Method: Lasso, Pooling: 1},
		"curves":            {Method: Annealing, Pooling: 1, Bins: 5},
		"part of the prior": {Method: Annealing, Pooling: 0.1},
	} {
		if joinable([]*Runner{runner(x), runner(x)}, by) {
			t.Errorf("%s: read together", name)
		}
	}
	owned, onDevice := runner(x), runner(x)
	owned.Owned, onDevice.Device = true, NewDevice(&broken{}, false)
	less := matrix.NewDense(objective.JointCells/cols-1, cols, make([]float32, objective.JointCells-cols))
	for name, other := range map[string]*Runner{
		"another table":                      runner(matrix.NewDense(1, 1, []float32{1})),
		"a table that may be overwritten":    owned,
		"a table on a device":                onDevice,
		"a table that is slightly too small": runner(less),
	} {
		for _, list := range [][]*Runner{{runner(x), other}, {other, other}} {
			if joinable(list, plain) {
				t.Errorf("%s: read together", name)
			}
		}
	}
}

// If a member of a joint descent fails, Run returns its error, and the other member does not wait for it.
func TestTogetherStops(t *testing.T) {
	samples := folds(t, normal(1, 1050, 4000, 0, 0.5, 2, -2, 2), 2)
	ctx, stop := context.WithCancel(t.Context())
	stop()
	by := annealed(hasty(samples[0]), 0.01).Select
	runners := []*Runner{NewRunner(samples[0], []int{3}), NewRunner(samples[1], []int{3})}
	if err := Together(ctx, runners, by, 1); err != nil {
		t.Fatal(err)
	}
	for i, r := range runners {
		if _, err := r.Run(ctx, annealed(by.Descent, 0.01), 3); !errors.Is(err, context.Canceled) {
			t.Errorf("sample %d: %v", i, err)
		}
	}
}

// A member that ends early does not stop the others.
func TestTogetherEndsEarly(t *testing.T) {
	samples := folds(t, normal(1, 1050, 4000, 0, 0.5, 2, -2, 2), 2)
	samples[0].Stop = func() bool { return true }
	by := annealed(hasty(samples[0]), 0.01).Select
	runners := []*Runner{NewRunner(samples[0], []int{3}), NewRunner(samples[1], []int{3})}
	if err := Together(t.Context(), runners, by, 1); err != nil {
		t.Fatal(err)
	}
	for i, r := range runners {
		if p := r.paths[by]; p == nil || p.err != nil || len(p.set(3)) != 3 {
			t.Errorf("sample %d has no selection: %+v", i, p)
		}
	}
}

package search

import (
	"context"
	"maps"
	"slices"
	"time"

	"fsa/anneal"
	"fsa/internal/checkpoint"
	"fsa/internal/objective"
	"fsa/internal/tuning"
)

// round is one descent.
type round struct {
	*Descent
	among    []int // groups that compete; nil means all
	keep     int   // groups that stay
	ridge    float64
	batch    int
	schedule anneal.Schedule
	epochs   int
	warmUp   int
	silent   bool // nobody is told, and epochs do not count
}

// round returns the descent of a selection down to some groups.
func (d *Descent) round(ridge float64, keep int) round {
	return round{Descent: d, keep: keep, ridge: ridge, batch: d.Batch, schedule: d.Schedule, epochs: d.Epochs, warmUp: d.WarmUp}
}

// anneal selects among the groups of a round and learns what was selected by the descent
// itself, refined where that costs little.
func (s *Sample) anneal(ctx context.Context, r round) (*Fit, error) {
	ob := s.objective(r.among, r.keep, r.ridge, r.batch)
	to := s.settings(ctx, ob, &r)
	column, groups := s.columnOf, s.Groups.Count()
	if r.among != nil {
		column, groups = func(g int) int { return s.columnOf(r.among[g]) }, len(r.among)
	}
	if !r.silent && s.Observe != nil {
		to.Observe = s.Meter.observer(s.Observe, column, groups, &to)
	}
	if !r.silent {
		to.Stop = s.Device.stopper(ctx, s.Stop)
	}
	f := &Fit{Ridge: r.ridge, sample: s, ob: ob}
	var err error
	f.res, err = s.descend(ctx, "descent", ob, to, nil, func(res *anneal.Result, on objective.Refinable) error {
		if f.res = res; res.Status == anneal.Settled || !s.Refinable(len(res.Beta), r.ridge) {
			return nil
		}
		return f.refine(ctx, on)
	})
	if err != nil {
		return nil, err
	}
	if !r.silent {
		s.Meter.Epochs += len(f.res.Trace)
	}
	f.Groups = slices.Clone(f.res.Groups)
	if r.among != nil {
		for i, g := range f.Groups {
			f.Groups[i] = r.among[g]
		}
	}
	return f, nil
}

// columnOf returns the first column of the dataset of a group.
func (s *Sample) columnOf(g int) int { return s.Design.Variables[s.Groups.Of(g)[0]] }

// settings are those of annealing.
func (s *Sample) settings(ctx context.Context, ob *objective.Objective, r *round) anneal.Settings {
	force := s.Force
	original := func(g int) int { return g }
	if r.among != nil {
		original = func(g int) int { return r.among[g] }
		force = nil
		for _, g := range s.Force {
			if i, found := slices.BinarySearch(r.among, g); found {
				force = append(force, i)
			}
		}
	}
	free, nullLoss := ob.NullModel(ctx)
	to := anneal.Settings{
		K: min(r.keep, ob.Layout().Groups()), Schedule: r.schedule, Iterations: r.epochs, WarmUp: r.warmUp,
		Eta: r.Eta, Momentum: r.Momentum, Free: free, NullLoss: nullLoss, Force: force, Tolerance: r.Tolerance,
		Weight: func(g int) float64 { return s.groupWeight(original(g)) },
	}
	if _, cols := s.Design.X.Dims(); r.warmUp == 0 && s.Effective >= cols { // with more columns than rows they would fit the rows instead
		to.FactorWarmUp = tuning.FactorWarmUpSteps
	}
	return to
}

// relearn learns some groups, all of which stay, by a descent.
func (s *Sample) relearn(ctx context.Context, d *Descent, some []int, ridge float64) (*Fit, error) {
	slices.Sort(some)
	f, err := s.anneal(ctx, round{Descent: d, among: some, keep: len(some), ridge: ridge, batch: s.Rows(), schedule: d.Schedule, epochs: tuning.BriefEpochs, silent: true})
	if err != nil {
		return nil, err
	}
	f.loss, err = f.ob.Mean(ctx, f.res.Beta)
	return f, err
}

// lipschitz measures the Lipschitz constant of the gradient over all groups.
func (s *Sample) lipschitz(ctx context.Context) (anneal.Lipschitz, error) {
	on, done, err := s.Device.objective(ctx, s.objective(nil, s.Groups.Count(), 0, s.Rows()))
	if err != nil {
		return anneal.Lipschitz{}, err
	}
	defer done()
	return anneal.Measure(ctx, on)
}

// descend is a descent, or what is left of it. Sets are filled by the observer of the
// settings, and then nothing else is wanted; nil if they are not. Then is called with the result
// and with the objective where that can be refined; nil for nothing.
func (s *Sample) descend(ctx context.Context, name string, ob *objective.Objective, to anneal.Settings, sets map[int][]int, then func(*anneal.Result, objective.Refinable) error) (*anneal.Result, error) {
	on, closed, err := s.Device.objective(ctx, ob)
	if err != nil {
		return nil, err
	}
	defer closed()
	var res *anneal.Result
	if s.Journal.Record == nil {
		res, err = s.Device.run(ctx, ob, on, to)
	} else {
		res, err = s.noted(ctx, name, ob, on, to, sets)
	}
	if err != nil || then == nil {
		return res, err
	}
	if there, ok := on.(objective.Refinable); ok {
		return res, then(res, there)
	}
	return res, then(res, ob)
}

// noted is a descent that a record is kept of, or what is left of it: of one that cannot lay
// its columns as they lay before, only the end is noted.
func (s *Sample) noted(ctx context.Context, name string, ob *objective.Objective, on anneal.Objective, to anneal.Settings, sets map[int][]int) (*anneal.Result, error) {
	record := s.Journal.Record
	stored, lays := on.(objective.Stored)
	name, done := s.Journal.next(name)
	if done != nil && !done.Done && !lays {
		done = nil
	}
	if done != nil {
		if !resumable(ob, done) || len(done.Sets) > 0 && sets == nil {
			return nil, foreign(name)
		}
		maps.Copy(sets, done.Sets)
		s.Meter.Cells = done.Cells
		if done.Done && sets != nil {
			return &anneal.Result{Trace: done.State.Trace, Status: done.State.Status}, nil
		}
	}
	if lays {
		ob.Track()
	}
	if done != nil {
		to.Resume = done.State
		if lays {
			stored.Lay(objective.Storage{Groups: done.Stored, Order: done.Order, Wasted: done.Wasted})
		}
	}
	note := func(state func() *anneal.State, finished bool) error {
		since := time.Now()
		var st objective.Storage
		if lays {
			var err error
			if st, err = stored.Storage(ctx); err != nil {
				return err
			}
		}
		record.Put(name, &checkpoint.Task{
			Done: finished, State: state(), Stored: st.Groups, Order: st.Order, Wasted: st.Wasted, Sets: maps.Clone(sets), Cells: s.Meter.Cells,
		}, since)
		return nil
	}
	observe, last, failed := to.Observe, (func() *anneal.State)(nil), error(nil)
	to.Observe = func(e anneal.Epoch) {
		if observe != nil {
			observe(e)
		}
		last = e.State
		due, err := s.Device.decide(ctx, lays && record.Due(name))
		if err == nil && due {
			err = note(e.State, false)
		}
		if err == nil {
			err = s.Device.late(ctx)
		}
		if failed == nil {
			failed = err
		}
	}
	res, err := s.Device.run(ctx, ob, on, to)
	if failed != nil {
		err = failed
	}
	if err != nil {
		return nil, err
	}
	if last != nil {
		if err := note(last, true); err != nil {
			return nil, err
		}
	}
	return res, ob.Laid(ctx)
}

// furthest returns where a descent of this sample stood when its time was up; nil if it had not begun.
func (s *Sample) furthest(job, name string) *checkpoint.Task {
	_, t := NewJournal(s.Journal.Record, job).next(name)
	if t != nil && t.State != nil && resumable(s.objective(nil, 0, 0, s.Rows()), t) {
		return t
	}
	return nil
}

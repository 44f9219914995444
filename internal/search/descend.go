package search

import (
	"context"
	"math"
	"slices"

	"fsa/anneal"
	"fsa/internal/objective"
	"fsa/internal/tuning"
)

// round holds the settings of one descent.
type round struct {
	*Descent
	among    []int // groups that compete; nil means all
	keep     int   // number of groups to keep
	ridge    float64
	batch    int
	schedule anneal.Schedule
	epochs   int
	warmUp   int
	silent   bool // do not report progress and do not count epochs
}

// round returns the settings of a descent that keeps the given number of groups.
func (d *Descent) round(ridge float64, keep int) round {
	return round{Descent: d, keep: keep, ridge: ridge, batch: d.Batch, schedule: d.Schedule, epochs: d.Epochs, warmUp: d.WarmUp}
}

// anneal runs a descent and returns the selected groups with the coefficients of the descent. It
// refines these coefficients if that costs little, and fits them to their optimum if they have limits.
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
		if f.res = res; res.Status == anneal.Settled || s.Limits != nil || !s.Refinable(len(res.Beta), r.ridge) {
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
	if s.Limits != nil {
		return s.Learn(ctx, f.Groups, r.ridge, false, f)
	}
	return f, nil
}

// competing returns the groups of a round.
func (s *Sample) competing(r *round) objective.Groups {
	if r.among == nil {
		return s.Groups
	}
	return s.Groups.Pick(r.among)
}

// columnOf returns the first column of the dataset of a group.
func (s *Sample) columnOf(g int) int { return s.Design.Variables[s.Groups.Of(g)[0]] }

// settings returns the settings of package anneal for a round.
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
	weight := s.strengthWeight()
	to := anneal.Settings{
		K: min(r.keep, ob.Layout().Groups()), Schedule: r.schedule, Iterations: r.epochs, WarmUp: r.warmUp,
		Eta: r.Eta, Momentum: r.Momentum, Free: free, NullLoss: nullLoss, Force: force, Tolerance: r.Tolerance,
		Weight: func(g int) float64 { return weight(original(g)) }, Project: s.projection(s.competing(r)),
	}
	if s.parents != nil && r.among == nil {
		to.Raise = s.raise
	}
	if _, cols := s.Design.X.Dims(); r.warmUp == 0 && s.Effective >= cols { // with fewer rows than columns, warm-up steps would overfit
		to.FactorWarmUp = r.factorWarmUp()
	}
	return to
}

// factorWarmUp returns the number of steps before the first group is dropped if one factor dominates all columns: those that
// the momentum needs to build up, twice over.
func (d *Descent) factorWarmUp() int { return int(math.Round(2 / (1 - max(d.Momentum, 0)))) }

// relearn fits the given groups by a short descent that drops none of them.
func (s *Sample) relearn(ctx context.Context, d *Descent, some []int, ridge float64) (*Fit, error) {
	slices.Sort(some)
	f, err := s.anneal(ctx, round{Descent: d, among: some, keep: len(some), ridge: ridge, batch: s.Rows(), schedule: d.Schedule, epochs: tuning.FewestEpochs, silent: true})
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

// where returns the objective on the device that computes it, and a function that releases the device.
func (s *Sample) where(ctx context.Context, ob *objective.Objective) (anneal.Objective, func(), error) {
	if s.member == nil {
		return s.Device.objective(ctx, ob)
	}
	s.member.Join(ob)
	return s.member, s.member.Leave, nil
}

// descend runs a descent, or the rest of one that was interrupted. If sets is not nil, the observer of
// the settings fills it with the groups at each size, and a descent that a record calls complete only
// returns its trace. If then is not nil, descend calls it with the result and with an objective that
// can refine the coefficients.
func (s *Sample) descend(ctx context.Context, name string, ob *objective.Objective, to anneal.Settings, sets map[int][]int, then func(*anneal.Result, objective.Refinable) error) (*anneal.Result, error) {
	on, closed, err := s.where(ctx, ob)
	if err != nil {
		return nil, err
	}
	defer closed()
	var res *anneal.Result
	if s.Journal.Record == nil {
		res, err = s.Device.run(ctx, ob, on, to)
	} else {
		res, err = s.recorded(ctx, name, ob, on, to, sets)
	}
	if err != nil || then == nil {
		return res, err
	}
	if there, ok := on.(objective.Refinable); ok {
		return res, then(res, there)
	}
	return res, then(res, ob)
}

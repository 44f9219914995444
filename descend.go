package fsa

import (
	"context"
	"slices"

	"gonum.org/v1/gonum/mat"

	"fsa/anneal"
	"fsa/internal/objective"
	"fsa/internal/subset"
)

// selection is what a stage has chosen and learned.
type selection struct {
	chosen   []int // groups, ascending
	ridge    float64
	adaptive bool                 // it is weaker on large coefficients
	ob       *objective.Objective // of the chosen ones alone
	res      *anneal.Result
	hessian  *mat.Cholesky // bound on the Hessian of what was refined; nil where nothing was
	loss     float64       // mean objective at the coefficients, where it was asked for

	problem  *problem         // of learning them exactly,
	solution *subset.Solution // and its optimum; nil where they were not

	guarded bool // the ridge was chosen by the guard against overfitting
}

// round is one descent.
type round struct {
	among    []int // groups that compete; nil means all
	ridge    float64
	batch    int
	schedule anneal.Schedule
	epochs   int
	warmUp   int
	silent   bool // nobody is told, and epochs do not count
}

// descend is the first stage: annealing among all groups.
func descend(ctx context.Context, j *Job, s *selection) (*selection, error) {
	switch s.ridge {
	case screening:
		return screen(ctx, j)
	case lassoPath:
		return byLasso(ctx, j)
	}
	found, err := j.anneal(ctx, j.round(s.ridge))
	if err != nil || !j.plan.Exact {
		return found, err
	}
	return j.exactly(ctx, found.chosen, j.plan.Ridge, found)
}

// round returns the descent of the plan.
func (j *Job) round(ridge float64) round {
	p := j.plan
	return round{ridge: ridge, batch: p.Batch, schedule: p.Schedule, epochs: p.Epochs, warmUp: p.WarmUp}
}

// anneal selects among the groups of a round and learns what was chosen.
func (j *Job) anneal(ctx context.Context, r round) (*selection, error) {
	ob := j.objective(r.among, r.ridge, r.batch)
	to := j.settings(ctx, ob, &r)
	if !r.silent && j.options.Observe != nil {
		to.Observe = j.meter.observer(j, &r, &to)
	}
	if !r.silent {
		to.Stop = j.stop(ctx)
	}
	s := &selection{ridge: r.ridge, ob: ob}
	var err error
	s.res, err = j.run(ctx, "descent", ob, to, nil, func(res *anneal.Result, on objective.Refinable) error {
		if s.res = res; j.plan.Exact || res.Status == anneal.Settled || !j.facts.refines(len(res.Beta), r.ridge) {
			return nil
		}
		return s.refine(ctx, on)
	})
	if err != nil {
		return nil, err
	}
	if !r.silent {
		j.meter.epochs += len(s.res.Trace)
	}
	s.chosen = slices.Clone(s.res.Groups)
	if r.among != nil {
		for i, g := range s.chosen {
			s.chosen[i] = r.among[g]
		}
	}
	return s, nil
}

// settings are those of annealing.
func (j *Job) settings(ctx context.Context, ob *objective.Objective, r *round) anneal.Settings {
	p, force := j.plan, j.force
	original := func(g int) int { return g }
	if r.among != nil {
		original = func(g int) int { return r.among[g] }
		force = nil
		for _, g := range j.force {
			if i, found := slices.BinarySearch(r.among, g); found {
				force = append(force, i)
			}
		}
	}
	free, nullLoss := ob.NullModel(ctx)
	to := anneal.Settings{
		K: min(p.K, ob.Layout().Groups()), Schedule: r.schedule, Iterations: r.epochs, WarmUp: r.warmUp,
		Eta: p.Eta, Momentum: p.Momentum, Free: free, NullLoss: nullLoss, Force: force, Tolerance: p.Tolerance,
		Weight: func(g int) float64 { return groupWeight(j.groups, j.design, original(g)) },
	}
	if r.warmUp == 0 {
		to.FactorWarmUp = j.facts.factorWarmUp()
	}
	return to
}

// relearn learns some groups from scratch, all of which stay.
func (j *Job) relearn(ctx context.Context, some []int, ridge float64) (*selection, error) {
	slices.Sort(some)
	if j.plan.Exact {
		return j.exactly(ctx, some, ridge, nil)
	}
	s, err := j.anneal(ctx, round{among: some, ridge: ridge, batch: j.facts.rows, schedule: j.plan.Schedule, epochs: briefEpochs, silent: true})
	if err != nil {
		return nil, err
	}
	s.loss, err = s.ob.Mean(ctx, s.res.Beta)
	return s, err
}

// outside returns the groups that were not chosen, those first of which the loss would
// fall fastest, how fast, and the loss.
func (j *Job) outside(ctx context.Context, s *selection) (order []int, slope []float64, loss float64, err error) {
	all := j.objective(nil, s.ridge, j.facts.rows)
	l := all.Layout()
	beta, grad := make([]float64, l.Len()), make([]float64, l.Len())
	chosen := make([]bool, l.Groups())
	for i, g := range s.chosen {
		chosen[g] = true
		copy(l.Of(beta, g), s.res.Group(i))
	}
	copy(beta[len(beta)-l.Free:], s.res.Free())
	on, done, err := j.place.objective(ctx, all)
	if err != nil {
		return nil, nil, 0, err
	}
	defer done()
	sum, weight, err := on.Eval(ctx, 0, grad, beta)
	if err != nil {
		return nil, nil, 0, err
	}
	slope = make([]float64, l.Groups())
	for g := range l.Groups() {
		if !chosen[g] {
			order = append(order, g)
			slope[g] = anneal.Norm(l.Of(grad, g)) / weight / groupWeight(j.groups, j.design, g)
		}
	}
	sortBy(order, slope)
	return order, slope, sum / weight, nil
}

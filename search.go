package fsa

import (
	"cmp"
	"context"
	"errors"

	"gonum.org/v1/gonum/mat"

	"fsa/anneal"
	"fsa/data"
)

// search is what is looked for, and where.
type search struct {
	Options // of which nothing is left open
	data    *data.Dataset
	design  *data.Design
	cells   int // of it, when all variables are there
	resp    *response
	groups  groups
	force   []int // groups that must stay
	swaps   bool  // variables are to be exchanged in the end
	retry   bool  // all may begin again; see doubt

	// What was done before: epochs, cells that were read, and the share of all
	// work, which this search brings to another.
	epochs   int
	visited  float64
	from, to float64
}

// newSearch prepares the data and fills in what the options leave open.
func newSearch(ctx context.Context, d *data.Dataset, o Options) (*search, error) {
	if o.K > d.Width() {
		return nil, optionError("k = %d, but %s has %d variables to select from", o.K, d.Name, d.Width())
	}
	o = o.withDefaults()
	s := &search{Options: o, data: d, to: 1}
	var err error
	if s.resp, err = newResponse(d, &o); err != nil {
		return nil, err
	}
	if s.design, err = d.Design(ctx, data.DesignOptions{Bins: o.Bins, Spacing: o.Spacing, Scale: o.Scale, Storage: o.Storage, Discard: o.Discard}); errors.Is(err, data.ErrStorage) {
		return nil, optionError("storage %s is for the numbers of a dense table in memory, which %s is not: leave it out", o.Storage, d.Name)
	} else if err != nil {
		return nil, err
	}
	if s.groups, s.force, err = groupVariables(d, s.design, &o); err != nil {
		return nil, err
	}
	s.cells = s.design.X.Cells()
	s.retry = s.doubts()
	s.plan()
	if o.Polish {
		s.to = firstShare
	}
	if s.swaps = s.exchanges(); s.swaps || s.retry || o.Polish { // which come back to the table
		s.Discard = false
	}
	return s, nil
}

// coefficients is about how many there will be.
func (s *search) coefficients() int {
	_, cols := s.design.X.Dims()
	return s.resp.loss.Outputs() * (1 + s.K*cols/max(s.groups.count(), 1))
}

// fitted is a selection and the loss it has.
type fitted struct {
	groups groups
	among  []int // where they come from others: their numbers there
	ob     *objective
	res    *anneal.Result
	loss   float64
	curved *mat.Cholesky // a bound on the curvature of what was refined; nil where nothing was
	epochs int           // that it took, with those of earlier searches

	doubted bool // an earlier search was; see doubt
}

// anneal selects among the groups and learns what was chosen.
func (s *search) anneal(ctx context.Context) (*fitted, error) {
	ob := s.objective()
	ob.visited = s.visited
	res, err := anneal.Run(ctx, ob, s.settings(ctx, ob))
	if err != nil {
		return nil, err
	}
	f := &fitted{groups: s.groups, ob: ob, res: res, epochs: s.epochs + len(res.Trace)}
	if res.Status != anneal.Settled && s.refines(len(res.Beta)) {
		err = f.refine(ctx)
	}
	return f, err
}

// settings are those of annealing.
func (s *search) settings(ctx context.Context, ob *objective) anneal.Settings {
	free, nothing := ob.intercept(ctx)
	to := anneal.Settings{
		K: min(s.K, s.groups.count()), Mu: s.Mu, Schedule: s.Schedule, Iterations: s.Iterations, WarmUp: s.WarmUp,
		Eta: s.Eta, Momentum: s.Momentum, Free: free, Nothing: nothing, Force: s.force, Tolerance: max(s.Tolerance, 0),
		Weight: func(j int) float64 { return s.groups.weight(s.design, j) },
	}
	if rows, cols := s.design.X.Dims(); rows >= cols && s.WarmUp == 0 {
		to.Patience = patience
	}
	if s.Observe != nil {
		to.Observe = s.observer(ob, &to)
	}
	return to
}

// observer returns what tells s.Observe of every epoch.
func (s *search) observer(ob *objective, a *anneal.Settings) func(anneal.Epoch) {
	epochs := cmp.Or(a.Iterations, anneal.DefaultIterations)
	schedule := a.Schedule
	if schedule == nil {
		schedule = anneal.Inverse(cmp.Or(a.Mu, anneal.DefaultMu))
	}
	all := s.groups.count()
	area := anneal.Passes(schedule, epochs, all, a.K)*float64(all) + float64(a.WarmUp*all)
	alive, done := all, 0.0
	return func(e anneal.Epoch) {
		done += float64(alive)
		alive = e.Groups
		e.Epoch += s.epochs
		s.Observe(Progress{
			Epoch: e, Epochs: s.epochs + e.Of, Passes: ob.passes(),
			Done:     s.from + (s.to-s.from)*min(done/area, 1),
			Variable: func(j int) int { return s.design.Variables[s.groups.of(j)[0]] },
		})
	}
}

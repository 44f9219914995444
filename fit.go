package fsa

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"fsa/anneal"
	"fsa/data"
)

// Fit selects o.K variables of a dataset and learns a model on them.
func Fit(ctx context.Context, d *data.Dataset, o Options) (*Model, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	o = o.withDefaults()
	if o.K > d.Width() {
		return nil, optionError("k = %d, but %s has %d variables to select from", o.K, d.Name, d.Width())
	}
	resp, err := newResponse(d, &o)
	if err != nil {
		return nil, err
	}
	design, err := d.Design(ctx, o.Bins, o.Scale, o.Discard)
	if err != nil {
		return nil, err
	}
	if err := d.Narrow(ctx, design, o.Storage, o.Discard); errors.Is(err, data.ErrStorage) {
		return nil, optionError("storage %s is for the numbers of a dense table in memory, which %s is not: leave it out", o.Storage, d.Name)
	} else if err != nil {
		return nil, err
	}
	groups, force, err := groupVariables(d, design, &o)
	if err != nil {
		return nil, err
	}
	if losses[resp.name].gentle {
		o.gentle(d, design.X)
	}
	_, cols := design.X.Dims()
	o.refine = o.refines(design.X, resp.loss.Outputs()*(1+o.K*cols/len(design.Variables)))
	o.pace(d, design.X)
	if o.Mu == 0 && o.Schedule == nil {
		o.Mu = losses[resp.name].mu
	}
	if o.Polish {
		o.Discard = false
	}
	f, err := annealed(ctx, design, groups, resp, &o, force)
	if err == nil && o.Polish {
		f, err = f.polished(ctx, design, groups, resp, &o, force)
	}
	if errors.Is(err, anneal.ErrDiverged) && o.Eta > 0 {
		return nil, fmt.Errorf("fsa: eta = %v is too large for this data: leave it out to have it chosen: %w", o.Eta, err)
	}
	if err != nil {
		return nil, err
	}
	return newModel(ctx, d, resp, f, &o)
}

// settings turns options into those of annealing.
func (o *Options) settings(ctx context.Context, ob *objective, g groups, force []int) anneal.Settings {
	free, nothing := ob.intercept(ctx)
	s := anneal.Settings{
		K: min(o.K, g.count()), Mu: o.Mu, Schedule: o.Schedule, Iterations: o.Iterations, WarmUp: o.WarmUp,
		Eta: o.Eta, Momentum: o.Momentum, Free: free, Nothing: nothing, Force: force, Tolerance: max(o.Tolerance, 0),
		Weight: func(j int) float64 { return g.weight(ob.design, j) },
	}
	if o.Observe == nil {
		return s
	}
	epochs := cmp.Or(s.Iterations, anneal.DefaultIterations)
	schedule := s.Schedule
	if schedule == nil {
		schedule = anneal.Inverse(cmp.Or(s.Mu, anneal.DefaultMu))
	}
	all := g.count()
	area := anneal.Passes(schedule, epochs, all, s.K)*float64(all) + float64(s.WarmUp*all)
	alive, done := all, 0.0
	s.Observe = func(e anneal.Epoch) {
		done += float64(alive)
		alive = e.Groups
		o.Observe(Progress{
			Epoch: e, Epochs: s.WarmUp + epochs, Passes: ob.passes(), Done: min(done/area, 1),
			Variable: func(j int) int { return ob.design.Variables[g.of(j)[0]] },
		})
	}
	return s
}

package fsa

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

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
func (o *Options) settings(ctx context.Context, ob *objective, groups [][]int, force []int) anneal.Settings {
	free, nothing := ob.intercept(ctx)
	s := anneal.Settings{
		K: min(o.K, len(groups)), Mu: o.Mu, Schedule: o.Schedule, Iterations: o.Iterations, WarmUp: o.WarmUp,
		Eta: o.Eta, Momentum: o.Momentum, Free: free, Nothing: nothing, Force: force, Tolerance: max(o.Tolerance, 0),
	}
	if o.Observe == nil {
		return s
	}
	epochs := cmp.Or(s.Iterations, anneal.DefaultIterations)
	schedule := s.Schedule
	if schedule == nil {
		schedule = anneal.Inverse(cmp.Or(s.Mu, anneal.DefaultMu))
	}
	area := anneal.Passes(schedule, epochs, len(groups), s.K)*float64(len(groups)) + float64(s.WarmUp*len(groups))
	alive, done := len(groups), 0.0
	s.Observe = func(e anneal.Epoch) {
		done += float64(alive)
		alive = e.Groups
		o.Observe(Progress{
			Epoch: e, Epochs: s.WarmUp + epochs, Passes: ob.passes(), Done: min(done/area, 1),
			Variable: func(g int) int { return ob.design.Variables[groups[g][0]] },
		})
	}
	return s
}

// groupVariables returns the groups as variables of the design, and which of
// them must stay. Variables that do not vary belong to none.
func groupVariables(d *data.Dataset, design *data.Design, o *Options) (groups [][]int, force []int, err error) {
	place := slices.Repeat([]int{-1}, len(d.Columns)) // usable variable of the design, or −1
	for _, v := range design.Usable {
		place[design.Variables[v]] = v
	}
	group := slices.Repeat([]int{-1}, len(design.Variables)) // group of each variable
	find := func(name string) (int, error) {
		j := d.Lookup(name)
		if j < 0 {
			return -1, optionError("there is no variable %q in %s", name, d.Name)
		}
		return j, nil
	}
	for _, names := range o.Groups {
		var members []int
		for _, name := range names {
			j, err := find(name)
			if err != nil {
				return nil, nil, err
			}
			v := place[j]
			if v < 0 {
				continue
			}
			if group[v] >= 0 {
				return nil, nil, optionError("variable %q is listed twice in the groups", name)
			}
			group[v] = len(groups)
			members = append(members, v)
		}
		if len(members) > 0 {
			groups = append(groups, members)
		}
	}
	groups = slices.Grow(groups, len(design.Usable))
	for i, v := range design.Usable {
		if group[v] < 0 {
			group[v] = len(groups)
			groups = append(groups, design.Usable[i:i+1:i+1])
		}
	}
	must := map[int]bool{}
	for _, name := range o.Force {
		j, err := find(name)
		if err != nil {
			return nil, nil, err
		}
		v := place[j]
		if v < 0 {
			return nil, nil, optionError("variable %q cannot be forced: it takes one value only", name)
		}
		if !must[group[v]] {
			must[group[v]] = true
			force = append(force, group[v])
		}
	}
	if len(force) > o.K {
		return nil, nil, optionError("%d variables are forced, but k = %d", len(force), o.K)
	}
	if len(o.Groups) > 0 && o.K > len(groups) {
		return nil, nil, optionError("k = %d, but there are %d groups", o.K, len(groups))
	}
	return groups, force, nil
}

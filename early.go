package fsa

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"fsa/anneal"
	"fsa/checkpoint"
	"fsa/model"
)

// ErrTime says that the time was up before there was anything to make a model of.
var ErrTime = errors.New("the time is up")

// limited runs the job until its time is up, and then makes a model of what there is.
func (j *Job) limited(ctx context.Context) (*model.Model, error) {
	until, cancel := j.place.until(ctx, j.options.Deadline)
	defer cancel()
	m, v, err := j.whole(until)
	if err == nil || ctx.Err() != nil || !errors.Is(context.Cause(until), ErrTime) {
		return m, err
	}
	cancel()
	return j.early(ctx, v)
}

// early returns a model of the k strongest variables that are alive, learned to their
// optimum.
func (j *Job) early(ctx context.Context, v *validated) (*model.Model, error) {
	if v != nil {
		j = j.with(v)
	} else if j.options.K == Auto {
		return nil, fmt.Errorf("fsa: %w before cross-validation could choose a size: allow more, or say how many variables to select", ErrTime)
	}
	if j.plan.DescentRidge >= lassoPath { // nothing descends
		s, err := descend(ctx, j, &selection{ridge: j.plan.DescentRidge})
		if err != nil {
			return nil, err
		}
		return j.model(ctx, s, v, model.OutOfTime)
	}
	task := j.furthest(v)
	if task == nil {
		return nil, fmt.Errorf("fsa: %w before the first epoch was done: allow more", ErrTime)
	}
	ob := j.objective(nil, j.plan.DescentRidge, j.facts.rows)
	r := j.round(j.plan.DescentRidge)
	to := j.settings(ctx, ob, &r)
	chosen := slices.Clone(task.Sets[to.K])
	if len(chosen) != to.K {
		on, closed, err := j.place.objective(ctx, ob)
		if err != nil {
			return nil, err
		}
		chosen, err = anneal.Strongest(ctx, on, task.State, anneal.Rank{Weight: to.Weight, Force: j.force}, to.K)
		if closed(); err != nil {
			return nil, err
		}
	}
	s, err := j.relearn(ctx, chosen, j.plan.Ridge)
	if err != nil {
		return nil, err
	}
	j.meter.epochs, s.res.Trace = task.State.Epoch, task.State.Trace
	return j.model(ctx, s, v, model.OutOfTime)
}

// furthest returns where the descent was when the time was up: that on all rows or, if it
// had not begun, that of the first fold.
func (j *Job) furthest(v *validated) *checkpoint.Task {
	first := descent{j.ridges(tuneDescents)[0], 1}
	if v != nil {
		first = v.descent
	}
	for _, task := range []struct{ job, name string }{
		{j.journal.job, "descent"},
		{"fold 0", fmt.Sprintf("descent %v", first)},
	} {
		_, t := newJournal(j.journal.record, task.job).next(task.name)
		if t != nil && t.State != nil && resumable(j.objective(nil, 0, j.facts.rows), t) {
			return t
		}
	}
	return nil
}

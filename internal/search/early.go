package search

import (
	"context"
	"fmt"
	"slices"

	"fsa/anneal"
)

// Early returns a fit of the strongest groups of a descent that the time limit interrupted. It uses
// the descent on all rows or, if that had not begun, the descent of the first fold. It returns nil if
// neither had begun.
func (run *Runner) Early(ctx context.Context, r Recipe, size int) (*Fit, error) {
	r.Select.Interactions = Interactions{} // there was no time to look for them
	s, err := run.Form(ctx, r.Select)
	if err != nil {
		return nil, err
	}
	task := s.furthest(s.Journal.job, "descent")
	for _, job := range []string{s.Journal.job, "fold 0"} {
		if task == nil {
			task = s.furthest(job, fmt.Sprint("descent ", r.Select))
		}
	}
	if task == nil {
		return nil, nil
	}
	chosen := slices.Clone(task.Sets[size])
	if len(chosen) != size {
		ob := s.selecting(r.Select).objective(nil, size, r.Select.Ridge, s.Rows())
		on, closed, err := s.Device.objective(ctx, ob)
		if err != nil {
			return nil, err
		}
		chosen, err = anneal.Strongest(ctx, on, task.State, anneal.Rank{Weight: s.groupWeight, Force: s.Force}, size)
		if closed(); err != nil {
			return nil, err
		}
	}
	slices.Sort(chosen)
	f, err := s.Learn(ctx, chosen, r.Ridge, r.Adaptive, nil)
	if err != nil {
		return nil, err
	}
	s.Meter.Epochs, f.descent = task.State.Epoch, &anneal.Result{Trace: task.State.Trace}
	return f, nil
}

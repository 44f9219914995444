package fsa

import (
	"context"
	"errors"

	"fsa/validate"
)

// shrink is a stage: cross-validation decides about the ridge of what was chosen, which folds learn anew but do not choose anew.
// It is for tables of which folds would cost too much if they did: they see the ridge as a little weaker than it has to be, which is still
// far better than none where classes can nearly be told apart.
func shrink(ctx context.Context, j *Job, s *selection) (*selection, error) {
	size := len(s.chosen)
	t, err := j.newTuner(ctx, fewFolds, []int{size})
	if errors.Is(err, validate.ErrFolds) {
		return s, nil
	}
	if err != nil {
		return nil, err
	}
	defer t.close()
	t.points.tell = nil // there is no curve over sizes
	d := descent{j.plan.DescentRidge, 1}
	paths := make([]*path, len(t.folds))
	t.paths[d] = paths
	if err := t.each(ctx, func(i int) error {
		f := t.folds[i]
		paths[i] = f.newPath(d)
		paths[i].sets[size] = f.groupsOf(j.columns(s.chosen))
		return paths[i].prepare(ctx)
	}); err != nil {
		return nil, err
	}
	best, err := t.among(ctx, []descent{d}, []int{size})
	if err != nil {
		return nil, err
	}
	if best, err = t.orAdaptive(ctx, best); err != nil {
		return nil, err
	}
	for _, f := range t.folds {
		j.meter.Cells += f.meter.Cells
	}
	next, err := j.exactly(ctx, s.chosen, best.ridge, s)
	if err != nil || !best.adaptive {
		return next, err
	}
	return adapt(ctx, j, next)
}

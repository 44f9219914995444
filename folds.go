package fsa

import (
	"context"
	"errors"

	"fsa/loss"
	"fsa/validate"
)

// Folds cuts the rows as the options say.
func (j *Job) Folds(ctx context.Context) (*validate.Folds, error) {
	if j.cut != nil {
		return j.cut, nil
	}
	scheme, err := j.scheme(ctx)
	if err != nil {
		return nil, err
	}
	o, rows := &j.options, j.data.Rows()
	scheme.Folds, scheme.Repeats = j.plan.Folds, o.Repeats
	if o.FoldOf != nil && len(o.FoldOf) != rows {
		return nil, optionError("the folds of %d rows are given, but %s has %d", len(o.FoldOf), j.data.Name, rows)
	}
	switch {
	case o.FoldOf != nil:
		scheme.Fold, scheme.Folds, scheme.Keys = o.FoldOf, 0, nil
	case o.Ordered:
		scheme.Time, scheme.Keys = inOrder(rows), nil
	}
	folds, err := scheme.Split(rows)
	if errors.Is(err, validate.ErrFolds) && o.Folds == 0 && o.FoldOf == nil { // groups may be few
		fewer := scheme
		fewer.Folds = 0
		if folds, err := fewer.Split(rows); err == nil && folds.Len() > 1 {
			return folds, nil
		}
	}
	if errors.Is(err, validate.ErrFolds) && scheme.Class != nil && o.Folds == 0 && o.FoldOf == nil && !o.Ordered { // a class may be rare
		scheme.Class = nil
		if folds, err = scheme.Split(rows); errors.Is(err, validate.ErrFolds) { // and many rows equal
			scheme.Folds = 0
			return scheme.Split(rows)
		}
	}
	return folds, err
}

// Holdout keeps about a share of the rows to test on: whole queries and groups, the same
// share of each class, and the last of them where rows are in the order of time.
func (j *Job) Holdout(ctx context.Context, share float64) (validate.Split, error) {
	s, err := j.scheme(ctx)
	if err != nil {
		return validate.Split{}, err
	}
	if j.options.Ordered {
		s.Time, s.Keys = inOrder(j.data.Rows()), nil
	}
	return s.Holdout(j.data.Rows(), share)
}

// inOrder are the times of rows that stand in order.
func inOrder(rows int) []float64 {
	time := make([]float64, rows)
	for i := range time {
		time[i] = float64(i)
	}
	return time
}

// scheme is what all ways to cut the rows have in common: classes are spread evenly, queries
// of the table and groups stay whole.
func (j *Job) scheme(ctx context.Context) (validate.Scheme, error) {
	s := validate.Scheme{Seed: j.options.Seed, Weight: j.data.Target.Weight, Query: j.data.Target.Query, Group: j.data.Target.Group}
	if j.response.Task == loss.Classification {
		s.Class = j.sample.Target.Y
		s.ClassName = func(class float64) string {
			if len(j.response.Classes) == 2 && !j.response.Kind.Many {
				class = (class + 1) / 2
			}
			return j.response.Classes[int(class)]
		}
	}
	var err error
	s.Keys, err = j.sample.Keys(ctx)
	return s, err
}

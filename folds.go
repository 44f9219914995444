package fsa

import (
	"context"
	"errors"

	"fsa/loss"
	"fsa/validate"
)

// Folds divides the rows into folds according to the options.
func (j *Job) Folds(ctx context.Context) (*validate.Folds, error) {
	if j.cut != nil {
		return j.cut, nil
	}
	scheme, err := j.scheme(ctx)
	if err != nil {
		return nil, err
	}
	v, rows := &j.options.Validation, j.data.Rows()
	scheme.Folds, scheme.Repeats = j.plan.Folds, v.Repeats
	if v.FoldOf != nil && len(v.FoldOf) != rows {
		return nil, optionError("the folds of %d rows are given, but %s has %d", len(v.FoldOf), j.data.Name, rows)
	}
	switch {
	case v.FoldOf != nil:
		scheme.Fold, scheme.Folds, scheme.Keys = v.FoldOf, 0, nil
	case v.Ordered:
		scheme.Time, scheme.Keys = inOrder(rows), nil
	}
	folds, err := scheme.Split(rows)
	if errors.Is(err, validate.ErrFolds) && v.Folds == 0 && v.FoldOf == nil { // there may be few groups
		if scheme.Rare = j.plan.Open && j.measurer == nil; scheme.Rare { // a loss does not need rows of each class in a fold, and few folds could not reject the null model
			if folds, err := scheme.Split(rows); err == nil {
				return folds, nil
			}
			scheme.Rare = false
		}
		fewer := scheme
		fewer.Folds = 0
		if folds, err := fewer.Split(rows); err == nil && folds.Len() > 1 {
			return folds, nil
		}
	}
	if errors.Is(err, validate.ErrFolds) && scheme.Class != nil && v.Folds == 0 && v.FoldOf == nil && !v.Ordered { // a class may be rare
		scheme.Class = nil
		if folds, err = scheme.Split(rows); errors.Is(err, validate.ErrFolds) { // there may be many equal rows
			scheme.Folds = 0
			return scheme.Split(rows)
		}
	}
	return folds, err
}

// Holdout sets aside about a share of the rows for a test: whole queries and groups, the same share of each class, and the
// last rows if the rows are in the order of time.
func (j *Job) Holdout(ctx context.Context, share float64) (validate.Split, error) {
	s, err := j.scheme(ctx)
	if err != nil {
		return validate.Split{}, err
	}
	if j.options.Validation.Ordered {
		s.Time, s.Keys = inOrder(j.data.Rows()), nil
	}
	return s.Holdout(j.data.Rows(), share)
}

// inOrder returns row numbers, which serve as times for rows in the order of time.
func inOrder(rows int) []float64 {
	time := make([]float64, rows)
	for i := range time {
		time[i] = float64(i)
	}
	return time
}

// scheme returns the settings that all divisions of the rows have in common: classes are spread evenly, and queries and
// groups stay whole.
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
	if j.response.Task == loss.Survival {
		s.Class = j.data.Target.Event
		s.ClassName = func(class float64) string { return map[bool]string{true: "event", false: "no event"}[class != 0] }
	}
	var err error
	s.Keys, err = j.sample.Keys(ctx)
	return s, err
}

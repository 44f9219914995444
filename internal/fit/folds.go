package fit

import (
	"context"
	"errors"

	"fsa/validate"
)

// Folds divides the rows into folds according to the options.
func (j *Job) Folds(ctx context.Context) (*validate.Folds, error) {
	if j.cut != nil {
		return j.cut, nil
	}
	scheme, err := j.Scheme(ctx)
	if err != nil {
		return nil, err
	}
	v, rows := &j.Settings.Validation, j.Data.Rows()
	scheme.Folds, scheme.Repeats = j.Plan.Folds, v.Repeats
	if v.FoldOf != nil && len(v.FoldOf) != rows {
		return nil, optionError("the folds of %d rows are given, but %s has %d", len(v.FoldOf), j.Data.Name, rows)
	}
	switch {
	case v.FoldOf != nil:
		scheme.Fold, scheme.Folds, scheme.Keys = v.FoldOf, 0, nil
	case v.Ordered:
		scheme.Time, scheme.Keys = inOrder(rows), nil
	}
	folds, err := scheme.Split(rows)
	if errors.Is(err, validate.ErrFolds) && v.Folds == 0 && v.FoldOf == nil { // there may be few groups
		if scheme.Rare = j.Plan.Open && j.measurer == nil; scheme.Rare { // a loss does not need rows of each class in a fold, and few folds could not reject the null model
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
	s, err := j.Scheme(ctx)
	if err != nil {
		return validate.Split{}, err
	}
	if j.Settings.Validation.Ordered {
		s.Time, s.Keys = inOrder(j.Data.Rows()), nil
	}
	return s.Holdout(j.Data.Rows(), share)
}

// inOrder returns row numbers, which serve as times for rows in the order of time.
func inOrder(rows int) []float64 {
	time := make([]float64, rows)
	for i := range time {
		time[i] = float64(i)
	}
	return time
}

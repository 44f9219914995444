package fsa

import (
	"context"
	"errors"

	"fsa/internal/subset"
	"fsa/loss"
	"fsa/model"
	"fsa/validate"
)

// folds cuts the rows as the options say: classes are spread evenly, queries of the table
// and groups stay whole.
func (j *Job) folds(ctx context.Context, n int) (*validate.Folds, error) {
	if j.cut != nil {
		return j.cut, nil
	}
	scheme, err := j.scheme(ctx)
	if err != nil {
		return nil, err
	}
	o, rows := &j.options, j.data.Rows()
	scheme.Folds, scheme.Repeats = n, o.Repeats
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

// scheme is what all ways to cut the rows have in common.
func (j *Job) scheme(ctx context.Context) (validate.Scheme, error) {
	s := validate.Scheme{Seed: j.options.Seed, Weight: j.data.Target.Weight, Query: j.data.Target.Query, Group: j.data.Target.Group}
	if j.response.Task == loss.Classification {
		s.Class = j.target.Y
		s.ClassName = func(class float64) string {
			if len(j.response.Classes) == 2 && !j.response.Kind.Many {
				class = (class + 1) / 2
			}
			return j.response.Classes[int(class)]
		}
	}
	var err error
	s.Keys, err = j.keys(ctx)
	return s, err
}

// outOfFold returns the decision values of all rows, each by what was not learned from
// it, row after row, and which rows have one. Of several repeats it is the mean.
func (t *tuner) outOfFold(solutions []*subset.Solution) (z []float64, has []bool) {
	rows, outputs := t.job.data.Rows(), t.job.response.Loss.Outputs()
	z, has = make([]float64, rows*outputs), make([]bool, rows)
	times := make([]float64, rows)
	for i, s := range solutions {
		if s == nil {
			continue
		}
		for _, row := range t.cut.Split(i).Test {
			has[row] = true
			times[row]++
			for c := range outputs {
				z[row*outputs+c] += s.Z[c*rows+row]
			}
		}
	}
	for row, n := range times {
		if n > 1 {
			for c := range outputs {
				z[row*outputs+c] /= n
			}
		}
	}
	return z, has
}

// measure returns what a measure says of what was learned, on the rows that were not
// learned from; less is better.
func (f *fold) measure(s *subset.Solution) float64 {
	rows, outputs := f.data.Rows(), f.response.Loss.Outputs()
	z, has := make([]float64, rows*outputs), make([]bool, rows)
	for row, w := range f.test {
		if w > 0 {
			has[row] = true
			for c := range outputs {
				z[row*outputs+c] = s.Z[c*rows+row]
			}
		}
	}
	return f.measurer(z, has)
}

// signed turns what was minimised into the measure, or back.
func signed(measure string, v float64) float64 {
	if model.LargerIsBetter(measure) {
		return -v
	}
	return v
}

package fit

import (
	"context"
	"math"

	"fsa/data"
	"fsa/internal/search"
	"fsa/internal/tuning"
	"fsa/loss"
	"fsa/model"
)

// references are the models with all columns that a selection may be compared with, and the numbers of bins of their
// curves.
var references = []struct {
	name string
	bins int
}{
	{"ridge", 0},
	{"additive", tuning.CurveBins[1]},
}

// ReferenceNames returns the names for [Validation.Reference].
func ReferenceNames() []string {
	var names []string
	for _, r := range references {
		names = append(names, r.name)
	}
	return names
}

// refer fits the reference on the folds of the contest, and records what the chosen model loses against it.
func (j *Job) refer(ctx context.Context, v *validated) error {
	name := j.Settings.Validation.Reference
	if v == nil || name == "" || v.record.Reference != nil {
		return nil
	}
	bins := referenceBins(name)
	z, has, err := j.outOfFold(func(i int, test []int) ([]float64, error) {
		defer func() { j.count("folds of the reference", i+1, j.cut.Len()) }()
		ridge, err := j.referenceRidge(ctx, i, bins)
		if err != nil {
			return nil, err
		}
		r, err := j.reference(ctx, j.cut.Split(i).Train, i, bins)
		if err != nil {
			return nil, err
		}
		fit, err := r.Fit(ctx, ridge)
		if err != nil {
			return nil, err
		}
		return fit.MarginsOf(ctx, test)
	})
	if err != nil {
		return err
	}
	for row := range has {
		has[row] = has[row] && v.judged[row]
	}
	losses := j.heldOut().Losses(v.honest, z, has, j.Data.Target.Group)
	price := losses.Paired().CrossValidated(j.cut.Len() / j.cut.Repeats())
	if price.Units < 2 {
		return &data.Error{File: j.Data.Name, Msg: "the reference is compared on fewer than two independent rows, queries or groups: leave it out, or give more"}
	}
	v.record.Reference = &model.Reference{
		Name: name, Columns: j.Data.Width(), Loss: j.Response.Name, Mean: losses.Mean(losses.Other), Own: losses.Mean(losses.Own),
		Difference: price.Mean, Low: price.Low, High: price.High, Units: price.Units,
	}
	return nil
}

// referenceBins returns the number of bins of the curves of a reference; 0 means lines.
func referenceBins(name string) int {
	for _, r := range references {
		if r.name == name {
			return r.bins
		}
	}
	return 0
}

// checkReference refuses a reference if it is too large, if rows cannot be paired, or if its ridge cannot be chosen.
func (j *Job) checkReference() error {
	name := j.Settings.Validation.Reference
	if j.Settings.Validation.Losses && j.Response.Task.Relative() {
		return optionError("the losses of rows are for regressions and classifications, and this is a %s", j.Response.Task)
	}
	if name == "" {
		return nil
	}
	rows, columns := j.Whole.Design.X.Dims()
	if bins := referenceBins(name); bins > 0 {
		columns *= bins + 1
	}
	switch {
	case rows*columns > tuning.WorkCells:
		return optionError("a reference with all columns is fitted in memory, and %d rows × %d coefficients are too many (at most %d cells): leave the reference out, or give fewer rows or columns", rows, columns, tuning.WorkCells)
	case j.Response.Task == loss.Survival || j.Response.Task == loss.Ranking && (j.Data.Target.Query == nil || j.Data.Target.Pairs != nil):
		return optionError("a reference is compared row by row or query by query, which the %s loss of this table does not allow: leave the reference out", j.Response.Name)
	case j.Spread() != nil:
		return optionError("a reference needs the whole table in one process: leave it out, or fit without a grid")
	case j.cut.Len() == 2*j.cut.Repeats() && !j.Settings.Validation.Ordered:
		return optionError("a reference chooses its ridge within the training rows of a fold, which 2 folds do not allow: give at least 3 folds")
	}
	return nil
}

// reference prepares a model with all columns on some rows.
func (j *Job) reference(ctx context.Context, rows []int, fold, bins int) (*search.Reference, error) {
	s, _, err := j.Part(ctx, rows, "reference", fold, 1)
	if err == nil && bins > 0 {
		s, err = s.Curved(ctx, bins)
	}
	if err != nil {
		return nil, err
	}
	return s.Reference(ctx)
}

// firstRidge is where the search for the ridge of a reference begins, and ridgeStep the factor between two ridges. They
// span farthestRidge in both directions.
const (
	firstRidge    = 0.1
	farthestRidge = 1e6
)

var ridgeStep = math.Sqrt(10)

// referenceRidge chooses the ridge of the reference of a fold within its training rows. It assumes that the held-out loss has
// one minimum as a function of the ridge.
func (j *Job) referenceRidge(ctx context.Context, fold, bins int) (float64, error) {
	type inner struct {
		*search.Reference
		test []int
	}
	var parts []inner
	for _, split := range j.cut.Within(fold, tuning.SizeFolds/2) {
		r, err := j.reference(ctx, split.Train, fold, bins)
		if err != nil {
			return 0, err
		}
		parts = append(parts, inner{r, split.Test})
	}
	held := j.heldOut()
	loss := func(ridge float64) (sum float64, err error) {
		for _, p := range parts {
			fit, err := p.Fit(ctx, ridge)
			if err != nil {
				return 0, err
			}
			z, err := fit.MarginsOf(ctx, p.test)
			if err != nil {
				return 0, err
			}
			sum += held.Error(nil, z, p.test)
		}
		return sum, nil
	}
	best := firstRidge
	least, err := loss(best)
	if err != nil {
		return 0, err
	}
	for _, by := range []float64{ridgeStep, 1 / ridgeStep} {
		for ridge := best * by; ridge < firstRidge*farthestRidge && ridge > firstRidge/farthestRidge; ridge *= by {
			e, err := loss(ridge)
			if err != nil {
				return 0, err
			}
			if !(e < least) {
				break
			}
			best, least = ridge, e
		}
		if best != firstRidge {
			break
		}
	}
	return best, nil
}

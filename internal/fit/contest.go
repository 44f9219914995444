package fit

import (
	"context"
	"errors"
	"fmt"
	"math"

	"fsa/anneal"
	"fsa/data"
	"fsa/internal/contest"
	"fsa/internal/search"
	"fsa/loss"
	"fsa/validate"
)

// validate lets a contest choose the recipe and, if k is open, the size. It returns nil if there is nothing to choose.
func (j *Job) validate(ctx context.Context) (*validated, error) {
	if j.validated != nil || !j.Plan.Contest {
		return j.validated, nil
	}
	if j.Plan.Huber {
		if err := j.chooseLoss(ctx); err != nil {
			return nil, err
		}
	}
	var err error
	j.validated, err = j.contest(ctx)
	return j.validated, err
}

// contest holds the contest of the loss of a job.
func (j *Job) contest(ctx context.Context) (*validated, error) {
	cut, err := j.Folds(ctx)
	if errors.Is(err, validate.ErrFolds) && !j.Plan.Open && !j.Settings.Validation.Asked() {
		return nil, nil // the rows cannot be divided, such as those of one query
	}
	if err != nil {
		return nil, err
	}
	j.cut = cut
	if err := j.checkReference(); err != nil {
		return nil, err
	}
	least := math.MaxInt // number of training rows
	for i := range cut.Len() {
		least = min(least, len(cut.Split(i).Train))
	}
	if least < 2 {
		if !j.Plan.Open && !j.Settings.Validation.Asked() {
			return nil, nil
		}
		return nil, &data.Error{File: j.Data.Name, Msg: fmt.Sprintf("%d rows are too few for cross-validation: a fold would learn from %d row; give a size and leave cross-validation out, as with -k 1 --quick, or give more rows", j.Data.Rows(), least)}
	}
	c := contest.Config{
		Plan: j.Plan, Folds: make([]contest.Fold, cut.Len()), Repeats: cut.Repeats(), Abreast: j.Abreast(), Unit: j.Whole.LossUnit(ctx),
		Whole: search.NewRunner(j.Whole, j.Plan.Sizes), Nats: j.nats(),
		Step: j.Settings.Run.Step,
	}
	defer c.Whole.Close()
	if tell := j.Settings.Run.Curve; tell != nil && j.Plan.Budgets == nil {
		c.Point = func(p contest.Point) {
			p.Mean = signed(j.measure(), p.Mean)
			tell(j.measure(), p)
		}
	}
	j.Whole.Known = map[search.Form]anneal.Lipschitz{}
	folds := make([]fold, cut.Len())
	for i := range c.Folds {
		s, d, err := j.Part(ctx, cut.Split(i).Train, "fold", i, cut.Len())
		if err != nil {
			return nil, err
		}
		folds[i], c.Folds[i] = fold{s, d}, j.contestFold(s, cut.Split(i).Test)
		defer c.Folds[i].Close()
	}
	verdict, err := contest.Run(ctx, c)
	if err != nil {
		return nil, err
	}
	for _, f := range c.Folds {
		j.Whole.Meter.Cells += f.Meter.Cells
	}
	if j.validated, err = j.record(ctx, verdict, folds); err == nil && j.Settings.Validation.Rivals {
		j.validated.folds = folds
	}
	return j.validated, err
}

// nats returns the partial log likelihood of all rows for each unit of the error of survival times, whose folds have few events;
// 0 for other losses and measures.
func (j *Job) nats() float64 {
	if j.measurer != nil || j.Response.Task != loss.Survival {
		return 0
	}
	return float64(j.Whole.Effective)
}

// contestFold returns the sample of a fold with the functions that measure its fits on the held-out rows.
func (j *Job) contestFold(s *search.Sample, test []int) contest.Fold {
	held := j.heldOut()
	f := contest.Fold{Runner: search.NewRunner(s, j.Plan.Sizes), Test: test, Error: func(z []float64) float64 { return held.Error(j.measurer, z, test) }}
	if j.measurer == nil && j.Response.Name == "logistic" {
		f.Caution = func(z []float64) float64 { return held.Caution(z, test) }
	}
	if j.measurer == nil && !j.Response.Task.Relative() {
		f.Gain = func(z, than []float64) validate.Gain { return held.Gain(z, than, test) }
	}
	return f
}

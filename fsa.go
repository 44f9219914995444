// Package fsa selects k variables of a table and fits a model to them: Feature Selection with Annealing (Barbu, She, Ding
// and Gramajo). It starts with all variables and alternates a step of gradient descent with dropping the weakest variables.
// The problem shrinks while it is solved, so the whole table is read only a few times.
//
//	table, err := open.Table(ctx, "train.csv", open.Options{}, open.Roles{Target: "y"})
//	model, err := fsa.Fit(ctx, table, fsa.Options{K: 10})
//	for _, v := range model.Selected() {
//		fmt.Println(v.Name, v.Coefficients)
//	}
//
// A fit has three steps. A plan lists recipes, which describe how to select variables, improve the selection and fit the
// model. A contest compares the recipes by cross-validation, by one rule. The winner is run on all rows, by the same
// function that ran it on the folds.
package fsa

import (
	"context"

	"fsa/data"
	"fsa/internal/fit"
	"fsa/internal/search"
	"fsa/model"
	"fsa/validate"
)

// Fit selects o.K variables of a dataset and fits a model to them.
func Fit(ctx context.Context, d *data.Dataset, o Options) (*model.Model, error) {
	j, err := Prepare(ctx, d, o)
	if err != nil {
		return nil, err
	}
	return j.Run(ctx)
}

// Fit is [Fit] with these options: the method that all learners have.
func (o Options) Fit(ctx context.Context, d *data.Dataset) (*model.Model, error) {
	return Fit(ctx, d, o)
}

var _ model.Learner = Options{}

// ErrTime is returned if the time limit was reached before there was a model.
var ErrTime = search.ErrTime

// Job is a planned fit.
type Job struct{ fit *fit.Job }

// Prepare checks the options against the data and plans the fit.
func Prepare(ctx context.Context, d *data.Dataset, o Options) (*Job, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	j, err := fit.Prepare(ctx, d, o.settings())
	if err != nil {
		return nil, err
	}
	return &Job{j}, nil
}

// Run fits the model: a contest chooses a recipe, if the plan has several, and the recipe is run on all rows.
func (j *Job) Run(ctx context.Context) (*model.Model, error) { return j.fit.Run(ctx) }

// Validate lets a contest choose the recipe and, if K is Auto, the size. It returns nil if the plan
// leaves nothing to choose.
func (j *Job) Validate(ctx context.Context) (*model.Validation, error) { return j.fit.Validate(ctx) }

// Folds divides the rows into folds according to the options.
func (j *Job) Folds(ctx context.Context) (*validate.Folds, error) { return j.fit.Folds(ctx) }

// Holdout sets aside about a share of the rows for a test: whole queries and groups, the same share of each class, and the
// last rows if the rows are in the order of time.
func (j *Job) Holdout(ctx context.Context, share float64) (validate.Split, error) {
	return j.fit.Holdout(ctx, share)
}

// Evidence holds the details of cross-validation that a model does not store: results of single
// folds and rows.
type Evidence = model.Evidence

// Evidence returns the details of cross-validation after [Job.Run] or [Job.Validate], or nil if
// there was none.
func (j *Job) Evidence() *Evidence { return j.fit.Evidence() }

// Intact reports whether the dataset can be read again after the fit: the fit does not overwrite it ([Run.Discard]), and
// this process alone can read all of it.
func (j *Job) Intact() bool { return j.fit.Intact() }

// Fingerprint returns a checksum of the training data.
func (j *Job) Fingerprint(ctx context.Context) (string, error) { return j.fit.Fingerprint(ctx) }

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
	"errors"
	"fmt"

	"fsa/anneal"
	"fsa/data"
	"fsa/internal/contest"
	"fsa/internal/search"
	"fsa/internal/stable"
	"fsa/model"
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

// Run fits the model.
func (j *Job) Run(ctx context.Context) (*model.Model, error) {
	defer j.sample.Device.Close()
	if j.options.Run.Deadline.IsZero() {
		return j.run(ctx)
	}
	until, cancel := j.sample.Device.Until(ctx, j.options.Run.Deadline)
	defer cancel()
	m, err := j.run(until)
	if err == nil || ctx.Err() != nil || !errors.Is(context.Cause(until), ErrTime) {
		return m, err
	}
	cancel()
	return j.early(ctx)
}

// run chooses a recipe and a size, and runs the recipe on all rows.
func (j *Job) run(ctx context.Context) (*model.Model, error) {
	c, err := j.choose(ctx)
	if err != nil {
		return nil, err
	}
	if c.found != nil {
		fit, err := j.learn(ctx, c.columns)
		if err != nil {
			return nil, err
		}
		return j.final(ctx, fit, c, fit.Status())
	}
	runner := c.runner
	if runner == nil {
		runner = search.NewRunner(j.sample, j.plan.Sizes)
		runner.Only = c.size
	}
	defer runner.Close()
	fit, err := runner.Run(ctx, c.recipe, c.size)
	if errors.Is(err, anneal.ErrDiverged) && j.options.Descent.Eta > 0 {
		err = fmt.Errorf("fsa: eta = %v is too large for this data: leave it out to have it chosen: %w", j.options.Descent.Eta, err)
	}
	if err != nil {
		return nil, err
	}
	m, err := j.final(ctx, fit, c, fit.Status())
	if err != nil || j.options.Validation.Stability == 0 {
		return m, err
	}
	sure, err := j.stability(ctx, fit, c, m)
	if err != nil {
		return nil, err
	}
	return m.WithStability(sure), nil
}

// final returns the model of all rows, with a note if the folds selected other variables, or with the rivals of its variables.
func (j *Job) final(ctx context.Context, fit *search.Fit, c *chosen, status string) (m *model.Model, err error) {
	if v := c.validated; v != nil {
		if v.record.Ties, err = stable.Ties(ctx, j.data, v.evidence.Selected, fit.Columns()); err != nil {
			return nil, err
		}
		if j.options.Validation.Rivals && status != model.OutOfTime {
			if err = j.rivals(ctx, fit, v); err != nil {
				return nil, err
			}
		}
	}
	return j.model(ctx, j.data, fit, c, status)
}

// choose finds the recipe and the size: by a contest, by a false discovery rate, by an information criterion, or as
// planned.
func (j *Job) choose(ctx context.Context) (*chosen, error) {
	c := &chosen{recipe: j.plan.Recipe, size: j.plan.Size}
	switch {
	case j.plan.Contest:
		v, err := j.validate(ctx)
		if err == nil {
			err = j.refer(ctx, v)
		}
		if err != nil || v == nil {
			return c, err
		}
		c.recipe, c.size, c.validated = v.verdict.Recipe, v.verdict.Size, v
	case j.plan.Pairs > 0:
		var err error
		c.columns, c.found, err = j.discover(ctx)
		return c, err
	case j.plan.Criterion():
		c.runner = search.NewRunner(j.sample, j.plan.Sizes)
		size, values, err := contest.ByCriterion(ctx, c.runner, j.plan)
		if err != nil {
			c.runner.Close()
			return nil, err
		}
		c.size, c.criterion = size, &model.Criterion{Rule: j.plan.Rule, Chosen: size}
		for _, v := range values {
			c.criterion.Points = append(c.criterion.Points, model.CriterionPoint{Size: v.Size, Value: v.Value})
		}
	}
	return c, nil
}

// early returns a model of the strongest active variables at the time limit, fitted to its optimum.
func (j *Job) early(ctx context.Context) (*model.Model, error) {
	c := &chosen{recipe: j.plan.Recipe, size: j.plan.Size}
	if v := j.validated; v != nil {
		c.recipe, c.size, c.validated = v.verdict.Recipe, v.verdict.Size, v
	} else if j.plan.Open {
		return nil, fmt.Errorf("fsa: %w before cross-validation could choose a size: allow more, or set the number of variables", ErrTime)
	}
	runner := search.NewRunner(j.sample, j.plan.Sizes)
	defer runner.Close()
	fit, err := runner.Early(ctx, c.recipe, c.size)
	if err != nil {
		return nil, err
	}
	if fit == nil && c.recipe.Select.Method != search.Annealing {
		fit, err = runner.Run(ctx, c.recipe, c.size)
	}
	if err != nil {
		return nil, err
	}
	if fit == nil {
		return nil, fmt.Errorf("fsa: %w before the first epoch was done: allow more", ErrTime)
	}
	return j.final(ctx, fit, c, model.OutOfTime)
}

package fit

import (
	"context"
	"errors"
	"fmt"

	"fsa/anneal"
	"fsa/internal/contest"
	"fsa/internal/search"
	"fsa/internal/stable"
	"fsa/model"
)

// Run fits the model. If there is a deadline, it returns what is there in time.
func (j *Job) Run(ctx context.Context) (*model.Model, error) {
	defer j.Close()
	deadline := j.Settings.Run.Deadline
	if deadline.IsZero() {
		return j.run(ctx)
	}
	until, cancel := j.Whole.Device.Until(ctx, deadline)
	defer cancel()
	m, err := j.run(until)
	if err == nil || ctx.Err() != nil || !errors.Is(context.Cause(until), search.ErrTime) {
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
		groups := append([]int{}, j.Whole.GroupsOf(c.columns)...) // nil would be all groups
		fit, err := j.Whole.Learn(ctx, groups, c.recipe.Ridge, false, nil)
		if err != nil {
			return nil, err
		}
		return j.final(ctx, fit, c, fit.Status())
	}
	runner := c.runner
	if runner == nil {
		runner = search.NewRunner(j.Whole, j.Plan.Sizes)
		runner.Only = c.size
	}
	defer runner.Close()
	fit, err := runner.Run(ctx, c.recipe, c.size)
	if eta := j.Settings.Request.Eta; errors.Is(err, anneal.ErrDiverged) && eta > 0 {
		err = fmt.Errorf("fsa: eta = %v is too large for this data: leave it out to have it chosen: %w", eta, err)
	}
	if err != nil {
		return nil, err
	}
	m, err := j.final(ctx, fit, c, fit.Status())
	if err != nil || j.Settings.Validation.Stability == 0 {
		return m, err
	}
	sure, err := j.stability(ctx, fit, c, m)
	if err != nil {
		return nil, err
	}
	return m.WithStability(sure), nil
}

// choose finds the recipe and the size: by a contest, by a false discovery rate, by an information criterion, or as
// planned.
func (j *Job) choose(ctx context.Context) (*chosen, error) {
	c := &chosen{recipe: j.Plan.Recipe, size: j.Plan.Size}
	switch {
	case j.Plan.Contest:
		v, err := j.validate(ctx)
		if err == nil {
			err = j.refer(ctx, v)
		}
		if err != nil || v == nil {
			return c, err
		}
		c.recipe, c.size, c.validated = v.Recipe, v.Size, v
	case j.Plan.Pairs > 0:
		var err error
		c.columns, c.found, err = j.discover(ctx)
		return c, err
	case j.Plan.Criterion():
		c.runner = search.NewRunner(j.Whole, j.Plan.Sizes)
		size, values, err := contest.ByCriterion(ctx, c.runner, j.Plan)
		if err != nil {
			c.runner.Close()
			return nil, err
		}
		c.size, c.criterion = size, &model.Criterion{Rule: j.Plan.Rule, Chosen: size}
		for _, v := range values {
			c.criterion.Points = append(c.criterion.Points, model.CriterionPoint{Size: v.Size, Value: v.Value})
		}
	}
	return c, nil
}

// final returns the model of all rows, with a note if the folds selected other variables, or with the rivals of its variables.
func (j *Job) final(ctx context.Context, fit *search.Fit, c *chosen, status string) (m *model.Model, err error) {
	if v := c.validated; v != nil {
		if v.record.Ties, err = stable.Ties(ctx, j.Data, v.evidence.Selected, fit.Columns()); err != nil {
			return nil, err
		}
		if j.Settings.Validation.Rivals && status != model.OutOfTime && !fit.Paired() {
			if v.record.Ties, err = j.rivals(ctx, fit, v); err != nil {
				return nil, err
			}
			if v.record.Near, err = j.near(ctx, fit); err != nil {
				return nil, err
			}
		}
	}
	return j.model(ctx, j.Data, fit, c, status)
}

// early returns a model of the strongest active variables at the time limit, fitted to its optimum.
func (j *Job) early(ctx context.Context) (*model.Model, error) {
	c := &chosen{recipe: j.Plan.Recipe, size: j.Plan.Size}
	if v := j.validated; v != nil {
		c.recipe, c.size, c.validated = v.Recipe, v.Size, v
	} else if j.Plan.Open {
		return nil, fmt.Errorf("fsa: %w before cross-validation could choose a size: allow more, or set the number of variables", search.ErrTime)
	}
	runner := search.NewRunner(j.Whole, j.Plan.Sizes)
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
		return nil, fmt.Errorf("fsa: %w before the first epoch was done: allow more", search.ErrTime)
	}
	return j.final(ctx, fit, c, model.OutOfTime)
}

// Validate runs the contest and the reference, without the fit of all rows. It returns nil if the plan leaves nothing to
// choose.
func (j *Job) Validate(ctx context.Context) (*model.Validation, error) {
	v, err := j.validate(ctx)
	if err == nil {
		err = j.refer(ctx, v)
	}
	if v == nil || err != nil {
		return nil, err
	}
	return v.record, nil
}

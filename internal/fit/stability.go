package fit

import (
	"context"
	"errors"
	"sync"

	"fsa/anneal"
	"fsa/internal/parallel"
	"fsa/internal/search"
	"fsa/internal/stable"
	"fsa/model"
	"fsa/validate"
)

// stability repeats the selection on complementary pairs of half samples (Shah and Samworth 2013),
// by the recipe of the model.
func (j *Job) stability(ctx context.Context, fit *search.Fit, c *chosen, m *model.Model) (*model.Stability, error) {
	if c.size == 0 {
		return nil, nil
	}
	scheme, err := j.Scheme(ctx)
	if err != nil {
		return nil, err
	}
	cut, err := scheme.Pairs(j.Data.Rows(), j.Settings.Validation.Stability)
	if err != nil {
		return nil, err
	}
	halves := make([]stable.Half, cut.Len())
	var done int
	var mu sync.Mutex
	err = parallel.Do(ctx, j.Abreast(), len(halves), func(_, i int) (err error) {
		if halves[i], err = j.half(ctx, cut.Split(i), i, cut.Len(), fit, c); err != nil {
			return err
		}
		mu.Lock()
		defer mu.Unlock()
		done++
		j.count("half samples", done, len(halves))
		return nil
	})
	if err != nil {
		return nil, err
	}
	record, err := stable.Summary(ctx, j.Data, halves, m, j.Whole.Groups.Count())
	if err != nil || !j.corrected(fit) {
		return record, err
	}
	return record, j.confidence(ctx, fit, c, m, cut, halves, record)
}

// half selects on the rows of a half sample, and fits the selection on all rows.
func (j *Job) half(ctx context.Context, split validate.Split, number, of int, fit *search.Fit, c *chosen) (h stable.Half, err error) {
	s, d, err := j.Part(ctx, split.Train, "half", number, of)
	if err != nil {
		return h, err
	}
	runner := search.NewRunner(s, j.Plan.Sizes)
	runner.Only = c.size
	defer runner.Close()
	found, err := runner.Run(ctx, c.recipe, c.size)
	switch {
	case errors.Is(err, anneal.ErrDiverged):
	case err != nil:
		return h, err
	default:
		h.Selected = found.Columns()
	}
	if found != nil && j.corrected(fit) {
		of := found.Sample()
		if h.Chosen, err = of.StandOut(ctx, found, of.Groups.Count()-len(found.Groups), hardly(of)); err != nil {
			return h, err
		}
	}
	if s, err = runner.Form(ctx, c.recipe.Select); err != nil {
		return h, err
	}
	groups := s.GroupsOf(fit.Columns())
	if len(groups) < len(fit.Groups) { // a variable is constant in this half sample
		return h, nil
	}
	again, err := s.Learn(ctx, groups, fit.Ridge, fit.Adaptive, nil)
	if err != nil {
		return h, err
	}
	h.Refit, err = j.model(ctx, d, again, &chosen{size: c.size, validated: c.validated}, again.Status())
	return h, err
}

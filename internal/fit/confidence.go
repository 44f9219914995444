package fit

import (
	"context"
	"slices"

	"fsa/data"
	"fsa/internal/search"
	"fsa/internal/stable"
	"fsa/internal/tuning"
	"fsa/loss"
	"fsa/model"
	"fsa/validate"
)

// corrected reports whether the effects of a fit have confidence intervals: they are asked for, and the fit has neither
// interactions, which half samples do not repeat, nor a loss that is no likelihood, such as the huber loss of a contest.
func (j *Job) corrected(fit *search.Fit) bool {
	return j.Settings.Validation.Confidence > 0 && j.Response.Kind.Likelihood && !fit.Paired()
}

// confidence replaces the intervals of a record by confidence intervals that account for the selection. See
// [search.Effects].
func (j *Job) confidence(ctx context.Context, fit *search.Fit, c *chosen, m *model.Model, cut *validate.Folds, halves []stable.Half, record *model.Stability) error {
	s, err := search.NewRunner(j.Whole, j.Plan.Sizes).Form(ctx, c.recipe.Select)
	if err != nil {
		return err
	}
	var selected [][]int
	for _, h := range halves {
		selected = append(selected, s.GroupsOf(h.Selected))
	}
	effects := s.NewEffects(fit.Groups, selected, hardly(s))
	for i, h := range halves {
		if err := effects.Add(ctx, selected[i], s.GroupsOf(h.Chosen), cut.Split(i).Train); err != nil {
			return err
		}
	}
	plain, se, err := effects.Plain(ctx, fit.Groups)
	if err != nil {
		return err
	}
	stable.SetIntervals(record, m, effectsIn(fit, effects, plain, se, j.Data), j.Settings.Validation.Confidence, s.Counted)
	return nil
}

// effectsIn returns the effects of the variables of a fit by their names.
func effectsIn(fit *search.Fit, effects *search.Effects, plain, plainSE map[int][]float64, d *data.Dataset) map[string]stable.Effect {
	list, s := map[string]stable.Effect{}, fit.Sample()
	for _, g := range fit.Groups {
		estimate, se := effects.Of(g)
		all, allSE := plain[g], plainSE[g]
		for _, v := range fit.Variables() {
			if !slices.Contains(s.Groups.Of(g), v.Number) {
				continue
			}
			own := v.Values
			if s.Design.Bins > 0 {
				own = centred(own, s.Design.Mean[v.First:])
			}
			of := stable.Effect{Fitted: own, Plain: all[:len(own)], PlainSE: allSE[:len(own)]}
			all, allSE = all[len(own):], allSE[len(own):]
			if estimate != nil {
				of.Estimate, of.SE = estimate[:len(own)], se[:len(own)]
				estimate, se = estimate[len(own):], se[len(own):]
			}
			list[d.ColumnName(s.Design.Variables[v.Number])] = of
		}
	}
	return list
}

// centred returns the values of a shape function minus their mean over the rows.
func centred(values, share []float64) []float64 {
	to, mean := slices.Clone(values), 0.0
	for k, v := range to {
		mean += share[k] * v
	}
	for k := range to {
		to[k] -= mean
	}
	return to
}

// hardly returns a ridge that hardly shrinks effects.
func hardly(s *search.Sample) float64 {
	switch {
	case s.Design.Bins > 0: // the end bins have few rows
		return tuning.FewRowsRidge / float64(s.Effective)
	case s.Task != loss.Regression: // classes may be separable
		return tuning.ClassRidgeRows / float64(s.Effective)
	}
	return 0
}

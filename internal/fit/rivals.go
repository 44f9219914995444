package fit

import (
	"cmp"
	"context"
	"slices"

	"fsa/internal/parallel"
	"fsa/internal/search"
	"fsa/internal/stable"
	"fsa/model"
	"fsa/validate"
)

// mostRivals is the number of variables that are tried in the place of each variable of the model.
const mostRivals = 3

// rivals measures how much the error of held-out rows grows without each variable of a fit, and with other variables in its
// place. The other variables are found on all rows; each fold fits the selections on its training rows.
func (j *Job) rivals(ctx context.Context, fit *search.Fit, v *validated) (ties []model.Tie, err error) {
	s := fit.Sample()
	own := fit.Columns()
	instead := make([][]int, len(own)) // columns of the rivals of each variable
	union := slices.Clone(own)
	for i := range own {
		groups, err := s.Replacements(ctx, fit, i, mostRivals)
		if err != nil {
			return nil, err
		}
		instead[i] = s.Columns(groups)
		union = append(union, instead[i]...)
	}
	sets := [][]int{own}
	for i := range own {
		without := slices.Delete(slices.Clone(own), i, i+1)
		sets = append(sets, without)
		for _, rival := range instead[i] {
			sets = append(sets, append(slices.Clone(without), rival))
		}
	}
	errors, err := j.errorsOf(ctx, fit, v, sets, union)
	if err != nil {
		return nil, err
	}
	null, repeats := v.Null.Reported[:len(errors[0])], 1
	lost := func(set int) (l model.Increase) {
		l.Mean, l.SE = validate.Difference(errors[set], errors[0], repeats)
		l.Equal = validate.Simplest([][]float64{errors[set], errors[0]}, null, repeats) == 0
		return l
	}
	shares := validate.Frequencies(v.evidence.Selected, len(j.Data.Columns))
	set := 1
	for i, column := range own {
		tie := model.Tie{Name: j.Data.ColumnName(column), Share: shares[column]}
		without := lost(set)
		tie.Without = &without
		set++
		alike, err := stable.Correlations(ctx, j.Data, column, instead[i])
		if err != nil {
			return nil, err
		}
		for at, rival := range instead[i] {
			with := lost(set)
			with.Equal = with.Equal || with.Mean <= validate.Margin*without.Mean
			tie.Rivals = append(tie.Rivals, model.StableRival{Name: j.Data.ColumnName(rival), Share: shares[rival], Correlation: alike[at], Instead: &with})
			set++
		}
		slices.SortStableFunc(tie.Rivals, func(a, b model.StableRival) int { return cmp.Compare(a.Instead.Mean, b.Instead.Mean) })
		ties = append(ties, tie)
	}
	return ties, nil
}

// errorsOf returns the errors of selections of columns on the held-out rows of the folds of the first repeat, by selection,
// then by fold.
func (j *Job) errorsOf(ctx context.Context, fit *search.Fit, v *validated, sets [][]int, union []int) ([][]float64, error) {
	folds := j.cut.Len() / j.cut.Repeats()
	errors := make([][]float64, len(sets))
	for i := range errors {
		errors[i] = make([]float64, folds)
	}
	held := j.heldOut()
	return errors, parallel.Do(ctx, j.Abreast(), folds, func(_, f int) error {
		s, err := search.NewRunner(v.folds[f].sample, j.Plan.Sizes).Form(ctx, v.Recipe.Select)
		if err != nil {
			return err
		}
		s = s.WithPooling(v.Recipe.Select.Pooling)
		subsets, err := s.Subsets(ctx, s.GroupsOf(union), fit.Ridge, fit.Adaptive)
		if err != nil {
			return err
		}
		test := j.cut.Split(f).Test
		for i, set := range sets {
			z, err := subsets.MarginsOf(ctx, s.GroupsOf(set), test)
			if err != nil {
				return err
			}
			errors[i][f] = held.Error(j.measurer, z, test)
		}
		return nil
	})
}

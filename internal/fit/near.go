package fit

import (
	"context"
	"slices"

	"fsa/internal/search"
	"fsa/model"
	"fsa/validate"
)

// listedSets is the maximal number of sets in a model.
const listedSets = 100

// near finds the sets of variables whose training loss is nearly as low as that of a fit.
func (j *Job) near(ctx context.Context, fit *search.Fit) (*model.NearSets, error) {
	s := fit.Sample()
	sets, complete, err := s.Near(ctx, fit, validate.Margin)
	if err != nil {
		return nil, err
	}
	names := func(groups, without []int) (list []string) {
		list = []string{}
		for _, g := range groups {
			if !slices.Contains(without, g) {
				list = append(list, j.Data.ColumnName(s.Columns([]int{g})[0]))
			}
		}
		return list
	}
	to := &model.NearSets{Margin: validate.Margin, Found: len(sets), Complete: complete}
	for _, set := range sets[:min(len(sets), listedSets)] {
		growth := 0.0
		if lowest := sets[0].Loss; lowest > 0 {
			growth = max(set.Loss/lowest-1, 0)
		}
		to.Sets = append(to.Sets, model.NearSet{Growth: growth, Without: names(fit.Groups, set.Groups), Instead: names(set.Groups, fit.Groups)})
	}
	return to, nil
}

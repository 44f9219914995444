package fit

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"fsa/internal/search"
	"fsa/internal/training"
	"fsa/model"
)

// checkAffordable refuses budgets that are too small for the forced variables or for any variable.
func (s *Settings) checkAffordable(t *training.Set) error {
	whole, budgets := t.Whole, s.Training.Budgets
	switch {
	case whole.Spending == nil:
		return nil
	case t.Spread() != nil:
		return optionError("selections within a budget need the table on one machine: leave the prices out, or fit on one machine")
	case whole.Groups.Count() == 0:
		return optionError("every variable costs more than the budget %v: give a larger one", slices.Max(budgets))
	case len(budgets) > 0 && !search.Affordable(whole.Price(whole.Force), slices.Min(budgets)):
		return optionError("the forced variables cost %v, but the budget is %v: give a larger one, or force fewer", whole.Price(whole.Force), slices.Min(budgets))
	}
	return nil
}

// checkCapacity refuses more variables than the quotas allow.
func (s *Settings) checkCapacity(t *training.Set) error {
	needed, names := t.Whole.Needed()
	switch n := t.Whole.Capacity(); {
	case t.Whole.Quotas == nil:
		return nil
	case t.Spread() != nil:
		return optionError("quotas need the table on one machine: leave them out, or fit on one machine")
	case s.Request.K > 0 && s.Request.K < needed && len(t.Whole.Force) == 0:
		return optionError("k = %d, but %s: select more, or lower the quotas", s.Request.K, needs(names, needed))
	case s.Request.K > 0 && s.Request.K < needed:
		return optionError("k = %d, but %s, with the forced ones: select more, force fewer, or lower the quotas", s.Request.K, needs(names, needed))
	case s.Request.K > n:
		return optionError("k = %d, but the quotas allow %d of the variables: select fewer, or raise a quota", s.Request.K, n)
	case n == 0:
		return optionError("the quotas allow no variable: raise one")
	}
	return nil
}

// needs says how many variables some quotas need.
func needs(names []string, n int) string {
	if len(names) == 1 {
		return fmt.Sprintf("the quota %s needs %d variables", names[0], n)
	}
	return fmt.Sprintf("the quotas %s need %d variables", strings.Join(names, " and "), n)
}

// paid returns what the columns of a fit of a size cost; nil without prices.
func (j *Job) paid(fit *search.Fit, size int) *model.Costs {
	s := fit.Sample()
	if s.Spending == nil {
		return nil
	}
	columns := map[int]string{} // names, by index
	for _, g := range fit.Groups {
		for _, v := range s.Groups.Of(g) {
			column := s.Design.Variables[v]
			columns[s.Data.Columns[column].Index] = s.Data.ColumnName(column)
		}
	}
	panels := map[string]string{} // by column
	for _, c := range j.Settings.Training.Costs {
		if c.Panel != "" {
			panels[c.Column] = c.Panel
		}
	}
	to, seen := &model.Costs{Budget: j.Plan.Budget(size), Paid: []model.Paid{}}, map[int]bool{}
	for _, index := range slices.Sorted(maps.Keys(columns)) {
		item := s.Spending.Item[index]
		if seen[item] {
			continue
		}
		seen[item] = true
		name := columns[index]
		panel := cmp.Or(panels[name], panels[strconv.Itoa(index)])
		p := model.Paid{Name: cmp.Or(panel, name), Price: s.Spending.Prices[item], Panel: panel != ""}
		to.Paid, to.Spent = append(to.Paid, p), to.Spent+p.Price
	}
	return to
}

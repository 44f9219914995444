package fsa

import (
	"math"
	"path"
	"slices"

	"fsa/model"
	"fsa/validate"
)

// checkCosts checks the prices and budgets as far as possible without the data.
func (o *Options) checkCosts() error {
	s := &o.Selection
	switch {
	case s.Costs == nil && s.Budgets != nil:
		return optionError("a budget is given, but no prices: give the costs of the columns, too")
	case s.Costs == nil:
		return nil
	}
	for _, b := range s.Budgets {
		if !(b >= 0) || math.IsInf(b, 0) {
			return optionError("budget %v: it must be a finite number and not negative", b)
		}
	}
	panels, prices := map[string]model.Cost{}, map[string]bool{}
	for _, c := range s.Costs {
		first, known := panels[c.Panel]
		switch {
		case !(c.Price >= 0) || math.IsInf(c.Price, 0):
			return optionError("the price of %q is %v: it must be a finite number and not negative", c.Column, c.Price)
		case prices[c.Column]:
			return optionError("column %q has two prices: give one", c.Column)
		case c.Panel != "" && c.Column == model.AllColumns:
			return optionError("panel %q: name its columns one by one", c.Panel)
		case c.Panel != "" && known && first.Price != c.Price:
			return optionError("panel %q costs %v by %q and %v by %q: each of its columns must have the price of the whole panel", c.Panel, first.Price, first.Column, c.Price, c.Column)
		case c.Panel != "" && slices.ContainsFunc(s.Groups, func(group []string) bool { return slices.Contains(group, c.Column) }):
			return optionError("column %q is in panel %q and in a group: leave one of them out", c.Column, c.Panel)
		}
		panels[c.Panel], prices[c.Column] = c, true
	}
	return refuse("columns have prices", "", []conflict{
		{o.K != Auto || s.Sizes != nil, "a number of variables is given, but the budget decides: leave it out"},
		{s.FDR > 0, "a false discovery rate is not controlled within a budget: leave it out"},
		{validate.IsCriterion(s.Choose), "the rule " + s.Choose + " counts variables, not money: give another one"},
		{o.Quick && len(s.Budgets) != 1, "without cross-validation one budget is needed: give one, or leave quick out"},
		{s.Choose != "" && len(s.Budgets) == 1, "one budget leaves the rule nothing to choose: leave the rule out, or give several budgets"},
		{s.Interactions.Find, "interactions have no prices: leave them out"},
		{s.Polish, "polishing does not know prices: leave it out"},
		{o.Validation.Rivals, "rivals may cost more than the budget: leave them out"},
		{!o.Run.Deadline.IsZero(), "a selection within a budget cannot end early: leave the time limit out"},
		{len(o.Objective.CurvePriors) > 0, "priors on curves are not available: leave them out"},
		{o.Run.elsewhere(), "selections within a budget are computed on the CPU only: leave the device out"},
	})
}

// checkQuotas checks the quotas as far as possible without the data.
func (o *Options) checkQuotas() error {
	s := &o.Selection
	if len(s.Quotas) == 0 {
		return nil
	}
	for _, q := range s.Quotas {
		switch {
		case q.Most < 0 || q.Least < 0 || len(q.Columns) == 0:
			return optionError("quota %s: it must have columns, and a number that is not negative", q)
		case q.Most > 0 && q.Least > q.Most:
			return optionError("quota %s: its smallest number is above its largest", q)
		case q.Least > 0 && s.Costs != nil:
			return optionError("quota %s: a selection within a budget cannot be sure to have some of its columns: leave the smallest number out, or the prices", q)
		}
		for _, pattern := range q.Columns {
			if _, err := path.Match(pattern, ""); err != nil {
				return optionError("quota %s: %q is no pattern", q, pattern)
			}
		}
	}
	return refuse("there are quotas", "leave one of them out", []conflict{
		{s.FDR > 0, "a false discovery rate is not controlled within quotas"},
		{s.Interactions.Find, "interactions have no quotas"},
		{s.Polish, "polishing does not know quotas"},
		{o.Validation.Rivals, "rivals may exceed quotas"},
		{!o.Run.Deadline.IsZero(), "a selection within quotas cannot end early"},
		{len(o.Objective.CurvePriors) > 0, "priors on curves are not available"},
		{o.Run.elsewhere(), "selections within quotas are computed on the CPU only"},
	})
}

package plan

import (
	"cmp"
	"fmt"

	"fsa/internal/tuning"
	"fsa/validate"
)

// competition decides whether recipes are compared by cross-validation, and with how many folds.
func (p *Plan) competition(r *Request, f *Facts) {
	solvable := !r.CurvePriors && (p.Open || r.constrained() || r.limited() || f.coefficients(p.Size) <= tuning.ExactCoefficients)
	byCriterion := p.Open && r.Quick && !r.Measure && f.Kind.Likelihood && validate.IsCriterion(p.Rule)
	p.Contest = !byCriterion && p.Pairs == 0 && (p.Open || r.Measure || !r.Quick && solvable && f.small() && f.Effective >= tuning.RowsPerCoefficient)
	p.Recipe.Direct = !solvable || !p.Contest && !byCriterion && p.Pairs == 0 && !r.constrained() && !r.limited()
	if r.Priced && !p.Contest {
		p.Sizes = []int{p.Size}
	}
	if p.Folds = tuning.SizeFolds / 2; p.Open {
		p.Folds = min(tuning.SizeFolds, f.Effective)
	}
	if f.Effective >= tuning.FoldRows*p.Folds {
		p.Folds = (p.Folds + 1) / 2
	}
	p.Folds = cmp.Or(r.Folds, p.Folds)
	switch {
	case p.Pairs > 0:
		p.Say("validation", fmt.Sprintf("%d half samples", 2*p.Pairs), fmt.Sprintf("a false discovery rate of %s is given: each half sample selects %d candidates", number(r.FDR), p.Size))
	case byCriterion:
		p.Say("validation", "none", fmt.Sprintf("k is not fixed: %s, at most %d", validate.DescribeRule(p.Rule), p.Size))
	case p.Contest && p.Open:
		p.Say("validation", fmt.Sprintf("%d folds", p.Folds), choose(r.Priced, "the budget is not fixed: several are cross-validated", fmt.Sprintf("k is not fixed: sizes up to %d are cross-validated", p.Size)))
	case p.Contest:
		p.Say("validation", fmt.Sprintf("%d folds", p.Folds), "recipes are compared by cross-validation")
	default:
		p.Say("validation", "none", choose(r.Quick, "--quick", "the table is large and -k or a budget is given"))
	}
}

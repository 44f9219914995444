package plan

import (
	"fmt"
	"math"
	"slices"

	"fsa/internal/search"
	"fsa/internal/tuning"
)

// budgetSteps is the number of budgets on the curve of error against money.
const budgetSteps = 10

// budgets sets the budgets to compare. Sizes are their positions, from 1; 0 is the null model.
func (p *Plan) budgets(r *Request, f *Facts) {
	p.Open = len(r.Budgets) != 1
	p.Budgets = slices.Clone(r.Budgets)
	switch {
	case len(p.Budgets) == 1:
		most := p.Budgets[0]
		p.Budgets = nil
		for i := range budgetSteps - 1 {
			if b := most * float64(i+1) / budgetSteps; b > f.ForcedPrice && b < most {
				p.Budgets = append(p.Budgets, b)
			}
		}
		p.Budgets = append(p.Budgets, most)
		p.Say("budget", number(most), "given")
	case p.Budgets != nil:
		p.Say("budget", fmt.Sprintf("up to %s", number(slices.Max(p.Budgets))), "several are given: cross-validation chooses the smallest that is not worse")
	default:
		p.Budgets = f.budgetsUpTo()
		p.Say("budget", fmt.Sprintf("up to %s", number(slices.Max(p.Budgets))), "not given: cross-validation chooses the smallest that is not worse")
	}
	slices.Sort(p.Budgets)
	p.Budgets = slices.Compact(p.Budgets)
	p.Size = len(p.Budgets)
	p.Sizes = nil
	if p.Open && f.Forced == 0 {
		p.Sizes = []int{0}
	}
	for i := range p.Budgets {
		p.Sizes = append(p.Sizes, i+1)
		p.terms = append(p.terms, f.bought(p.Budgets[i]))
	}
}

// budgetsUpTo returns budgets that grow by a constant factor, from the lowest price to that of as many of the most
// expensive groups as the rows allow.
func (f *Facts) budgetsUpTo() []float64 {
	most := f.ForcedPrice
	for _, price := range f.Prices[max(len(f.Prices)-f.MostPriced(), 0):] {
		most += price
	}
	least := math.Inf(1)
	for _, price := range f.Prices {
		if price > 0 {
			least = min(least, f.ForcedPrice+price)
		}
	}
	if !(least < most) {
		return []float64{most}
	}
	list := make([]float64, budgetSteps)
	for i := range list {
		list[i] = rounded(least * math.Pow(most/least, float64(i)/(budgetSteps-1)))
	}
	list[0], list[budgetSteps-1] = least, most
	return list
}

// rounded rounds an amount up to two digits.
func rounded(v float64) float64 {
	unit := math.Pow(10, math.Floor(math.Log10(v))-1)
	return math.Ceil(v/unit) * unit
}

// MostPriced returns the largest number of groups that a budget may buy: what the rows and the solver allow.
func (f *Facts) MostPriced() int {
	most := min(f.Effective/tuning.RowsPerVariable, tuning.ExactCoefficients/f.Outputs*f.Groups/max(f.Cols, 1), f.Capacity)
	return max(most, f.Forced, 1)
}

// bought returns about how many groups a budget buys: as many as have the mean price.
func (f *Facts) bought(budget float64) int {
	mean := 0.0
	for _, price := range f.Prices {
		mean += price / float64(len(f.Prices))
	}
	most := min(f.Forced+search.Buys(f.Prices, f.ForcedPrice, budget), f.MostPriced())
	if mean == 0 {
		return most
	}
	return max(min(f.Forced+int((budget-f.ForcedPrice)/mean), most), 1)
}

// Terms returns the number of groups of a size, approximately if they have prices.
func (p *Plan) Terms(size int) int {
	if p.Budgets == nil || size == 0 {
		return size
	}
	return p.terms[size-1]
}

// Budget returns what a selection of a size may cost; 0 without prices.
func (p *Plan) Budget(size int) float64 {
	if p.Budgets == nil || size == 0 {
		return 0
	}
	return p.Budgets[size-1]
}

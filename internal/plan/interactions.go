package plan

import (
	"fmt"
	"math"
	"slices"

	"fsa/internal/search"
	"fsa/internal/tuning"
)

// Terms returns the largest possible number of variables and pairs.
func (r *Request) Terms(groups int) int {
	return groups + min(r.Interactions.Most, groups*(groups-1)/2)
}

// interactions lets every selection look for pairs of variables. The way to select and to fit is then
// annealing and a ridge: other improvements do not know that a pair needs its variables.
func (p *Plan) interactions(r *Request, f *Facts) {
	if r.Interactions.Most == 0 {
		p.pairs(r, f)
		return
	}
	p.Recipe.Direct, p.Recipe.HessianSwaps, p.Recipe.Guard, p.Swaps = false, false, false, false
	p.Recipe.Select.Interactions = r.Interactions
	p.Selections = slices.DeleteFunc(p.Selections, func(s search.Selection) bool {
		return s.Method != search.Annealing || s.Loss != ""
	})
	for i := range p.Selections {
		p.Selections[i].Interactions = r.Interactions
	}
	most := "any number"
	if n := r.Interactions.Most; n < math.MaxInt32 {
		most = fmt.Sprintf("at most %d", n)
	}
	p.Say("interactions", most, fmt.Sprintf("given; heredity is %s, and only significant pairs compete", r.Interactions.Heredity))
}

// pairs lets interactions compete if k is open and there are few variables, whose pairs are quickly tested, and adds sizes above the number of variables.
func (p *Plan) pairs(r *Request, f *Facts) {
	if !r.Pairs || !f.Pairs || !p.Open || !p.Contest || r.Quick || !f.small() || f.Groups < 2 || !f.bounded(f.Groups) {
		return
	}
	p.Interactions = search.Interactions{Most: math.MaxInt32, Heredity: search.Strong}
	p.Say("interactions", "by contest", "variables with significant interactions and variables alone are compared by cross-validation")
	most := min(tuning.MostSizes, f.Groups*(f.Groups+1)/2, f.Effective/tuning.RowsPerVariable)
	if !p.Refine || most <= f.Groups {
		return
	}
	for k := f.Groups + max(1, f.Groups/2); k < most; k += max(1, k/2) {
		p.Sizes = append(p.Sizes, k)
	}
	p.Sizes = append(p.Sizes, most)
}

package plan

import (
	"fmt"
	"math"
	"slices"

	"fsa/internal/search"
)

// Terms returns the largest possible number of variables and pairs.
func (r *Request) Terms(groups int) int {
	return groups + min(r.Interactions.Most, groups*(groups-1)/2)
}

// interactions lets every selection look for pairs of variables. The way to select and to fit is then
// annealing and a ridge: other improvements do not know that a pair needs its variables.
func (p *Plan) interactions(r *Request) {
	if r.Interactions.Most == 0 {
		return
	}
	p.Recipe.Direct, p.Recipe.HessianSwaps, p.Recipe.Guard, p.Swaps = false, false, false, false
	p.Recipe.Select.Interactions = r.Interactions
	p.Selections = slices.DeleteFunc(p.Selections, func(s search.Selection) bool {
		return s.Method != search.Annealing || s.Bins > 0 || s.Loss != ""
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

package plan

import (
	"slices"

	"fsa/internal/tuning"
)

// size sets the sizes to compare.
func (p *Plan) size(r *Request, f *Facts) {
	if !p.Open {
		p.Size, p.Sizes = r.K, []int{r.K}
		return
	}
	if r.FDR > 0 {
		p.Pairs, p.Size = tuning.SizeFolds, f.candidates()
		p.Sizes = []int{p.Size}
		return
	}
	p.Refine = len(r.Sizes) == 0
	if p.Sizes = slices.Clone(r.Sizes); p.Refine {
		p.Sizes = sizesUpTo(max(min(tuning.MostSizes, f.terms(r), f.Effective/tuning.RowsPerVariable), 1))
	}
	for i := range p.Sizes { // at least the forced groups, at most all
		p.Sizes[i] = min(max(p.Sizes[i], f.Forced), f.terms(r))
	}
	slices.Sort(p.Sizes)
	p.Sizes = slices.Compact(p.Sizes)
	p.Size = p.Sizes[len(p.Sizes)-1]
}

// further adds sizes that are tried if the error still falls at the largest one, as for texts by their words: as many as the
// rows can bear and the solver can fit.
func (p *Plan) further(r *Request, f *Facts) {
	if !p.Refine || r.limited() || p.Size < tuning.MostSizes {
		return
	}
	most := min(f.Groups, f.Effective/tuning.RowsPerVariable)
	for most > p.Size && f.coefficients(most) > tuning.ExactCoefficients {
		most = (most + p.Size) / 2
	}
	for k := p.Size + p.Size/2; k < most; k += k / 2 {
		p.Further = append(p.Further, k)
	}
	if most > p.Size {
		p.Further = append(p.Further, most)
	}
}

// sizesUpTo returns the sizes that the contest compares first if k is open: 0, and sizes that grow by
// half up to most. The contest then tries the sizes between the chosen one and its neighbours.
func sizesUpTo(most int) []int {
	list := []int{0}
	for k := 1; k < most; k += max(1, k/2) {
		list = append(list, k)
	}
	return append(list, most)
}

package data

import (
	"context"
	"math"
)

// rareCategory is the least share of the rows that a category is taken to have: the few
// rows of a rarer one would dominate any minibatch they are in.
const rareCategory = 0.01

// textPart returns the part of text variables. Where columns are scaled, a category is
// brought to the spread that a number has, or a knot of its curve: it is learned as
// fast, and the length of the coefficients of a variable is the standard deviation of
// what it adds, in both. A text of two categories then counts as much as a number of two
// values, since one of its categories follows from the other. Rare categories are scaled
// less; weight makes up for what that does to the length.
func (d *Dataset) textPart(ctx context.Context, texts []int, scale Scale, bins int) (p part, weight []float64, err error) {
	places, recode, categories := make([]int, len(texts)), make([][]uint32, len(texts)), make([]int, len(texts))
	for k, j := range texts {
		places[k] = d.place(j)
		if p := d.pools[j]; p != nil {
			recode[k], categories[k] = p.to, len(p.levels)
		}
	}
	m := d.texts.Choose(places, recode, categories)
	share, err := m.Shares(ctx, d.rowWeight)
	if err != nil {
		return part{}, nil, err
	}
	first := columnsOf(m)
	knots := float64(bins + 1) // of a number; a line has one coefficient
	p = part{x: m, offset: make([]float64, len(share))}
	for k := range texts {
		categories := float64(first[k+1] - first[k])
		var all, taken float64 // shares, and what they are taken to be
		for _, s := range share[first[k]:first[k+1]] {
			unit := 1.0
			if scale == ScaleColumn || scale == ScaleRoot {
				if s > 0 {
					all, taken = all+s, taken+max(s, rareCategory)
				}
				unit = math.Sqrt(max(s, rareCategory) * knots * math.Sqrt(categories/(categories-1)))
			}
			p.scale = append(p.scale, 1/unit)
		}
		weight = append(weight, 1)
		if taken > all {
			weight[k] = math.Sqrt(all / taken)
		}
	}
	return p, weight, nil
}

package data

import (
	"context"
	"math"
)

// rareCategory is the smallest share of rows that a category is assumed to have when it is scaled.
// Otherwise the few rows of a rarer category would dominate any minibatch that contains them.
const rareCategory = 0.01

// textPart returns the part of the design with the text variables. If columns are scaled, a
// category is scaled to the standard deviation of a number, or of a knot of its curve. So it is
// learned equally fast, and the norm of the coefficients of a variable is the standard deviation of
// its contribution in both cases. A text with two categories then counts like a number with two
// values, because one of its categories determines the other. Rare categories are scaled less;
// weight corrects the norm for that.
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
	knots := float64(bins + 1) // knots of a curve; a line has one coefficient
	p = part{x: m, offset: make([]float64, len(share))}
	for k := range texts {
		categories := float64(first[k+1] - first[k])
		var all, taken float64 // sum of the shares, and sum of the assumed shares
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

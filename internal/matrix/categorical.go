package matrix

import "context"

// Categorical is a Matrix of categorical variables: each has a column for each of its categories, and a row has a 1 in one of them.
type Categorical interface {
	Matrix
	// Choose returns some variables, in the order of storage. If recode has a list for a variable, its categories are
	// renumbered by that list; see [OneHot.Recode].
	Choose(vars []int, recode [][]uint32, categories []int) Categorical
	// Shares returns for each column the share of the weight of all rows that have its category.
	Shares(ctx context.Context, weight func(row int) float64) ([]float64, error)
	// Counts returns, for each variable, the number of rows with the category listed for it.
	Counts(ctx context.Context, category []int) ([]uint32, error)
}

var _ Categorical = (*OneHot)(nil)

// Choose implements [Categorical].
func (o *OneHot) Choose(vars []int, recode [][]uint32, categories []int) Categorical {
	to := o.Pick(nil, vars)
	for k, list := range recode {
		if list != nil {
			to = to.Recode(k, list, categories[k])
		}
	}
	return to
}

// Shares implements [Categorical].
func (o *OneHot) Shares(ctx context.Context, weight func(row int) float64) ([]float64, error) {
	share := make([]float64, o.offset[len(o.categories)])
	var total float64
	for i := range o.rows {
		w := weight(i)
		total += w
		for j := range o.categories {
			share[o.offset[j]+int(o.codes[i*len(o.categories)+j])] += w
		}
	}
	for c := range share {
		share[c] /= total
	}
	return share, ctx.Err()
}

// Counts implements [Categorical].
func (o *OneHot) Counts(ctx context.Context, category []int) ([]uint32, error) {
	counts := make([]uint32, len(o.categories))
	for i := range o.rows {
		for j, code := range o.Row(i) {
			if int(code) == category[j] {
				counts[j]++
			}
		}
	}
	return counts, ctx.Err()
}

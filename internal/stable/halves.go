package stable

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"fsa/data"
	"fsa/model"
	"fsa/validate"
)

const (
	confidence = 0.95 // confidence of intervals
	falseOnes  = 1    // expected number of false variables, at most, among those above the cutoff
)

// Half is the selection on a half sample.
type Half struct {
	Selected []int        // columns of the dataset
	Refit    *model.Model // of the variables of the model; nil if they cannot be fitted
	Chosen   []int        // the selected ones that stand out from chance, for confidence intervals
}

// Summary summarises the selections of half samples. Groups is the number of variables, or groups
// of them, to select from.
func Summary(ctx context.Context, d *data.Dataset, halves []Half, m *model.Model, groups int) (*model.Stability, error) {
	var selections [][]int
	for _, h := range halves {
		selections = append(selections, h.Selected)
	}
	shares := validate.Frequencies(selections, len(d.Columns))
	out := &model.Stability{Halves: len(halves), Shares: map[string]float64{}}
	q := 0.0
	for column, share := range shares {
		q += share
		if share > 0 {
			out.Shares[d.ColumnName(column)] = share
		}
	}
	if a := validate.Agreement(selections, len(d.Columns), confidence); a.Index == a.Index {
		out.Index, out.Low, out.High = &a.Index, &a.Low, &a.High
	}
	out.Cutoff, out.Bound = cutoff(q, groups, len(halves)/2)
	var chosen []int
	for _, v := range m.Selected() {
		chosen = append(chosen, d.Lookup(v.Name))
	}
	for i, v := range m.Selected() {
		sv := model.StableVariable{Name: v.Name, Share: shares[chosen[i]]}
		sv.Low, sv.High = interval(m, i, halves)
		var err error
		if sv.Rivals, err = Rivals(ctx, d, selections, chosen[i], chosen); err != nil {
			return nil, err
		}
		out.Variables = append(out.Variables, sv)
	}
	return out, nil
}

// cutoff returns the smallest share of half samples at which few enough false variables are
// expected, and their expected number; nil if there is none.
func cutoff(q float64, variables, pairs int) (share, bound *float64) {
	bounded := func(halves int) float64 {
		return validate.BoundConcave(min(q, float64(variables)), variables, float64(halves)/float64(2*pairs), pairs)
	}
	low, high := pairs, 2*pairs // half samples: the bound falls as they grow
	if b := bounded(high); !(b <= falseOnes) {
		return nil, nil
	}
	for low < high {
		if mid := (low + high) / 2; bounded(mid) <= falseOnes {
			high = mid
		} else {
			low = mid + 1
		}
	}
	at, b := float64(high)/float64(2*pairs), bounded(high)
	return &at, &b
}

// interval returns an interval for each coefficient of variable i: the slope of a line, the values
// of a curve at its knots, and those of categories, of each output. Half samples are drawn without
// replacement, so their coefficients vary around those of all rows as the latter vary around the
// truth: their variance is σ²(2/N − 1/N).
func interval(m *model.Model, i int, halves []Half) (low, high []float64) {
	own := m.Additive().Terms[i]
	var refits [][]float64
	for _, h := range halves {
		if h.Refit == nil {
			continue
		}
		if values := likeness(&own, h.Refit); values != nil {
			refits = append(refits, values)
		}
	}
	if len(refits) < 2 {
		return nil, nil
	}
	n := float64(len(refits))
	// The halves of a pair are similar, so there are as many degrees of freedom as pairs.
	quantile := distuv.StudentsT{Sigma: 1, Nu: max(n/2, 1)}.Quantile((1 + confidence) / 2)
	for c, estimate := range slices.Concat(own.Coefficients...) {
		var sum, squares float64
		for _, values := range refits {
			sum += values[c]
			squares += values[c] * values[c]
		}
		reach := quantile * math.Sqrt(max(squares-sum*sum/n, 0)/(n-1))
		low, high = append(low, estimate-reach), append(high, estimate+reach)
	}
	return low, high
}

// likeness returns what a refitted model has in place of the coefficients of a term: its slope, or
// its values at the knots and categories of the term; nil if it does not have the variable.
func likeness(t *model.Term, refit *model.Model) (values []float64) {
	a := refit.Additive()
	at := slices.IndexFunc(a.Terms, func(o model.Term) bool { return o.Name == t.Name && o.Kind == t.Kind })
	if at < 0 {
		return nil
	}
	o := &a.Terms[at]
	if len(o.Coefficients) != len(t.Coefficients) {
		return nil
	}
	for c, own := range t.Coefficients {
		switch {
		case t.Categories != nil:
			for _, text := range t.Categories {
				v := 0.0 // of a category that the half sample does not have
				if k := slices.Index(o.Categories, text); k >= 0 {
					v = o.Coefficients[c][k]
				}
				values = append(values, v)
			}
		case t.Knots != nil:
			values = append(values, refit.Response(at, c, t.Knots[:len(own)])...)
		default:
			values = append(values, o.Coefficients[c]...)
		}
	}
	return values
}

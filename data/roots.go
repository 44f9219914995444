package data

import (
	"context"
	"slices"

	"fsa/internal/matrix"
)

// RootBins is the number of bins of the curve that stands for the square root of a number.
const RootBins = 20

// Roots reports whether the square roots of the numbers are possible, and differ from the numbers: the table is sparse and in
// memory, no number is negative or missing, and some variable has more than two values.
func (d *Dataset) Roots() bool {
	if _, ok := d.numbers.(*matrix.Sparse); !ok {
		return false
	}
	differ := false
	for j := range d.Columns {
		c := &d.Columns[j]
		if !c.Text && (c.Min < 0 || c.Missing > 0) {
			return false
		}
		differ = differ || !c.Text && d.Varies(j) && !c.TwoValued()
	}
	return differ
}

// RootCurve returns the knots and values of a curve that is linear between knots and close to √(x·most) from 0 to most, the
// largest number. The knots are close to each other near 0, where the root bends: counts are often small beside the largest.
func RootCurve(most float64) (at Knots, values []float64) {
	for i := range RootBins + 1 {
		t := float64(i) / RootBins
		at, values = append(at, most*(t*t*t*t)), append(values, most*(t*t))
	}
	return at, values
}

// rooted returns the dataset with the square roots of its numbers, as curves, and their statistics.
func (d *Dataset) rooted(ctx context.Context) (*Dataset, error) {
	to := *d
	to.Columns = slices.Clone(d.Columns)
	type root struct {
		*Column
		at     Knots
		values []float64
	}
	roots := make([]root, len(d.Columns))
	for j := range d.Columns {
		if c := &d.Columns[j]; !c.Text && c.Max > 0 {
			roots[d.place(j)] = root{Column: c}
			roots[d.place(j)].at, roots[d.place(j)].values = RootCurve(c.Max)
		}
	}
	to.numbers = d.numbers.(*matrix.Sparse).Apply(func(column uint32, v float32) float32 {
		r := &roots[column]
		if r.Column == nil {
			return v
		}
		bin, alpha := r.at.Locate(r.value(float64(v)))
		return r.store((1-alpha)*r.values[bin] + alpha*r.values[bin+1])
	})
	return &to, to.measure(ctx)
}

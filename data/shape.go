package data

import (
	"context"
	"slices"
)

// Shape is a set of functions of a number. Each is linear between knots and constant beyond them.
type Shape struct {
	Knots Knots
	// Values has the values of each function at the knots.
	Values [][]float64
	// Shrink multiplies the columns of each function, so that a ridge shrinks rough functions more than
	// smooth ones.
	Shrink []float64
}

// count returns the number of functions. Without a shape there is one, the standardised number.
func (s *Shape) count() int {
	if s == nil {
		return 1
	}
	return len(s.Values)
}

// shrink returns the factor on the columns of a function.
func (s *Shape) shrink(function int) float64 {
	if s == nil {
		return 1
	}
	return s.Shrink[function]
}

// At returns the value of a function at a knot. Without a shape it is 1, for the indicator of a category.
func (s *Shape) At(function, knot int) float64 {
	if s == nil {
		return 1
	}
	return s.Values[function][knot]
}

// shapeColumns returns the functions of numeric variable j. A missing value is 0.
func (d *Dataset) shapeColumns(ctx context.Context, j int, of *Shape) ([][]float64, error) {
	x, err := d.Numbers(ctx, j)
	if err != nil {
		return nil, err
	}
	columns := make([][]float64, of.count())
	for f := range columns {
		columns[f] = make([]float64, len(x))
	}
	for i, v := range x {
		if v != v {
			continue
		}
		bin, alpha := of.Knots.Locate(v)
		for f, values := range of.Values {
			columns[f][i] = (1-alpha)*values[bin] + alpha*values[bin+1]
		}
	}
	return columns, nil
}

// Functions returns the functions of numeric variable j that are 1 at one of a number of knots and 0 at the others. A
// missing value is 0.
func (d *Dataset) Functions(ctx context.Context, j, knots int) ([][]float64, error) {
	x, err := d.Numbers(ctx, j)
	if err != nil {
		return nil, err
	}
	of := &Shape{Knots: d.KnotsAmong(x, knots)}
	for k := range of.Knots {
		of.Values = append(of.Values, make([]float64, len(of.Knots)))
		of.Values[k][k] = 1
	}
	if of.Knots == nil {
		return nil, nil
	}
	return d.shapeColumns(ctx, j, of)
}

// KnotsAmong returns the given number of knots for the numbers of a column, or as many as it has different
// numbers; nil if it has only one. Only numbers of some rows with a weight count.
func (d *Dataset) KnotsAmong(x []float64, count int) Knots {
	values := make([]float64, 0, knotRows)
	for i := 0; i < d.rows; i += max(d.rows/knotRows, 1) {
		if v := x[i]; v == v && d.rowWeight(i) > 0 {
			values = append(values, v)
		}
	}
	slices.Sort(values)
	if values = slices.Compact(values); len(values) <= count && len(values) > 1 {
		return Knots(values)
	}
	return knotsBetween(values, count-1)
}

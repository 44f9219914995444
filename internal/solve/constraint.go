package solve

import "slices"

// Constraint says that Σ Weights_i·β over the coefficients of some columns is at least Least. It applies to a solution on
// all of these columns. Constraints need a loss with one output and no device.
type Constraint struct {
	Columns []int
	Weights []float64
	Least   float64
}

// onto returns the constraints that apply to the given columns, in terms of their positions.
func onto(list []Constraint, cols []int) []Constraint {
	if len(list) == 0 {
		return nil
	}
	place := make(map[int]int, len(cols))
	for i, col := range cols {
		place[col] = i
	}
	var some []Constraint
	for _, c := range list {
		places := make([]int, 0, len(c.Columns))
		for _, col := range c.Columns {
			if at, found := place[col]; found {
				places = append(places, at)
			}
		}
		if len(places) == len(c.Columns) {
			some = append(some, Constraint{places, c.Weights, c.Least})
		}
	}
	return some
}

// value returns Σ Weights·x.
func (c *Constraint) value(x []float64) (sum float64) {
	for i, at := range c.Columns {
		sum += c.Weights[i] * x[at]
	}
	return sum
}

// Project replaces x by the nearest point that satisfies the constraints on its elements.
func Project(x []float64, constraints []Constraint) {
	if slices.ContainsFunc(constraints, func(c Constraint) bool { return c.value(x) < c.Least }) {
		copy(x, newProgram(identity{}, constraints).nearest(x))
	}
}

package search

import (
	"cmp"
	"math"
	"slices"

	"fsa/anneal"
	"fsa/data"
	"fsa/internal/objective"
	"fsa/internal/solve"
)

// Limit is the set of effects that a variable may have. A line has a coefficient between Lower and Upper, in the units of
// the table. Slope and Bend are for lines and curves: +1 for an increasing or convex effect, −1 for a decreasing or
// concave one, and 0 for any. Slope is also for texts whose categories have an order.
type Limit struct {
	Lower, Upper float64
	Slope, Bend  int
}

// Free is the limit that allows any effect.
var Free = Limit{Lower: math.Inf(-1), Upper: math.Inf(1)}

// And returns the effects that two limits allow. It returns false if only the zero effect, or none, is left.
func (l Limit) And(other Limit) (Limit, bool) {
	ok := l.Slope*other.Slope >= 0 && l.Bend*other.Bend >= 0
	l.Lower, l.Upper = max(l.Lower, other.Lower), min(l.Upper, other.Upper)
	l.Slope, l.Bend = cmp.Or(other.Slope, l.Slope), cmp.Or(other.Bend, l.Bend)
	lower, upper := l.Lower, l.Upper
	if l.Slope > 0 {
		lower = max(lower, 0)
	} else if l.Slope < 0 {
		upper = min(upper, 0)
	}
	return l, ok && lower <= upper
}

// Limits holds the limits of the effects of variables.
type Limits struct {
	// Of holds limits by column of the dataset, and Others that of all other numbers.
	Of     map[int]Limit
	Others Limit
	// Orders lists the categories of texts with limits from the lowest to the highest, by column of the dataset.
	Orders map[int][]int
	// Unit is the unit of the response during learning.
	Unit float64
}

// given returns the limit of a column of the dataset.
func (l *Limits) given(column int) Limit {
	if of, own := l.Of[column]; own {
		return of
	}
	return l.Others
}

// limit returns the limit of a variable of the design, in the units of its coefficients. It returns false if the variable
// may have any effect.
func (s *Sample) limit(v int) (Limit, bool) {
	if s.Limits == nil {
		return Free, false
	}
	column := s.Design.Variables[v]
	if v >= s.Design.Numbers {
		l, own := s.Limits.Of[column]
		return l, own
	}
	l := s.Limits.given(column)
	if s.Design.Bins > 0 {
		return l, l.Slope != 0 || l.Bend != 0
	}
	unit, _ := s.Design.Units(v)
	unit /= s.Limits.Unit
	if l.Lower, l.Upper = unit*l.Lower, unit*l.Upper; l.Slope > 0 {
		l.Lower = max(l.Lower, 0)
	} else if l.Slope < 0 {
		l.Upper = min(l.Upper, 0)
	}
	return l, l.Lower > math.Inf(-1) || l.Upper < math.Inf(1)
}

// line returns the constraints of a coefficient.
func (l Limit) line(column int) (list []solve.Constraint) {
	if l.Lower > math.Inf(-1) {
		list = append(list, solve.Constraint{Columns: []int{column}, Weights: []float64{1}, Least: l.Lower})
	}
	if l.Upper < math.Inf(1) {
		list = append(list, solve.Constraint{Columns: []int{column}, Weights: []float64{-1}, Least: -l.Upper})
	}
	return list
}

// curve returns the constraints of the values at the knots of a curve. The columns of the constraints are knots.
func (l Limit) curve(knots data.Knots) (list []solve.Constraint) {
	n := len(knots)
	for i := 0; i < n-1 && l.Slope != 0; i++ {
		up := float64(l.Slope)
		list = append(list, solve.Constraint{Columns: []int{i, i + 1}, Weights: []float64{-up, up}})
	}
	for i := 1; i < n-1 && l.Bend != 0; i++ {
		share := chordShare(data.Place(knots[i-1], knots[0], knots[n-1]), data.Place(knots[i], knots[0], knots[n-1]), data.Place(knots[i+1], knots[0], knots[n-1]))
		up := float64(l.Bend)
		list = append(list, solve.Constraint{Columns: []int{i - 1, i, i + 1}, Weights: []float64{up * (1 - share), -up, up * share}})
	}
	return list
}

// orderedCategories returns the constraints of the coefficients of a text.
func (s *Sample) orderedCategories(v int) (list []solve.Constraint) {
	order, units := s.ascending(v)
	for i := 1; i < len(order); i++ {
		below, above := order[i-1], order[i]
		list = append(list, solve.Constraint{Columns: []int{below, above}, Weights: []float64{-units[below], units[above]}})
	}
	return list
}

// ascending returns the categories of a text in the order in which their effects may not fall, and what their coefficients are
// multiplied by in the units of the table.
func (s *Sample) ascending(v int) (order []int, units []float64) {
	column := s.Design.Variables[v]
	order = s.Limits.Orders[column]
	if s.Limits.Of[column].Slope < 0 {
		order = slices.Clone(order)
		slices.Reverse(order)
	}
	first, widths := 0, s.Design.X.Widths()
	for _, width := range widths[:v] {
		first += width
	}
	return order, s.Design.Scale[first : first+widths[v]]
}

// constraintsOf returns the constraints of the coefficients of a variable, which begin at column 0.
func (s *Sample) constraintsOf(v int) []solve.Constraint {
	l, limited := s.limit(v)
	switch {
	case !limited:
		return nil
	case v >= s.Design.Numbers:
		return s.orderedCategories(v)
	case s.Design.Bins > 0:
		return l.curve(s.Design.KnotsOf(v))
	}
	return l.line(0)
}

// projection returns the function that a descent calls after each step, given the variables of each group; nil without
// limits.
func (s *Sample) projection(of objective.Groups) anneal.Projection {
	if s.Limits == nil {
		return nil
	}
	known := map[int][]solve.Constraint{} // of each variable with a curve or categories
	widths := s.Design.X.Widths()
	return func(group int, beta []float64) {
		for _, v := range of.Of(group) {
			width := 1
			if widths != nil {
				width = widths[v]
			}
			if l, limited := s.limit(v); limited && s.Design.Bins == 0 && v < s.Design.Numbers {
				beta[0] = min(max(beta[0], l.Lower), l.Upper)
			} else if limited {
				list, found := known[v]
				if !found {
					list = s.constraintsOf(v)
					known[v] = list
				}
				solve.Project(beta[:width], list)
			}
			beta = beta[width:]
		}
	}
}

// constraints returns the constraints of the columns of a problem, in which curves are in the given bases.
func (s *Sample) constraints(groups []int, ob *objective.Objective, bases []curveBasis) (list []solve.Constraint) {
	if s.Limits == nil {
		return nil
	}
	at := 0
	for _, g := range groups {
		for _, v := range s.Groups.Of(g) {
			own := s.constraintsOf(v)
			for _, c := range own {
				for i := range c.Columns {
					c.Columns[i] += at
				}
			}
			if len(bases) > 0 && bases[0].first == at {
				for i := range own {
					own[i] = bases[0].constraint(own[i])
				}
				bases = bases[1:]
			}
			list = append(list, own...)
			lo, hi := ob.First(v)
			at += hi - lo
		}
	}
	return list
}

// constraint converts a constraint of the values at the knots to one of the coefficients of the basis.
func (b *curveBasis) constraint(c solve.Constraint) solve.Constraint {
	n, _ := b.values.Dims()
	to := solve.Constraint{Weights: make([]float64, n), Least: c.Least}
	for j := range n {
		to.Columns = append(to.Columns, b.first+j)
		for i, at := range c.Columns {
			to.Weights[j] += c.Weights[i] * b.values.At(at-b.first, j)
		}
	}
	return to
}

// feasibleDirections returns a function that turns the gradient of a group at zero into the part along which its limits let it move.
func (s *Sample) feasibleDirections() func(group int, grad []float64) []float64 {
	if s.Limits == nil {
		return func(_ int, grad []float64) []float64 { return grad }
	}
	to, outward := *s, Limits{Of: map[int]Limit{}, Others: s.Limits.Others.cone(), Orders: s.Limits.Orders, Unit: s.Limits.Unit}
	for j, l := range s.Limits.Of {
		outward.Of[j] = l.cone()
	}
	to.Limits = &outward
	project := to.projection(s.Groups)
	return func(group int, grad []float64) []float64 {
		for i := range grad {
			grad[i] = -grad[i]
		}
		project(group, grad)
		return grad
	}
}

// cone returns the limit of the directions in which a coefficient of zero may move.
func (l Limit) cone() Limit {
	if l.Lower < 0 {
		l.Lower = math.Inf(-1)
	}
	if l.Upper > 0 {
		l.Upper = math.Inf(1)
	}
	l.Lower, l.Upper = min(l.Lower, 0), max(l.Upper, 0)
	return l
}

// roundToLimit removes rounding errors: the coefficients of a variable satisfy its limit to the last bit after they are
// converted to the units of the table. The curvature of a curve is satisfied but for rounding.
func (s *Sample) roundToLimit(v int, values []float64) {
	l, limited := s.limit(v)
	if !limited {
		return
	}
	if v >= s.Design.Numbers {
		order, units := s.ascending(v)
		for i := 1; i < len(order); i++ {
			below, above := order[i-1], order[i]
			least := values[below] * units[below]
			values[above] = max(values[above], least/units[above])
			for values[above]*units[above] < least {
				values[above] = math.Nextafter(values[above], math.Inf(1))
			}
		}
		return
	}
	if s.Design.Bins > 0 {
		for i := 1; i < len(s.Design.KnotsOf(v)); i++ {
			if l.Slope > 0 {
				values[i] = max(values[i], values[i-1])
			} else if l.Slope < 0 {
				values[i] = min(values[i], values[i-1])
			}
		}
		return
	}
	given := s.Limits.given(s.Design.Variables[v])
	unit, _ := s.Design.Units(v)
	values[0] = min(max(values[0], l.Lower), l.Upper)
	for values[0]/unit*s.Limits.Unit < given.Lower {
		values[0] = math.Nextafter(values[0], math.Inf(1))
	}
	for values[0]/unit*s.Limits.Unit > given.Upper {
		values[0] = math.Nextafter(values[0], math.Inf(-1))
	}
}

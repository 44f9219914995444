package model

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"fsa/data"
)

// Interaction is a selected pair of variables.
type Interaction struct {
	// Variables are the two variables. The first is a number.
	Variables [2]Side `json:"variables"`
	// Norm is the importance: the standard deviation of what the pair adds to the decision value.
	Norm float64 `json:"importance"`
	// Coefficients of each output: one for the product of two standardised numbers, or one for each
	// category, which multiplies the standardised number. If the first variable has knots, they are what the
	// pair adds at each of them, for each knot or category of the second variable: those of the first knot
	// come first. It is linear between knots and constant beyond them.
	Coefficients [][]float64 `json:"coefficients"`
	// Least and Largest are the ends between which the product, or the standardised number of each
	// category, changes the term: it is constant beyond. They are nil if there are none.
	Least   []float64 `json:"least,omitempty"`
	Largest []float64 `json:"largest,omitempty"`
}

// Side is a variable of an [Interaction].
type Side struct {
	Index int    `json:"index"`
	Name  string `json:"name"`
	// Mean and SD standardise a number. Low and High are its range in training.
	Mean float64 `json:"mean"`
	SD   float64 `json:"sd"`
	Low  float64 `json:"low"`
	High float64 `json:"high"`
	// Knots are those of a number in a pair that is a surface, or a curve for each category, ascending.
	Knots []float64 `json:"knots,omitempty"`
	// Categories are the texts of a category; nil for a number.
	Categories []string `json:"categories,omitempty"`
	// Rare says that the last category is for rare texts and all others.
	Rare bool `json:"rare,omitempty"`
}

// Name returns the names of both variables with a multiplication sign between them.
func (t *Interaction) Name() string { return t.Variables[0].Name + " × " + t.Variables[1].Name }

// Interactions returns the selected pairs of variables, the most important first.
func (m *Model) Interactions() []Interaction {
	var list []Interaction
	for i := range m.spec.Interactions {
		p := &m.spec.Interactions[i]
		t := Interaction{Norm: p.Norm}
		for k, v := range p.Sides {
			t.Variables[k] = Side{v.Index, v.Name, v.Mean, v.SD, v.Low, v.High, slices.Clone(v.Knots), slices.Clone(v.Levels), v.Rare}
		}
		for l := range p.Low {
			low, high := p.reach(l)
			t.Least, t.Largest = append(t.Least, low), append(t.Largest, high)
		}
		for own := range slices.Chunk(p.Coefficients, p.columns()) {
			t.Coefficients = append(t.Coefficients, slices.Clone(own))
		}
		list = append(list, t)
	}
	return list
}

// InteractionAt returns what the i-th interaction adds to decision value c at the numbers a and b. If
// the second variable is a text, b is the index of its category, and NaN for any other text.
func (m *Model) InteractionAt(i, c int, a, b float64) float64 {
	return m.spec.Interactions[i].part(a, b, c)
}

// columns returns the number of coefficients of an output.
func (p *interaction) columns() int {
	return max(1, len(p.Sides[0].Knots)) * max(1, len(p.Sides[1].Knots), len(p.Sides[1].Levels))
}

// part returns the contribution to decision value c of the numbers a and b or, if the second side is
// a text, of a number and the index of a category.
func (p *interaction) part(a, b float64, c int) float64 {
	if p.Sides[0].Knots != nil {
		return p.surface(a, b, p.Coefficients[c*p.columns():])
	}
	at, x := 0, p.Sides[0].standard(a)
	switch {
	case p.Sides[1].Levels == nil:
		x *= p.Sides[1].standard(b)
	case b != b:
		return 0
	default:
		at = int(b)
	}
	if p.Low != nil {
		low, high := p.reach(at)
		x = min(max(x, low), high)
	}
	return p.Coefficients[c*p.columns()+at] * x
}

// surface returns the value at a and b of a surface with the given values at its knots.
func (p *interaction) surface(a, b float64, values []float64) float64 {
	if a != a || b != b {
		return 0
	}
	bin, x := data.Knots(p.Sides[0].Knots).Locate(a)
	if n := len(p.Sides[1].Levels); n > 0 {
		at := bin*n + int(b)
		return (1-x)*values[at] + x*values[at+n]
	}
	n := len(p.Sides[1].Knots)
	at, y := data.Knots(p.Sides[1].Knots).Locate(b)
	at += bin * n
	return (1-x)*((1-y)*values[at]+y*values[at+1]) + x*((1-y)*values[at+n]+y*values[at+n+1])
}

// reach returns the range of a product in which its term is not constant.
func (p *interaction) reach(column int) (low, high float64) {
	margin := Margin * (p.High[column] - p.Low[column])
	return max(p.Low[column]-margin, -math.MaxFloat64), min(p.High[column]+margin, math.MaxFloat64)
}

// standard returns a number in standard deviations from its mean.
func (v *side) standard(x float64) float64 {
	if x != x {
		return 0
	}
	return min(max((x/2-v.Mean/2)/v.SD*2, -math.MaxFloat64), math.MaxFloat64)
}

// addProduct adds a column of an interaction of the design with its coefficients, one per output.
func (s *spec) addProduct(d *data.Dataset, g *data.Design, of *data.Product, first int, coef []float64) {
	var own [2]side
	for k, j := range of.Interaction {
		c := &d.Columns[j]
		own[k] = side{Index: c.Index, Name: d.ColumnName(j)}
		if c.Text {
			levels, rare := d.Levels(j)
			own[k].Levels, own[k].Rare = slices.Clone(levels), rare >= 0
			continue
		}
		own[k].Mean, own[k].SD, own[k].Low, own[k].High = c.Mean, c.SD, c.Min, c.Max
		if shape := of.Shapes[k]; shape != nil {
			own[k].Knots = slices.Clone(shape.Knots)
		}
	}
	at := slices.IndexFunc(s.Interactions, func(p interaction) bool {
		return p.Sides[0].Index == own[0].Index && p.Sides[1].Index == own[1].Index
	})
	if at < 0 {
		at = len(s.Interactions)
		p := interaction{Sides: own}
		n := p.columns()
		p.Coefficients = make([]float64, n*s.Outputs)
		if own[0].Knots == nil {
			p.Low, p.High = make([]float64, n), make([]float64, n)
		}
		s.Interactions = append(s.Interactions, p)
	}
	p := &s.Interactions[at]
	column := max(of.Level, 0)
	for c, b := range coef {
		s.Intercept[c] += b * g.Offset[first]
		if own := p.Coefficients[c*p.columns():][:p.columns()]; p.Low != nil {
			p.Norm = math.Hypot(p.Norm, b)
			own[column] = b * g.Scale[first]
		} else {
			p.Norm = math.Hypot(p.Norm, b*g.Scale[first]*of.SD) // rough functions have a smaller standard deviation
			p.addSurface(own, of, b*g.Scale[first])
		}
	}
	if p.Low != nil {
		p.Low[column], p.High[column] = of.Low, of.High
	}
}

// addSurface adds a multiple of a column of a surface to its values at the knots.
func (p *interaction) addSurface(values []float64, of *data.Product, b float64) {
	n := max(len(p.Sides[1].Knots), len(p.Sides[1].Levels))
	for at := range values {
		if k := at % n; of.Level < 0 || k == of.Level {
			values[at] += b * of.Shapes[0].At(of.Functions[0], at/n) * of.Shapes[1].At(of.Functions[1], k)
		}
	}
}

// check returns an error if the interaction cannot come from a fit.
func (p *interaction) check(s *spec) error {
	n := p.columns()
	if p.Sides[0].Index == p.Sides[1].Index || p.Sides[0].Levels != nil {
		return errors.New("it must have two different variables, and the first must be a number")
	}
	for _, v := range p.Sides {
		if v.Index < 0 || v.Index > math.MaxInt32 || !finite(v.Mean, v.SD, v.Low, v.High) || v.Levels == nil && !(v.SD > 0) {
			return fmt.Errorf("the numbers of %q are invalid", v.Name)
		}
	}
	if err := p.checkKnots(); err != nil {
		return err
	}
	if levels := p.Sides[1].Levels; len(slices.Compact(slices.Sorted(slices.Values(levels)))) != len(levels) {
		return errors.New("a category occurs twice")
	}
	if len(p.Coefficients) != n*s.Outputs || !finite(p.Coefficients...) || !finite(p.Norm) || p.Norm < 0 {
		return errors.New("its coefficients are invalid")
	}
	if p.Low != nil && (len(p.Low) != n || len(p.High) != n || !finite(p.Low...) || !finite(p.High...)) {
		return errors.New("its range is invalid")
	}
	for l := range p.Low {
		if p.Low[l] > p.High[l] {
			return errors.New("its range is invalid")
		}
	}
	return nil
}

// checkKnots returns an error if the knots cannot be those of a surface.
func (p *interaction) checkKnots() error {
	for k, v := range p.Sides {
		surface := p.Sides[0].Knots != nil && v.Levels == nil
		if surface != (v.Knots != nil) || surface && p.Low != nil {
			return errors.New("a surface needs knots of both numbers and no range")
		}
		if surface && (len(v.Knots) < 2 || !finite(v.Knots...) || !ascend(v.Knots)) {
			return fmt.Errorf("the knots of %q are invalid", p.Sides[k].Name)
		}
	}
	return nil
}

// checkInteractions returns an error if the interactions cannot come from a fit.
func (s *spec) checkInteractions() error {
	seen := map[[2]int]bool{}
	for i := range s.Interactions {
		p := &s.Interactions[i]
		name := fmt.Sprintf("interaction %q × %q", p.Sides[0].Name, p.Sides[1].Name)
		at := [2]int{p.Sides[0].Index, p.Sides[1].Index}
		switch {
		case seen[at]:
			return fmt.Errorf("%s occurs twice", name)
		case i > 0 && p.Norm > s.Interactions[i-1].Norm:
			return fmt.Errorf("%s is out of order", name)
		}
		seen[at] = true
		if err := p.check(s); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

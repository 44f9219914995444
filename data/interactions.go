package data

import (
	"context"
	"math"
	"slices"

	"fsa/internal/matrix"
)

// Interaction names the two variables of an interaction by their positions in [Dataset.Columns]. The first
// is a number; the second is a number that comes after it, or a text.
type Interaction [2]int

// PairTerm is an interaction and its form. Without shapes it is the product of two standardised numbers, or
// a slope for each category.
type PairTerm struct {
	Interaction
	// Shapes are the functions of each number whose products make a surface, or a curve for each category.
	// They are nil for a product, and for a text.
	Shapes [2]*Shape
}

// Product is a column of an interaction: the product of two standardised numbers or functions of numbers,
// or of one and the indicator of a category.
type Product struct {
	PairTerm
	Level int // category of the second variable; −1 if it is a number
	// Functions are the functions of the shapes of both numbers.
	Functions [2]int
	// Mean and SD describe the product; Low and High are its range. Rows of weight 0 are ignored.
	Mean, SD, Low, High float64
}

// Standardised returns numeric variable j minus its mean, divided by its standard deviation. A
// missing value is 0.
func (d *Dataset) Standardised(ctx context.Context, j int) ([]float64, error) {
	x, err := d.Numbers(ctx, j)
	if err != nil {
		return nil, err
	}
	c := &d.Columns[j]
	for i, v := range x {
		if x[i] = (v/2 - c.Mean/2) / c.SD * 2; v != v {
			x[i] = 0
		}
	}
	return x, nil
}

// Pairable reports whether variable j can be in an interaction: it is a whole column that varies.
func (d *Dataset) Pairable(j int) bool { return d.Columns[j].part == 0 && d.Varies(j) }

// CategoryOf returns the category of text variable j in each row, as an index in [Dataset.Levels].
// It is −1 if the text is missing.
func (d *Dataset) CategoryOf(ctx context.Context, j int) ([]int, error) {
	x, err := d.Numbers(ctx, j)
	if err != nil {
		return nil, err
	}
	out := make([]int, len(x))
	for i, v := range x {
		switch p := d.pools[j]; {
		case v != v:
			out[i] = -1
		case p != nil:
			out[i] = int(p.to[int(v)])
		default:
			out[i] = int(v)
		}
	}
	return out, nil
}

// InteractionColumns returns the columns of an interaction, before they are standardised: the products of
// all functions of the first variable with all functions or categories of the second one.
func (d *Dataset) InteractionColumns(ctx context.Context, p PairTerm) ([][]float64, error) {
	left, err := d.sideColumns(ctx, p, 0)
	if err != nil {
		return nil, err
	}
	right, err := d.sideColumns(ctx, p, 1)
	if err != nil {
		return nil, err
	}
	columns := make([][]float64, 0, len(left)*len(right))
	for _, a := range left {
		for _, b := range right {
			x := make([]float64, len(a))
			for i, v := range a {
				if b[i] != 0 { // a category that a row does not have adds nothing, however large the number
					x[i] = v * b[i]
				}
			}
			columns = append(columns, x)
		}
	}
	return columns, nil
}

// sideColumns returns the functions or the categories of a variable of a pair.
func (d *Dataset) sideColumns(ctx context.Context, p PairTerm, side int) ([][]float64, error) {
	j := p.Interaction[side]
	if d.Columns[j].Text {
		return d.indicators(ctx, j)
	}
	if of := p.Shapes[side]; of != nil {
		return d.shapeColumns(ctx, j, of)
	}
	x, err := d.Standardised(ctx, j)
	return [][]float64{x}, err
}

// indicators returns a column for each category of text variable j.
func (d *Dataset) indicators(ctx context.Context, j int) ([][]float64, error) {
	code, err := d.CategoryOf(ctx, j)
	if err != nil {
		return nil, err
	}
	levels, _ := d.Levels(j)
	columns := make([][]float64, len(levels))
	for l := range columns {
		columns[l] = make([]float64, d.rows)
	}
	for i, l := range code {
		if l >= 0 {
			columns[l][i] = 1
		}
	}
	return columns, nil
}

// largest returns the category of text variable j with the largest weight of rows.
func (d *Dataset) largest(ctx context.Context, j int) (int, error) {
	code, err := d.CategoryOf(ctx, j)
	levels, _ := d.Levels(j)
	weight := make([]float64, len(levels))
	for i, l := range code {
		if l >= 0 {
			weight[l] += d.rowWeight(i)
		}
	}
	return slices.Index(weight, slices.Max(weight)), err
}

// products returns the part of a design with the columns of interactions. They have mean 0 and
// standard deviation 1, or less for rough functions. The largest category of a text has no column: its
// line is that of the number alone, and the others add to it. With a column for every category, their sum
// would be the number.
func (d *Dataset) products(ctx context.Context, pairs []PairTerm) (part, []Product, error) {
	var list []Product
	var columns [][]float64
	for _, pair := range pairs {
		all, err := d.InteractionColumns(ctx, pair)
		if err != nil {
			return part{}, nil, err
		}
		right, base := pair.Shapes[1].count(), -1
		text := d.Columns[pair.Interaction[1]].Text
		if text {
			if base, err = d.largest(ctx, pair.Interaction[1]); err != nil {
				return part{}, nil, err
			}
			levels, _ := d.Levels(pair.Interaction[1])
			right = len(levels)
		}
		for c, x := range all {
			p := Product{PairTerm: pair, Level: -1, Functions: [2]int{c / right, c % right}}
			if text {
				if p.Level, p.Functions[1] = c%right, 0; p.Level == base {
					continue
				}
			}
			p.measure(d, x)
			list, columns = append(list, p), append(columns, x)
		}
	}
	x := matrix.MakeDense(d.rows, len(list))
	for i := range d.rows {
		row := x.Row(i)
		for v := range row {
			row[v] = float32(columns[v][i])
		}
	}
	to := part{x: x, scale: make([]float64, len(list)), offset: make([]float64, len(list))}
	for v, p := range list {
		if p.SD > 0 {
			shrink := p.Shapes[0].shrink(p.Functions[0]) * p.Shapes[1].shrink(p.Functions[1])
			to.scale[v], to.offset[v] = shrink/p.SD, -shrink*p.Mean/p.SD
		}
	}
	return to, list, nil
}

// addInteractions adds the columns of interactions to a design of which parts has the numbers.
func (g *Design) addInteractions(ctx context.Context, d *Dataset, pairs []PairTerm, parts *[]part) error {
	p, list, err := d.products(ctx, pairs)
	if err != nil {
		return err
	}
	numbers := g.Numbers
	variables := slices.Clone(g.Variables[:numbers])
	for _, of := range list {
		variables = append(variables, of.Interaction[0])
	}
	usable := make([]int, 0, len(g.Usable))
	for _, v := range g.Usable {
		if v >= numbers {
			v += len(list)
		}
		usable = append(usable, v)
	}
	g.Variables, g.Usable = append(variables, g.Variables[numbers:]...), usable
	g.Numbers, g.products, *parts = numbers+len(list), list, append(*parts, p)
	return nil
}

// measure sets the statistics of the cells x of a product.
func (p *Product) measure(d *Dataset, x []float64) {
	p.Low, p.High = math.Inf(1), math.Inf(-1)
	var sum, total float64
	for i, v := range x {
		if w := d.rowWeight(i); w > 0 {
			p.Low, p.High = min(p.Low, v), max(p.High, v)
			sum, total = sum+w*v, total+w
		}
	}
	p.Mean = sum / total
	squares := 0.0
	for i, v := range x {
		squares += d.rowWeight(i) * (v - p.Mean) * (v - p.Mean)
	}
	if p.SD = math.Sqrt(squares / total); p.High <= p.Low {
		p.SD = 0
	}
}

// Product returns the interaction that variable v of the design is a column of, or nil if v is a
// variable of the dataset.
func (g *Design) Product(v int) *Product {
	if at := v - (g.Numbers - len(g.products)); at >= 0 && v < g.Numbers {
		return &g.products[at]
	}
	return nil
}

// Products returns the first variable of the design that is a column of an interaction, and the
// number of such variables.
func (g *Design) Products() (first, count int) { return g.Numbers - len(g.products), len(g.products) }

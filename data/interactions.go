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

// Product is a column of an interaction: the product of two standardised numbers, or of a
// standardised number and the indicator of a category.
type Product struct {
	Interaction
	Level int // category of the second variable; −1 if it is a number
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

// InteractionColumns returns the columns of an interaction, before they are standardised: one product, or
// one for each category of the second variable.
func (d *Dataset) InteractionColumns(ctx context.Context, p Interaction) ([][]float64, error) {
	a, err := d.Standardised(ctx, p[0])
	if err != nil {
		return nil, err
	}
	if !d.Columns[p[1]].Text {
		b, err := d.Standardised(ctx, p[1])
		for i := range b {
			b[i] *= a[i]
		}
		return [][]float64{b}, err
	}
	code, err := d.CategoryOf(ctx, p[1])
	if err != nil {
		return nil, err
	}
	levels, _ := d.Levels(p[1])
	columns := make([][]float64, len(levels))
	for l := range columns {
		columns[l] = make([]float64, len(a))
	}
	for i, l := range code {
		if l >= 0 {
			columns[l][i] = a[i]
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
// standard deviation 1. The largest category of a text has no column: its line is that of the number
// alone, and the others add to it. With a column for every category, their sum would be the number.
func (d *Dataset) products(ctx context.Context, pairs []Interaction) (part, []Product, error) {
	var list []Product
	var columns [][]float64
	for _, pair := range pairs {
		all, err := d.InteractionColumns(ctx, pair)
		if err != nil {
			return part{}, nil, err
		}
		text, base := d.Columns[pair[1]].Text, -1
		if text {
			if base, err = d.largest(ctx, pair[1]); err != nil {
				return part{}, nil, err
			}
		}
		for l, x := range all {
			if l == base {
				continue
			}
			p := Product{Interaction: pair, Level: l}
			if !text {
				p.Level = -1
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
			to.scale[v], to.offset[v] = 1/p.SD, -p.Mean/p.SD
		}
	}
	return to, list, nil
}

// addInteractions adds the columns of interactions to a design of which parts has the numbers.
func (g *Design) addInteractions(ctx context.Context, d *Dataset, pairs []Interaction, parts *[]part) error {
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

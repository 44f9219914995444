package data

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"fsa/internal/matrix"
)

// Design is a dataset in the form that training uses. Its cells are X·diag(Scale) plus Offset in
// each row. The stored numbers are not changed; z = Xβ is scaled by scaling β. A design is
// immutable.
type Design struct {
	X      matrix.Matrix
	Scale  []float64 // per column of X
	Offset []float64 // per column of X; nil if all are zero
	// Variables has, for each variable of X, its index in the dataset.
	Variables []int
	// Usable lists the variables of X that vary. X may contain others, because removing them would
	// require a copy.
	Usable []int
	// Numbers is the number of numeric variables. They come first, texts after them.
	Numbers int
	// Bins is the number of bins of a curve; 0 for a line.
	Bins int
	// Roots means that the cells are the square roots of the numbers, by [RootCurve].
	Roots bool
	// Mean has, for each column of X, what was subtracted from the cells of knots and categories so
	// that they sum to zero over the rows. It is 0 for other columns, and nil if there are no knots
	// or categories.
	Mean []float64

	columns  []Column  // columns of the dataset
	products []Product // columns of interactions, which are the last numeric variables
	scaling  scaling
	knots    []Knots   // knots of the numeric variables; see Knots
	rare     []float64 // weight of each text variable; see Weight
}

// Knots returns the knots of numeric variable v, or nil if its bins have equal width between its
// minimum and maximum; see [Spacing].
func (g *Design) Knots(v int) Knots {
	if g.knots == nil {
		return nil
	}
	return g.knots[v]
}

// Units returns the unit and center of variable v, which has a linear effect: an input x is
// stored as (x−center)/unit.
func (g *Design) Units(v int) (unit, center float64) {
	return g.scaling.units(&g.columns[g.Variables[v]])
}

// Weight returns the factor by which the norm of the coefficients of variable v is multiplied
// when variables are compared. With [ScaleRoot] it turns the norm into the standard deviation
// of the effect; otherwise it is 1. It also corrects for rare categories, which are scaled as
// if they were more frequent.
func (g *Design) Weight(v int) float64 {
	if g.Product(v) != nil {
		return 1
	}
	if v >= g.Numbers && g.rare != nil {
		return g.rare[v-g.Numbers]
	}
	if g.scaling.scale != ScaleRoot || g.Bins > 0 || v >= g.Numbers {
		return 1
	}
	unit, _ := g.Units(v)
	return g.columns[g.Variables[v]].SD / unit
}

// DesignOptions say how the numbers of a dataset are prepared for training.
type DesignOptions struct {
	Bins    int     // number of bins of a curve; 0 for a line
	Spacing Spacing // spacing of the bins
	Scale   Scale
	// Storage is the number format. Formats with fewer bits than float32 need a dense table in
	// memory and linear effects; otherwise Design returns [ErrStorage].
	Storage Storage
	// NumbersOnly leaves out the parts of columns, such as those of dates, and the indicators of
	// missing values. It is for methods that handle numbers only.
	NumbersOnly bool
	// Roots takes the square roots of the numbers. [Dataset.Roots] must be true.
	Roots bool
	// Interactions are pairs of variables, whose products are added to the numbers. They need a dense table.
	Interactions []PairTerm
	// Discard says that the dataset is no longer needed. Its numbers become those of the design,
	// and memory is released while columns are divided into bins or rounded. After that the dataset
	// must not be used, even if there was an error.
	Discard bool
}

// Design returns the variables that vary, scaled for linear effects or divided into bins for
// curves. Texts become categories in both cases. Dense numbers are centred, except with
// [ScaleNone]. Sparse numbers are not centred, because zeros must remain zeros.
func (d *Dataset) Design(ctx context.Context, o DesignOptions) (*Design, error) {
	if !o.Scale.Known() || !o.Spacing.Known() || !o.Storage.Known() {
		return nil, fmt.Errorf("data: unknown scale %q, spacing %q or storage %q", o.Scale, o.Spacing, o.Storage)
	}
	if o.Roots {
		var err error
		if d, err = d.rooted(ctx); err != nil {
			return nil, err
		}
	}
	numbers, texts := d.variables(&o)
	all := append(numbers, texts...)
	g := &Design{Variables: all, Usable: d.usable(all), Numbers: len(numbers), Bins: o.Bins, Roots: o.Roots, columns: d.Columns}
	if len(g.Usable) == 0 {
		return nil, &Error{File: d.Name, Msg: "no column varies: there is nothing to select from"}
	}
	g.scaling = newScaling(d, o.Scale.of(d), numbers)
	var parts []part
	if len(numbers) > 0 {
		p, err := d.numberPart(ctx, numbers, &g.scaling, &o)
		if err != nil {
			return nil, err
		}
		parts = append(parts, p)
	} else if o.Storage != StorageFloat32 {
		return nil, ErrStorage
	}
	if len(o.Interactions) > 0 {
		if err := g.addInteractions(ctx, d, o.Interactions, &parts); err != nil {
			return nil, err
		}
	}
	if len(texts) > 0 {
		p, rare, err := d.textPart(ctx, texts, g.scaling.scale, o.Bins)
		if err != nil {
			return nil, err
		}
		parts, g.rare = append(parts, p), rare
	}
	whole := beside(parts)
	g.X, g.Scale, g.Offset, g.knots = whole.x, whole.scale, whole.offset, whole.knots
	first := 0 // the next column to be centred
	if o.Bins == 0 {
		first = g.Numbers
	}
	var err error
	g.Mean, err = d.center(ctx, &whole, first)
	return g, err
}

// variables lists the numbers and the texts of a design, in the order of storage. Numbers that do
// not vary are included, unless they would have to be divided into bins.
func (d *Dataset) variables(o *DesignOptions) (numbers, texts []int) {
	varying := o.Bins > 0
	numbers = make([]int, 0, len(d.Columns))
	for j := range d.Columns {
		switch part := d.Columns[j].part; {
		case part == missingPart && o.Bins > 0: // curves have their own value for missing numbers
		case part != 0 && o.NumbersOnly:
		case d.Columns[j].Text && d.Varies(j):
			texts = append(texts, j)
		case !d.Columns[j].Text && (d.Varies(j) || !varying):
			numbers = append(numbers, j)
		}
	}
	byPlace := func(a, b int) int { return cmp.Compare(d.place(a), d.place(b)) }
	for _, list := range [][]int{numbers, texts} {
		if !slices.IsSortedFunc(list, byPlace) { // they are not stored in the order of the input
			slices.SortFunc(list, byPlace)
		}
	}
	return numbers, texts
}

// usable returns the indices, in a list of variables, of those that vary.
func (d *Dataset) usable(list []int) []int {
	n := 0
	for _, j := range list {
		if d.Varies(j) {
			n++
		}
	}
	if n == len(d.Columns) && slices.IsSorted(list) {
		return list // all, in order; there may be millions
	}
	at := make([]int, 0, n)
	for v, j := range list {
		if d.Varies(j) {
			at = append(at, v)
		}
	}
	return at
}

// Select returns some rows and variables of a design of linear effects of numbers. Both lists are
// ascending; nil means all.
func (g *Design) Select(ctx context.Context, rows, vars []int) (*Design, error) {
	x, err := g.X.Select(ctx, rows, vars)
	if err != nil {
		return nil, err
	}
	to := *g
	to.X = x
	if vars == nil {
		return &to, nil
	}
	to.Scale, to.Offset, to.Variables, to.Usable, to.Numbers = nil, nil, nil, nil, len(vars)
	for k, v := range vars {
		to.Scale, to.Variables = append(to.Scale, g.Scale[v]), append(to.Variables, g.Variables[v])
		if g.Offset != nil {
			to.Offset = append(to.Offset, g.Offset[v])
		}
		if c := &g.columns[g.Variables[v]]; c.SD > 0 && !c.Left {
			to.Usable = append(to.Usable, k)
		}
	}
	return &to, nil
}

// center shifts the cells of knots and categories, which start at column first, so that they sum to
// zero over the rows. A constant belongs to the intercept, and would otherwise increase the norm of
// every variable. It returns what was subtracted, or nil if there are no such cells.
func (d *Dataset) center(ctx context.Context, p *part, first int) ([]float64, error) {
	_, cols := p.x.Dims()
	if first == cols {
		return nil, ctx.Err()
	}
	sum, err := matrix.SumColumns(ctx, p.x, d.rowWeights)
	if err != nil {
		return nil, err
	}
	total := 0.0
	for i := range d.rows {
		total += d.rowWeight(i)
	}
	mean := make([]float64, cols)
	for c := first; c < cols; c++ {
		mean[c] = p.scale[c]*sum[c]/total + p.offset[c]
		p.offset[c] -= mean[c]
	}
	return mean, ctx.Err()
}

// numberPart returns the part of the design with the numeric variables.
func (d *Dataset) numberPart(ctx context.Context, numbers []int, s *scaling, o *DesignOptions) (part, error) {
	if o.Bins > 0 {
		return d.binned(ctx, numbers, o)
	}
	return d.linear(ctx, numbers, s, o)
}

// linear returns the part of the design with linear effects of all numeric variables.
func (d *Dataset) linear(ctx context.Context, numbers []int, s *scaling, o *DesignOptions) (part, error) {
	if err := d.canRound(o.Storage); err != nil {
		return part{}, err
	}
	missing, moved := false, !d.Sparse()
	for _, j := range numbers {
		c := &d.Columns[j]
		_, center := s.units(c)
		missing = missing || c.Missing > 0
		moved = moved || c.shift != 0 || center != 0 && d.Varies(j)
	}
	p := part{x: d.numbers, scale: make([]float64, len(numbers))}
	if moved {
		p.offset = make([]float64, len(numbers))
	}
	for v, j := range numbers {
		if !d.Varies(j) {
			continue
		}
		c := &d.Columns[j]
		unit, center := s.units(c)
		p.scale[v] = c.ofUnits(1 / unit)
		if moved {
			p.offset[v] = (c.shift - center) / unit
		}
	}
	if missing {
		mean := make([]float32, len(numbers))
		for v, j := range numbers {
			c := &d.Columns[j]
			mean[v] = float32(c.stored(c.Mean))
		}
		var err error
		if p.x, err = d.numbers.Fill(ctx, mean, o.Discard); err != nil {
			return part{}, err
		}
	}
	if o.Storage == StorageFloat32 {
		return p, nil
	}
	return d.rounded(ctx, p, numbers, o.Storage, o.Discard || missing)
}

// KnotsOf returns the knots of numeric variable v.
func (g *Design) KnotsOf(v int) Knots {
	if k := g.Knots(v); k != nil {
		return k
	}
	c := &g.columns[g.Variables[v]]
	return EvenKnots(c.Min, c.Max, g.Bins)
}

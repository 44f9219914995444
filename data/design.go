package data

import (
	"context"
	"fmt"
	"math"
	"slices"

	"fsa/internal/matrix"
)

// Scale says how numbers are brought to a common scale.
type Scale string

const (
	// ScaleAuto means ScaleColumn for dense tables and ScaleRoot for sparse ones.
	ScaleAuto Scale = ""
	// ScaleColumn divides each column by its standard deviation.
	ScaleColumn Scale = "column"
	// ScaleCommon divides all columns by one number, the root mean square of
	// their standard deviations.
	ScaleCommon Scale = "common"
	// ScaleRoot divides each column by the geometric mean of both, and compares
	// variables by the standard deviation of what they add: rare ones are
	// learned slowly, and those seen in a few rows do not count for more. A column
	// whose numbers span a hundred times as much as those of others, such as a price
	// among words, or a hundredth, is divided by its own standard deviation.
	ScaleRoot Scale = "root"
	// ScaleNone leaves numbers as they are.
	ScaleNone Scale = "none"
)

// scales lists them all.
var scales = []Scale{ScaleAuto, ScaleColumn, ScaleCommon, ScaleRoot, ScaleNone}

// autoScale is what users call the zero value.
const autoScale = "auto"

// ScaleNames lists the scales as users call them.
func ScaleNames() []string { return names(scales, autoScale) }

// Known reports whether it is one of these.
func (s Scale) Known() bool { return slices.Contains(scales, s) }

// Plain returns the scale itself where s is what users call it.
func (s Scale) Plain() Scale { return unnamed(s, autoScale) }

// Design is a dataset as learning sees it. Its cells are X·diag(Scale) plus
// Offset in every row: storage keeps what it has, and the product z = Xβ is
// brought to scale by scaling β.
type Design struct {
	X      matrix.Matrix
	Scale  []float64 // of each column of X
	Offset []float64 // of each column of X; nil if all are zero
	// Variables lists the variable of the dataset behind each variable of X.
	Variables []int
	// Usable lists the variables of X that vary. Others may be in X because
	// taking them out would mean to copy it.
	Usable []int
	// Numbers is how many of the variables are numbers; they come first, texts after.
	Numbers int
	// Bins is the number of bins of a piecewise-linear response; 0 for linear.
	Bins int
	// Mean is what was subtracted from the cells of knots and categories so
	// that they sum to zero over the rows, for each column of X; 0 for others,
	// and nil if there are only others.
	Mean []float64

	columns []Column // of the dataset
	knots   []Knots  // of the number variables; see Knots
	spacing Spacing  // of these
	scale   Scale
	span    float64 // geometric mean of what the numbers of a column span
	common  float64 // root mean square of the standard deviations, with ScaleRoot of columns that are not apart
	centred bool    // all numbers are
}

// Knots returns where the bins of number variable v are, or nil if they are of equal
// width between its least and its greatest number; see [Spacing].
func (g *Design) Knots(v int) Knots {
	if g.knots == nil {
		return nil
	}
	return g.knots[v]
}

// Units says how a number x of the input stands in the cells of variable v, which
// has a linear response: as (x−center)/unit.
func (g *Design) Units(v int) (unit, center float64) {
	c := &g.columns[g.Variables[v]]
	unit = 1
	switch g.scale {
	case ScaleColumn:
		unit = c.SD
	case ScaleCommon:
		unit = g.common
	case ScaleRoot:
		if unit = c.SD; !g.apart(c) {
			unit = math.Sqrt(c.SD) * math.Sqrt(g.common)
		}
	}
	if g.centred || g.scale == ScaleRoot && math.Abs(c.Mean) > c.SD { // hardly a number of it is zero
		center = c.Mean
	}
	return unit, center
}

// span returns half of the distance between the least and the greatest number.
func (c *Column) span() float64 { return c.Max/2 - c.Min/2 }

// apart reports whether a column is not in the units of most: what its numbers span
// is more than a hundred times what those of others do, or less than a hundredth.
func (g *Design) apart(c *Column) bool {
	const limit = 100.0
	ratio := c.span() / g.span
	return ratio > limit || ratio < 1/limit
}

// findCommon finds out what the numbers have in common.
func (g *Design) findCommon(d *Dataset, numbers []int) {
	var logs, varying float64
	for _, j := range numbers {
		if d.Varies(j) {
			logs += math.Log(d.Columns[j].span())
			varying++
		}
	}
	g.span = math.Exp(logs / varying)
	counts := func(j int) bool { return d.Varies(j) && (g.scale != ScaleRoot || !g.apart(&d.Columns[j])) }
	alike := 0
	for _, j := range numbers {
		if counts(j) {
			alike++
		}
	}
	root := math.Sqrt(float64(alike))
	for _, j := range numbers {
		if counts(j) {
			g.common = math.Hypot(g.common, d.Columns[j].SD/root)
		}
	}
}

// Weight returns what the length of the coefficients of variable v is multiplied by
// where variables are compared: with [ScaleRoot] what makes it the standard deviation
// of what a number adds, else 1.
func (g *Design) Weight(v int) float64 {
	if g.scale != ScaleRoot || g.Bins > 0 || v >= g.Numbers {
		return 1
	}
	unit, _ := g.Units(v)
	return g.columns[g.Variables[v]].SD / unit
}

// DesignOptions say what becomes of the numbers of a dataset.
type DesignOptions struct {
	Bins    int     // of a piecewise-linear response; 0 for linear
	Spacing Spacing // of the bins
	Scale   Scale
	// Discard says that the dataset is not needed any more: its numbers become those
	// of the design, and what is put into bins is let go piece by piece. Then it must
	// not be used again, also after an error.
	Discard bool
}

// Design brings the variables that vary to a common scale (linear responses)
// or into bins (piecewise-linear ones). Text becomes categories in both.
// Dense numbers are centred, except with ScaleNone; sparse ones are not, as
// zeros have to stay zeros.
func (d *Dataset) Design(ctx context.Context, o DesignOptions) (*Design, error) {
	scale := o.Scale
	if !scale.Known() || !o.Spacing.Known() {
		return nil, fmt.Errorf("data: unknown scale %q or spacing %q", scale, o.Spacing)
	}
	if scale == ScaleAuto {
		scale = ScaleColumn
		if d.Sparse() {
			scale = ScaleRoot
		}
	}
	g := &Design{Bins: o.Bins, columns: d.Columns, scale: scale, spacing: o.Spacing, centred: !d.Sparse() && scale != ScaleNone}
	if !g.list(d) {
		return nil, &Error{File: d.Name, Msg: "no column varies: there is nothing to select from"}
	}
	numbers, texts := g.Variables[:g.Numbers], g.Variables[g.Numbers:]
	var parts []matrix.Matrix
	if len(numbers) > 0 {
		part := d.binnedPart
		if o.Bins == 0 {
			part = d.linearPart
		}
		x, err := part(ctx, g, numbers, o.Discard)
		if err != nil {
			return nil, err
		}
		parts = append(parts, x)
	}
	if len(texts) > 0 {
		parts = append(parts, d.textPart(g, texts))
	}
	g.X = matrix.Beside(parts...)
	return g, g.center(ctx, d)
}

// list lists the variables of the design, and reports whether one varies.
func (g *Design) list(d *Dataset) bool {
	g.Variables = make([]int, 0, len(d.Columns))
	for j := range d.Columns {
		if !d.Columns[j].Text && (d.Varies(j) || g.Bins == 0) {
			g.Variables = append(g.Variables, j)
		}
	}
	g.Numbers = len(g.Variables)
	for j := range d.Columns {
		if d.Columns[j].Text && d.Varies(j) {
			g.Variables = append(g.Variables, j)
		}
	}
	usable := 0
	for _, j := range g.Variables {
		if d.Varies(j) {
			usable++
		}
	}
	if usable == len(d.Columns) && slices.IsSorted(g.Variables) {
		g.Usable = g.Variables // all, in order; there may be millions
		return usable > 0
	}
	g.Usable = make([]int, 0, usable)
	for v, j := range g.Variables {
		if d.Varies(j) {
			g.Usable = append(g.Usable, v)
		}
	}
	return usable > 0
}

// Select returns some rows of some variables of a design of linear responses to
// numbers, ascending; nil means all of them.
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
		if g.columns[g.Variables[v]].SD > 0 {
			to.Usable = append(to.Usable, k)
		}
	}
	return &to, nil
}

// center makes the cells of knots and categories sum to zero over the rows: a
// constant belongs to the intercept, and would count in every variable's norm.
func (g *Design) center(ctx context.Context, d *Dataset) error {
	if g.Bins == 0 && g.Numbers == len(g.Variables) {
		return ctx.Err()
	}
	_, cols := g.X.Dims()
	g.Mean = make([]float64, cols)
	sum, err := matrix.SumColumns(ctx, g.X, d.rowWeights)
	if err != nil {
		return err
	}
	total := 0.0
	for i := range d.rows {
		total += d.rowWeight(i)
	}
	first := 0
	if g.Bins == 0 {
		first = g.Numbers // linear columns have their center already
	}
	for p := first; p < cols; p++ {
		g.Mean[p] = g.Scale[p]*sum[p]/total + g.Offset[p]
		g.Offset[p] -= g.Mean[p]
	}
	return ctx.Err()
}

// linearPart returns the matrix of all number variables and sets their scales
// and offsets.
func (d *Dataset) linearPart(ctx context.Context, g *Design, numbers []int, discard bool) (matrix.Matrix, error) {
	g.findCommon(d, numbers)
	missing, moved := false, !d.Sparse() || g.Numbers < len(g.Variables)
	for v, j := range numbers {
		c := &d.Columns[j]
		_, center := g.Units(v)
		missing = missing || c.Missing > 0
		moved = moved || c.shift != 0 || center != 0 && d.Varies(j)
	}
	g.Scale = make([]float64, len(numbers))
	if moved {
		g.Offset = make([]float64, len(numbers))
	}
	for v, j := range numbers {
		if !d.Varies(j) {
			continue
		}
		c := &d.Columns[j]
		unit, center := g.Units(v)
		g.Scale[v] = c.ofUnits(1 / unit)
		if moved {
			g.Offset[v] = (c.shift - center) / unit
		}
	}
	if !missing {
		return d.numbers, nil
	}
	mean := make([]float32, len(numbers))
	for v, j := range numbers {
		c := &d.Columns[j]
		mean[v] = float32(c.stored(c.Mean))
	}
	return d.numbers.Fill(ctx, mean, discard)
}

// textPart returns the matrix of the text variables and appends their scales
// and offsets to g. Where columns are scaled, a level is brought to the spread
// that a number has, or a knot of its curve: it is learned as fast, and the length
// of the coefficients of a variable is the standard deviation of what it adds, in
// both. A text of two levels then counts as much as a number of two values, since
// one of its levels follows from the other.
func (d *Dataset) textPart(g *Design, texts []int) matrix.Matrix {
	places := make([]int, len(texts))
	for k, j := range texts {
		places[k] = d.place(j)
	}
	m := d.texts.Pick(nil, places)
	share := m.Shares(d.rowWeight)
	first := columnsOf(m)
	knots := float64(g.Bins + 1) // of a number; a line has one coefficient
	for k := range texts {
		levels := float64(first[k+1] - first[k])
		for _, p := range share[first[k]:first[k+1]] {
			unit := 1.0
			if g.scale == ScaleColumn || g.scale == ScaleRoot {
				unit = math.Sqrt(max(p, rareLevel) * knots * math.Sqrt(levels/(levels-1)))
			}
			g.Scale = append(g.Scale, 1/unit)
			g.Offset = append(g.Offset, 0)
		}
	}
	return m
}

// rareLevel is the least share that a level is taken to have: the few rows of a
// rarer one would rule any sample they are in.
const rareLevel = 0.01

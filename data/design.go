package data

import (
	"context"
	"fmt"
	"math"
)

// Scale says how numbers are brought to a common scale.
type Scale string

const (
	// ScaleAuto means ScaleColumn for dense tables and ScaleCommon for sparse ones.
	ScaleAuto Scale = ""
	// ScaleColumn divides each column by its standard deviation.
	ScaleColumn Scale = "column"
	// ScaleCommon divides all columns by one number, the root mean square of
	// their standard deviations.
	ScaleCommon Scale = "common"
	// ScaleNone leaves numbers as they are.
	ScaleNone Scale = "none"
)

// Design is a dataset as learning sees it. Its cells are X·diag(Scale) plus
// Offset in every row: storage keeps what it has, and the product z = Xβ is
// brought to scale by scaling β.
type Design struct {
	X      Matrix
	Scale  []float64 // of each column of X
	Offset []float64 // of each column of X
	// Variables lists the variable of the dataset behind each variable of X.
	Variables []int
	// Usable lists the variables of X that vary. Others may be in X because
	// taking them out would mean to copy it.
	Usable []int
	// Numbers is how many of them are numbers; they come first, texts after.
	Numbers int
	// Bins is the number of bins of a piecewise-linear response; 0 for linear.
	Bins int
	// Unit and Center give the cell (x−Center)/Unit of a number x that stands
	// in the input, for each number variable; nil with bins.
	Unit, Center []float64
	// Mean is what was subtracted from the cells of knots and categories so
	// that they sum to zero over the rows, for each column of X; 0 for others.
	Mean []float64
}

// Design brings the variables that vary to a common scale (linear responses)
// or into bins (piecewise-linear ones). Text becomes categories in both.
// Dense numbers are centred, except with ScaleNone; sparse ones are not, as
// zeros have to stay zeros.
//
// With discard the dataset is not needed any more: its numbers become those of the
// design, and what is put into bins is let go piece by piece. Then it must not be
// used again, also after an error.
func (d *Dataset) Design(ctx context.Context, bins int, scale Scale, discard bool) (*Design, error) {
	switch scale {
	case ScaleAuto:
		scale = ScaleColumn
		if d.Sparse() {
			scale = ScaleCommon
		}
	case ScaleColumn, ScaleCommon, ScaleNone:
	default:
		return nil, fmt.Errorf("data: unknown scale %q", scale)
	}
	if d.inFile() && bins > 0 {
		return nil, fmt.Errorf("data: piecewise-linear responses need the table in memory, and %s does not fit", d.Name)
	}
	var numbers, texts []int
	usable := 0
	for j := range d.Columns {
		varies := d.Varies(j)
		if varies {
			usable++
		}
		switch {
		case !d.Columns[j].Text && (varies || bins == 0):
			numbers = append(numbers, j)
		case d.Columns[j].Text && varies:
			texts = append(texts, j)
		}
	}
	if usable == 0 {
		return nil, &Error{File: d.Name, Msg: "no column varies: there is nothing to select from"}
	}
	g := &Design{Variables: append(numbers, texts...), Usable: make([]int, 0, usable), Numbers: len(numbers), Bins: bins}
	for v, j := range g.Variables {
		if d.Varies(j) {
			g.Usable = append(g.Usable, v)
		}
	}
	var parts []Matrix
	if len(numbers) > 0 {
		part := d.binnedPart
		if bins == 0 {
			part = d.linearPart
		}
		x, err := part(ctx, g, numbers, scale, discard)
		if err != nil {
			return nil, err
		}
		parts = append(parts, x)
	}
	if len(texts) > 0 {
		parts = append(parts, d.textPart(g, texts, scale))
	}
	g.X = Beside(parts...)
	return g, g.center(ctx, d)
}

// center makes the cells of knots and categories sum to zero over the rows: a
// constant belongs to the intercept, and would count in every variable's norm.
func (g *Design) center(ctx context.Context, d *Dataset) error {
	_, cols := g.X.Dims()
	g.Mean = make([]float64, cols)
	if g.Bins == 0 && g.Numbers == len(g.Variables) {
		return ctx.Err()
	}
	sum, err := g.sums(ctx, d)
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

// sums returns the weighted sum over the rows of each column of X.
func (g *Design) sums(ctx context.Context, d *Dataset) ([]float64, error) {
	_, cols := g.X.Dims()
	sum := make([]float64, cols)
	if x, ok := g.X.(*BinnedBytes); ok {
		return sum, x.tallyAll(ctx, d.rowWeights(0, d.rows), func(v int, sums *byteTable) { x.fold(sum, v, sums) })
	}
	step := g.X.BlockRows()
	for lo := 0; lo < d.rows; lo += step {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		hi := min(lo+step, d.rows)
		x, err := g.X.Slice(ctx, lo, hi)
		if err != nil {
			return nil, err
		}
		x.MulT(sum, d.rowWeights(lo, hi))
		release(x)
	}
	return sum, nil
}

// linearPart returns the matrix of all number variables and sets their scales
// and offsets.
func (d *Dataset) linearPart(ctx context.Context, g *Design, numbers []int, scale Scale, discard bool) (Matrix, error) {
	vary, missing := 0, false
	for _, j := range numbers {
		if d.Varies(j) {
			vary++
		}
		missing = missing || d.Columns[j].Missing > 0
	}
	root, common := math.Sqrt(float64(vary)), 0.0
	for _, j := range numbers {
		common = math.Hypot(common, d.Columns[j].SD/root)
	}
	g.Unit, g.Center = make([]float64, len(numbers)), make([]float64, len(numbers))
	g.Scale, g.Offset = make([]float64, len(numbers)), make([]float64, len(numbers))
	for v, j := range numbers {
		c := &d.Columns[j]
		if !d.Varies(j) {
			continue
		}
		unit, center := 1.0, 0.0
		if !d.Sparse() && scale != ScaleNone {
			center = c.Mean
		}
		switch scale {
		case ScaleColumn:
			unit = c.SD
		case ScaleCommon:
			unit = common
		}
		g.Unit[v], g.Center[v] = unit, center
		g.Scale[v] = c.ofUnits(1 / unit)
		g.Offset[v] = (c.shift - center) / unit
	}
	if missing {
		return d.filled(ctx, numbers, discard)
	}
	return d.numbers, nil
}

// textPart returns the matrix of the text variables and appends their scales
// and offsets to g. Where columns are scaled, a level is brought to the spread
// that a number has, or a knot of its curve: it is learned as fast, and the length
// of the coefficients of a variable is the standard deviation of what it adds, in
// both. A text of two levels then counts as much as a number of two values, since
// one of its levels follows from the other.
func (d *Dataset) textPart(g *Design, texts []int, scale Scale) Matrix {
	places := make([]int, len(texts))
	for k, j := range texts {
		places[k] = d.Columns[j].place
	}
	m := d.texts.pick(nil, places)
	share := m.shares(d.rowWeight)
	knots := float64(g.Bins + 1) // of a number; a line has one coefficient
	for k := range texts {
		levels := float64(m.levels[k])
		for _, p := range share[m.offset[k]:m.offset[k+1]] {
			unit := 1.0
			if scale == ScaleColumn {
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

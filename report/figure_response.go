package report

import (
	"fmt"
	"math"
	"slices"

	"fsa/internal/plots"
)

const (
	// densityShare is the share of the height of a response chart that the density below it takes.
	densityShare = 0.22
	// shownLevels is the number of categories that are drawn, the most frequent ones.
	shownLevels = 12
	// shownClasses is the number of classes with their own line.
	shownClasses = 6
)

// The colours of directions, which have no other meaning. Classes have other colours.
const (
	raises = 1
	lowers = 2
)

// classTint returns the colour of class c.
func classTint(c int) int { return 3 + c%shownClasses }

// tintOfSign returns the colour of a contribution.
func tintOfSign(v float64) int {
	if v < 0 {
		return lowers
	}
	return raises
}

// responseFigure shows the contribution of variable i over its values, with their density below.
func responseFigure(r *Run, i int) *Figure {
	v := r.Model.Variables[i].inUnits(&r.Model)
	f := &Figure{ID: fmt.Sprintf("response-%d", i+1), Title: v.Name, Half: true}
	d := r.density(v)
	switch {
	case v.Kind == KindCategory:
		levelsChart(r, v, f, i)
	case d != nil && len(d.Levels) == 2 && len(d.Edges) > 1:
		valuesChart(r, v, f, i)
	default:
		lineChart(r, v, f, i)
	}
	return f
}

// adds returns the label of the vertical axis of shape functions.
func adds(m *Model) string {
	switch {
	case m.Task == Classification && m.Outputs == 1 && len(m.Classes) == 2:
		return "adds to the score of " + m.Classes[1]
	case m.Task == Classification:
		return "adds to the score"
	case m.Task == Survival:
		return "adds to the log hazard"
	case m.Task == Ranking:
		return "adds to the score"
	case m.unit(0) != 1:
		return "adds (standard deviations)"
	}
	target := m.Target
	if target == "" {
		target = "the prediction"
	}
	return "adds to " + m.linked(target)
}

// linked names what decision values of a regression are: the target, or a function of it.
func (m *Model) linked(target string) string {
	switch m.Link {
	case "exp":
		return "the logarithm of " + target
	case "logistic":
		return "the log odds of " + target
	}
	return target
}

// unit returns the unit in which contributions to decision value c are drawn: the standard deviation of the target on the
// training rows if there are several targets, which may have very different units, and otherwise 1.
func (m *Model) unit(c int) float64 {
	if m.Task != Regression || m.Loss != "multitarget" || c >= len(m.Names) {
		return 1
	}
	left, rmse := 1-m.Metrics["r2_"+m.Names[c]], m.Metrics["rmse_"+m.Names[c]]
	if !(left > 0) || !(rmse > 0) {
		return 1
	}
	return rmse / math.Sqrt(left)
}

// inUnits returns the variable with its contributions in the units in which they are drawn.
func (v *Variable) inUnits(m *Model) *Variable {
	w := *v
	w.Coefficients, w.Missing = nil, nil
	for c, b := range v.Coefficients {
		scaled := slices.Clone(b)
		for i := range scaled {
			scaled[i] /= m.unit(c)
		}
		w.Coefficients = append(w.Coefficients, scaled)
	}
	for c, b := range v.Missing {
		w.Missing = append(w.Missing, b/m.unit(c))
	}
	return &w
}

// className returns the name of a decision value.
func className(m *Model, c int) string {
	if c < len(m.Names) {
		return m.Names[c]
	}
	return ""
}

// lineChart draws the effect of a number.
func lineChart(r *Run, v *Variable, f *Figure, i int) {
	d := r.density(v)
	at := places(v, d)
	first, last := at[0], at[len(at)-1]
	scale := axisOf(d)
	if scale.log && !(first > 0) {
		scale = axis{}
	}
	chart := &plots.Chart{X: v.Name, Y: adds(&r.Model), LogX: scale.log, Warp: scale.warp, XRange: [2]float64{first, last}, Rules: []plots.Rule{{At: 0}}}
	if v.Scale != "" {
		chart.X += ", " + v.Scale
	}
	chart.X += scale.name()
	x := at
	if v.Kind != KindSteps {
		x = slices.Concat(at, scale.along(first, last))
		slices.Sort(x)
		x = slices.Compact(x)
	}
	several := r.Model.Outputs > 1
	for c := range min(r.Model.Outputs, shownClasses) {
		line := plots.Curve{Name: className(&r.Model, c), Tint: plots.Plain, X: x, Steps: v.Kind == KindSteps}
		if several {
			line.Label, line.Tint = line.Name, classTint(c)
		} else {
			line.X = crossings(v, x)
			chart.Curves = append(chart.Curves, signed(v, line.X, line.Steps)...)
		}
		for _, at := range line.X {
			line.Y = append(line.Y, v.At(c, at))
		}
		if low, high := r.band(v, i, c, line.X); low != nil {
			chart.Curves = append(chart.Curves, plots.Curve{X: line.X, Y: line.Y, Low: low, High: high, BandOnly: true, Tint: line.Tint, Steps: line.Steps})
			f.banded = true
		}
		chart.Curves = append(chart.Curves, line)
		if v.Kind == KindCurve {
			knots := plots.Curve{NoLine: true, Tint: line.Tint, X: v.Knots, Y: v.Coefficients[c]}
			for k, at := range v.Knots {
				knots.Tips = append(knots.Tips, fmt.Sprintf("%s at %s: %s", v.Name, v.show(at), brief(v.Coefficients[c][k])))
			}
			chart.Curves = append(chart.Curves, knots)
		}
		if c < len(v.Missing) && d != nil && d.Missing > 0 {
			share := percent(float64(d.Missing) / float64(max(d.Rows, 1)))
			mark := plots.Apart{Name: "missing", Share: share, Y: v.Missing[c], Tint: line.Tint, Label: brief(v.Missing[c]), Tip: fmt.Sprintf("missing, %s of the rows: %s", share, brief(v.Missing[c]))}
			if !several {
				mark.Tint = tintOfSign(v.Missing[c])
			}
			chart.Apart = append(chart.Apart, mark)
		}
	}
	f.Table = lineTable(r, &r.Model.Variables[i], at)
	low, high := reach(chart)
	chart.YRange = [2]float64{low, high + 0.05*(high-low)}
	if scale.log || scale.warp != nil {
		for i := 0; i < len(d.Quantiles); i += 2 {
			chart.Rug = append(chart.Rug, d.Quantiles[i])
		}
		chart.YRange[0] = low - 0.1*(high-low)
	} else if d != nil && len(d.Counts) > 1 {
		room := densityShare * (high - low)
		bottom := low - room - 0.05*(high-low)
		most := slices.Max(d.Counts)
		for i, n := range d.Counts {
			if n > 0 {
				chart.Bars = append(chart.Bars, plots.Bar{X0: d.Edges[i], X1: d.Edges[i+1], Y0: bottom, Y1: bottom + room*float64(n)/float64(most), Tint: plots.Dull,
					Tip: fmt.Sprintf("%s from %s to %s", plural(n, "row", "rows"), v.show(d.Edges[i]), v.show(d.Edges[i+1]))})
			}
		}
		chart.YRange[0] = bottom
	}
	f.chart = chart
	f.Alt = fmt.Sprintf("Contribution of %s: from %s at %s to %s at %s.", v.Name, brief(v.At(0, first)), v.show(first), brief(v.At(0, last)), v.show(last))
}

// lineTable returns the effect at some values.
func lineTable(r *Run, v *Variable, at []float64) [][]string {
	table := [][]string{{"value", "adds"}}
	if r.Model.Outputs > 1 {
		table[0] = append(table[0], "class")
	}
	for c := range r.Model.Outputs {
		for _, x := range at {
			row := []string{exact(x), exact(v.At(c, x))}
			if r.Model.Outputs > 1 {
				row = append(row, className(&r.Model, c))
			}
			table = append(table, row)
		}
	}
	return table
}

// reach returns the smallest and the largest value of the curves and marks of a chart, including
// zero.
func reach(chart *plots.Chart) (low, high float64) {
	grow := func(values ...float64) {
		for _, v := range values {
			low, high = min(low, v), max(high, v)
		}
	}
	for _, l := range chart.Curves {
		grow(l.Y...)
		grow(l.Low...)
		grow(l.High...)
	}
	for _, m := range chart.Apart {
		grow(m.Y)
	}
	if !(high > low) {
		return -1, 1
	}
	return low, high
}

// crossings adds the values where a shape function changes its sign.
func crossings(v *Variable, x []float64) []float64 {
	if v.Kind == KindSteps {
		return x
	}
	var out []float64
	for i, at := range x {
		if i > 0 {
			a, b := v.At(0, x[i-1]), v.At(0, at)
			if zero := x[i-1] + (at-x[i-1])*a/(a-b); a*b < 0 && zero > x[i-1] && zero < at {
				out = append(out, zero)
			}
		}
		out = append(out, at)
	}
	return out
}

// signed returns the areas between a shape function and zero: one where it raises the prediction,
// and one where it lowers it.
func signed(v *Variable, x []float64, steps bool) (areas []plots.Curve) {
	for _, tint := range []int{raises, lowers} {
		area := plots.Curve{X: x, BandOnly: true, Tint: tint, Steps: steps}
		some := false
		for _, at := range x {
			y := v.At(0, at)
			if tint == lowers {
				y = -y
			}
			y = max(y, 0)
			some = some || y > 0
			if tint == lowers {
				area.Low, area.High, area.Y = append(area.Low, -y), append(area.High, 0), append(area.Y, 0)
			} else {
				area.Low, area.High, area.Y = append(area.Low, 0), append(area.High, y), append(area.Y, 0)
			}
		}
		if some {
			areas = append(areas, area)
		}
	}
	return areas
}

// places returns the values at which a shape function is drawn: the range of the table, with all
// knots.
func places(v *Variable, d *Density) []float64 {
	low, high := v.Low, v.High
	if len(v.Knots) > 0 {
		low, high = v.Knots[0], v.Knots[len(v.Knots)-1]
	}
	if d != nil && len(d.Edges) > 1 {
		low, high = d.Edges[0], d.Edges[len(d.Edges)-1]
	}
	if math.IsInf(high-low, 0) { // of a line that is extrapolated without limit
		low, high = v.Center-1, v.Center+1
	}
	x := []float64{low, high}
	for _, k := range v.Knots {
		if k > low && k < high {
			x = append(x, k)
		}
	}
	slices.Sort(x)
	if x = slices.Compact(x); len(x) == 1 {
		x = append(x, math.Nextafter(x[0], math.Inf(1)))
	}
	return x
}

// interval returns the intervals of the coefficients of variable i, or nil if they are not known.
func (r *Run) interval(v *Variable, i int) *StabilityVariable {
	if r.Stability == nil {
		return nil
	}
	if r.some { // variables then have other indices in the model, and parts of a column cannot be distinguished
		i = slices.IndexFunc(r.Stability.Variables, func(s StabilityVariable) bool { return v.Column == "" && s.Name == v.Name })
	}
	if i < 0 || i >= len(r.Stability.Variables) {
		return nil
	}
	s := &r.Stability.Variables[i]
	n := 0
	for _, b := range v.Coefficients {
		n += len(b)
	}
	if s.Name != v.column() || len(s.Low) != n || len(s.High) != n {
		return nil
	}
	return s
}

// band returns an interval of the effect at each of some numbers, or nil if it is not known.
func (r *Run) band(v *Variable, i, c int, x []float64) (low, high []float64) {
	s := r.interval(v, i)
	if s == nil {
		return nil, nil
	}
	n := len(v.Coefficients[c])
	lows, highs := *v, *v
	lows.Coefficients, highs.Coefficients = [][]float64{s.Low[c*n : (c+1)*n]}, [][]float64{s.High[c*n : (c+1)*n]}
	for _, at := range x {
		a, b := lows.At(0, at), highs.At(0, at)
		low, high = append(low, min(a, b)/r.Model.unit(c)), append(high, max(a, b)/r.Model.unit(c))
	}
	return low, high
}

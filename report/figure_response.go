package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"fsa/internal/plots"
)

const (
	// densityShare is the part of the height of a response that the density below it takes.
	densityShare = 0.22
	// shownLevels is how many texts of a category are drawn, the most frequent ones.
	shownLevels = 24
	// shownClasses is how many classes have a line of their own.
	shownClasses = 8
)

// responseFigure shows what variable i adds, over its values, with their density below.
func responseFigure(r *Run, i int) *Figure {
	v := &r.Model.Variables[i]
	f := &Figure{ID: fmt.Sprintf("response-%d", i+1), Title: v.Name, Half: true}
	if v.Kind == KindCategory {
		levelsChart(r, v, f)
	} else {
		lineChart(r, v, f)
	}
	return f
}

// adds is what the other axis of responses shows.
func adds(m *Model) string {
	switch {
	case m.Task == Classification && m.Outputs == 1 && len(m.Classes) == 2:
		return "adds to the score of " + m.Classes[1]
	case m.Task == Classification:
		return "adds to the score"
	case m.Task == Ranking:
		return "adds to the score"
	}
	if m.Target == "" {
		return "adds to the prediction"
	}
	return "adds to " + m.Target
}

// className names a decision value.
func className(m *Model, c int) string {
	if c < len(m.Classes) && m.Outputs > 1 {
		return m.Classes[c]
	}
	return ""
}

// lineChart draws the response to a number.
func lineChart(r *Run, v *Variable, f *Figure) {
	d := r.density(v)
	x := places(v, d)
	chart := &plots.Chart{X: v.Name, Y: adds(&r.Model)}
	if v.Scale != "" {
		chart.X += ", " + v.Scale
	}
	f.Table = [][]string{{"value", "adds"}}
	if r.Model.Outputs > 1 {
		f.Table[0] = append(f.Table[0], "class")
	}
	low, high := 0.0, 0.0
	for c := range min(r.Model.Outputs, shownClasses) {
		line := plots.Curve{Name: className(&r.Model, c), X: x, Tint: plots.Tint(c), Steps: v.Kind == KindSteps}
		line.Label = line.Name
		for _, at := range x {
			y := v.At(c, at)
			low, high = min(low, y), max(high, y)
			line.Y = append(line.Y, y)
		}
		chart.Curves = append(chart.Curves, line)
		if v.Kind == KindCurve {
			knots := plots.Curve{NoLine: true, Tint: line.Tint, X: v.Knots, Y: v.Coefficients[c]}
			for k, at := range v.Knots {
				knots.Tips = append(knots.Tips, fmt.Sprintf("%s at %s: %s", v.Name, v.show(at), brief(v.Coefficients[c][k])))
			}
			chart.Curves = append(chart.Curves, knots)
		}
	}
	for c := range r.Model.Outputs {
		for _, at := range x {
			row := []string{exact(at), exact(v.At(c, at))}
			if r.Model.Outputs > 1 {
				row = append(row, className(&r.Model, c))
			}
			f.Table = append(f.Table, row)
		}
	}
	if !(high > low) {
		low, high = -1, 1
	}
	bottom := low
	if d != nil && len(d.Counts) > 1 {
		room := densityShare * (high - low)
		bottom = low - room - 0.05*(high-low)
		most := slices.Max(d.Counts)
		for i, n := range d.Counts {
			if n > 0 {
				chart.Bars = append(chart.Bars, plots.Bar{X0: d.Edges[i], X1: d.Edges[i+1], Y0: bottom, Y1: bottom + room*math.Sqrt(float64(n)/float64(most)), Tint: plots.Dull,
					Tip: fmt.Sprintf("%s from %s to %s", plural(n, "row", "rows"), v.show(d.Edges[i]), v.show(d.Edges[i+1]))})
			}
		}
	}
	chart.YRange = [2]float64{bottom, high + 0.05*(high-low)}
	chart.XRange = [2]float64{x[0], x[len(x)-1]}
	chart.Rules = []plots.Rule{{At: 0}}
	f.chart = chart
	f.Alt = fmt.Sprintf("What %s adds, from %s at %s to %s at %s.", v.Name, brief(v.At(0, x[0])), v.show(x[0]), brief(v.At(0, x[len(x)-1])), v.show(x[len(x)-1]))
}

// places returns where a response is drawn: over the values of the table, with all its knots.
func places(v *Variable, d *Density) []float64 {
	low, high := v.Low, v.High
	if len(v.Knots) > 0 {
		low, high = v.Knots[0], v.Knots[len(v.Knots)-1]
	}
	if d != nil && len(d.Edges) > 1 {
		low, high = d.Edges[0], d.Edges[len(d.Edges)-1]
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

// levelsChart draws the response to a text.
func levelsChart(r *Run, v *Variable, f *Figure) {
	counts := map[string]int{}
	if d := r.density(v); d != nil {
		for _, l := range d.Levels {
			counts[l.Text] = l.Rows
		}
		counts[""] = d.Missing
	}
	order := make([]int, len(v.Levels))
	for i := range order {
		order[i] = i
	}
	if v.Column == "" { // months and the like have an order of their own
		slices.SortStableFunc(order, func(a, b int) int { return counts[v.Levels[b]] - counts[v.Levels[a]] })
	}
	f.Table = [][]string{{"text", "rows", "adds"}}
	if r.Model.Outputs > 1 {
		f.Table[0] = append(f.Table[0], "class")
	}
	for _, l := range order {
		for c := range r.Model.Outputs {
			row := []string{v.Levels[l], strconv.Itoa(counts[v.Levels[l]]), exact(v.Coefficients[c][l])}
			if r.Model.Outputs > 1 {
				row = append(row, className(&r.Model, c))
			}
			f.Table = append(f.Table, row)
		}
	}
	shown := order[:min(len(order), shownLevels)]
	chart := &plots.Chart{X: adds(&r.Model), Rules: []plots.Rule{{At: 0, Vertical: true}}}
	outputs := min(r.Model.Outputs, shownClasses)
	for i, l := range shown {
		text := v.Levels[l]
		if text == "" {
			text = "(missing)"
		}
		chart.YNames = append(chart.YNames, text)
		y := -float64(i)
		if outputs > 1 {
			continue
		}
		b, tint := v.Coefficients[0][l], 1
		if b < 0 {
			tint = 2
		}
		chart.Bars = append(chart.Bars, plots.Bar{X0: min(b, 0), X1: max(b, 0), Y0: y - 0.35, Y1: y + 0.35, Tint: tint, Tip: fmt.Sprintf("%s: %s (%s)", text, brief(b), plural(counts[v.Levels[l]], "row", "rows"))})
	}
	for c := range outputs {
		if outputs == 1 {
			break
		}
		dots := plots.Curve{Name: className(&r.Model, c), NoLine: true}
		for i, l := range shown {
			dots.X, dots.Y = append(dots.X, v.Coefficients[c][l]), append(dots.Y, -float64(i))
			dots.Tips = append(dots.Tips, fmt.Sprintf("%s, class %s: %s", chart.YNames[i], dots.Name, brief(v.Coefficients[c][l])))
		}
		chart.Curves = append(chart.Curves, dots)
	}
	chart.YRange = [2]float64{0.5 - float64(len(shown)), 0.5}
	f.chart = chart
	f.Alt = fmt.Sprintf("What the %d most frequent of %d categories of %s add.", len(shown), len(v.Levels), v.Name)
	if len(shown) < len(order) {
		f.Caption = fmt.Sprintf("The %d most frequent of %d categories; the CSV has all.", len(shown), len(order))
	}
}

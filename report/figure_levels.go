package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"fsa/internal/plots"
)

// levelsChart draws the effects of categories.
func levelsChart(r *Run, v *Variable, f *Figure, i int) {
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
	if v.Column == "" { // months and similar parts keep their natural order
		slices.SortStableFunc(order, func(a, b int) int { return counts[v.Levels[b]] - counts[v.Levels[a]] })
	}
	var bars []effect
	for _, l := range order {
		e := effect{text: v.Levels[l], rows: counts[v.Levels[l]]}
		for c := range r.Model.Outputs {
			e.adds = append(e.adds, v.Coefficients[c][l])
		}
		if s := r.interval(v, i); s != nil && r.Model.Outputs == 1 {
			e.between = [2]float64{s.Low[l], s.High[l]}
		}
		bars = append(bars, e)
	}
	if n := counts[""]; n > 0 && len(v.Missing) == r.Model.Outputs && !slices.Contains(v.Levels, "") {
		bars = append(bars, effect{rows: n, adds: v.Missing})
	}
	effectBars(r, v, f, bars)
}

// valuesChart draws the effects of a number that has only two values.
func valuesChart(r *Run, v *Variable, f *Figure, i int) {
	d := r.density(v)
	var bars []effect
	for k, l := range d.Levels {
		x := d.Edges[min(k, 1)*(len(d.Edges)-1)]
		e := effect{text: v.show(x), rows: l.Rows}
		for c := range r.Model.Outputs {
			e.adds = append(e.adds, v.At(c, x))
		}
		if low, high := r.band(v, i, 0, []float64{x}); low != nil && r.Model.Outputs == 1 {
			e.between = [2]float64{low[0], high[0]}
		}
		bars = append(bars, e)
	}
	if d.Missing > 0 && len(v.Missing) == r.Model.Outputs {
		bars = append(bars, effect{rows: d.Missing, adds: v.Missing})
	}
	effectBars(r, v, f, bars)
	f.Table = lineTable(r, &r.Model.Variables[i], places(v, d))
}

// effect is a value of a variable, the number of rows with it, and its contribution to each
// decision value.
type effect struct {
	text    string // empty for a missing value
	rows    int
	adds    []float64
	between [2]float64 // an interval; both ends are equal if there is none
}

// effectBars draws a bar for each value, or a dot for each class.
func effectBars(r *Run, v *Variable, f *Figure, effects []effect) {
	several := r.Model.Outputs > 1
	f.Table = [][]string{{"text", "rows", "adds"}}
	if several {
		f.Table[0] = append(f.Table[0], "class")
	}
	for _, e := range effects {
		for c, b := range e.adds {
			row := []string{e.text, strconv.Itoa(e.rows), exact(b * r.Model.unit(c))}
			if several {
				row = append(row, className(&r.Model, c))
			}
			f.Table = append(f.Table, row)
		}
	}
	shown := effects[:min(len(effects), shownLevels)]
	chart := &plots.Chart{X: adds(&r.Model), Rules: []plots.Rule{{At: 0, Vertical: true}}}
	total := 0
	for _, e := range effects {
		total += e.rows
	}
	dots := make([]plots.Curve, min(r.Model.Outputs, shownClasses))
	for i, e := range shown {
		text := cmp.Or(e.text, "missing")
		share := ""
		if e.rows > 0 {
			share = " (" + percent(float64(e.rows)/float64(total)) + ")"
		}
		chart.YNames, chart.YTails = append(chart.YNames, text), append(chart.YTails, share)
		y := -float64(i)
		if !several {
			b := e.adds[0]
			chart.Bars = append(chart.Bars, plots.Bar{X0: min(b, 0), X1: max(b, 0), Y0: y - 0.35, Y1: y + 0.35, Tint: tintOfSign(b), Label: brief(b), Range: e.between, Tip: fmt.Sprintf("%s: %s (%s)", cmp.Or(e.text, "missing"), brief(b), plural(e.rows, "row", "rows"))})
			f.banded = f.banded || e.between[0] != e.between[1]
			continue
		}
		for c := range dots {
			dots[c].Name, dots[c].NoLine, dots[c].Tint = className(&r.Model, c), true, classTint(c)
			dots[c].X, dots[c].Y = append(dots[c].X, e.adds[c]), append(dots[c].Y, y)
			dots[c].Tips = append(dots[c].Tips, fmt.Sprintf("%s, class %s: %s", cmp.Or(e.text, "missing"), dots[c].Name, brief(e.adds[c])))
		}
	}
	if several {
		chart.Curves = dots
		for c := range dots {
			chart.Keys = append(chart.Keys, plots.Key{Class: fmt.Sprintf("k%d", classTint(c)), Text: dots[c].Name})
		}
	}
	chart.YRange = [2]float64{0.5 - float64(len(shown)), 0.5}
	f.chart = chart
	f.Alt = fmt.Sprintf("Contributions of %d of %d values of %s.", len(shown), len(effects), v.Name)
	if len(shown) < len(effects) {
		f.Caption = fmt.Sprintf("The %d most frequent of %d categories; the CSV has all.", len(shown), len(effects))
	}
}

package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"fsa/internal/plots"
)

// exampleBars is how many variables of a row have a bar of their own.
const exampleBars = 12

// exampleFigures show what each variable adds to a few rows.
func exampleFigures(r *Run) []*Figure {
	if r.Examples == nil {
		return nil
	}
	var list []*Figure
	for i, e := range r.Examples.Rows {
		list = append(list, exampleFigure(r, i, e))
	}
	return list
}

func exampleFigure(r *Run, number int, e Example) *Figure {
	order := make([]int, len(e.Adds))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(math.Abs(e.Adds[b]), math.Abs(e.Adds[a])) })
	chart := &plots.Chart{X: adds(&r.Model), Rules: []plots.Rule{{At: 0, Vertical: true}}}
	if e.Class != "" {
		chart.X = "adds to the score of " + e.Class
	}
	table := [][]string{{"variable", "value", "adds"}, {"(intercept)", "", exact(r.Examples.Intercept[e.Output])}}
	bar := func(name string, v float64) {
		y, tint := -float64(len(chart.YNames)), 1
		if v < 0 {
			tint = 2
		}
		chart.YNames = append(chart.YNames, name)
		chart.Bars = append(chart.Bars, plots.Bar{X0: min(v, 0), X1: max(v, 0), Y0: y - 0.35, Y1: y + 0.35, Tint: tint, Tip: name + ": " + brief(v)})
	}
	rest, n := 0.0, 0
	for place, i := range order {
		table = append(table, []string{r.Examples.Names[i], e.Values[i], exact(e.Adds[i])})
		if place < exampleBars {
			bar(shorten(r.Examples.Names[i], 16)+" = "+shorten(e.Values[i], 10), e.Adds[i])
		} else {
			rest += e.Adds[i]
			n++
		}
	}
	if n > 0 {
		bar(fmt.Sprintf("%d others", n), rest)
	}
	chart.YRange = [2]float64{0.5 - float64(len(chart.YNames)), 0.5}
	title := fmt.Sprintf("Row %d, %s", e.Row, e.Why)
	caption := "Predicted " + e.Says
	if e.Target != "" {
		caption += "; true value " + readable(e.Target)
	}
	caption += fmt.Sprintf(". Intercept %s, sum %s.", brief(r.Examples.Intercept[e.Output]), brief(e.Decision))
	return &Figure{ID: fmt.Sprintf("row-%d", number+1), Title: title, Caption: caption, Half: true, chart: chart, Table: table,
		Alt: fmt.Sprintf("What %d variables add to row %d.", len(e.Adds), e.Row)}
}

// readable shortens a number, and leaves a text as it is.
func readable(text string) string {
	if v, err := strconv.ParseFloat(text, 64); err == nil && len(text) > 6 {
		return brief(v)
	}
	return text
}

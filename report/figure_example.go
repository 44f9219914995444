package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"fsa/internal/decimal"
	"fsa/internal/plots"
)

// exampleBars is the number of variables of a row with their own bar.
const exampleBars = 12

// exampleFigures show the contribution of each variable to a few rows.
func exampleFigures(r *Run) []*Figure {
	if r.Examples == nil {
		return nil
	}
	var list []*Figure
	low, high := math.Inf(1), math.Inf(-1) // the same for all rows, so that they can be compared
	for _, e := range r.Examples.Rows {
		for _, step := range waterfall(r.Examples, &e) {
			low, high = min(low, step.from, step.to), max(high, step.from, step.to)
		}
	}
	for i, e := range r.Examples.Rows {
		list = append(list, exampleFigure(r, i, e, [2]float64{low - 0.02*(high-low), high + 0.02*(high-low)}))
	}
	return list
}

// step is the contribution of a variable to a running total.
type step struct {
	name     string
	value    string // after the name, with a sign between them; empty if it has none
	from, to float64
}

// waterfall returns the steps from the intercept to the decision value, the largest first.
func waterfall(x *Examples, e *Example) (steps []step) {
	order := make([]int, len(e.Adds))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(math.Abs(e.Adds[b]), math.Abs(e.Adds[a])) })
	at := x.Intercept[e.Output]
	steps = append(steps, step{"start (intercept)", "", at, at})
	add := func(name, value string, v float64) {
		steps = append(steps, step{name, value, at, at + v})
		at += v
	}
	rest, n := 0.0, 0
	for place, i := range order {
		if place < exampleBars || len(order) == exampleBars+1 {
			name, value := x.Names[i], " = "+plots.Isolate(shorten(readable(e.Values[i]), 16))
			if a, b, pair := strings.Cut(x.Names[i], " × "); pair { // their values are at the single variables
				name, value = plots.Isolate(shorten(a, 12))+" × "+plots.Isolate(shorten(b, 12)), ""
			}
			add(name, value, e.Adds[i])
			continue
		}
		rest += e.Adds[i]
		n++
	}
	if n > 0 {
		add(fmt.Sprintf("%d others", n), "", rest)
	}
	return append(steps, step{"sum", "", at, at})
}

func exampleFigure(r *Run, number int, e Example, span [2]float64) *Figure {
	steps := waterfall(r.Examples, &e)
	chart := &plots.Chart{X: "score", XRange: span}
	switch {
	case e.Class != "":
		chart.X = "score of " + e.Class
	case r.Model.Task == Survival:
		chart.X = "log hazard"
	case r.Model.Task == Regression && r.Model.Target != "":
		chart.X = r.Model.linked(r.Model.Target)
	case r.Model.Task == Classification && len(r.Model.Classes) == 2:
		chart.X = "score of " + r.Model.Classes[1]
	}
	table := [][]string{{"variable", "value", "adds"}, {"(intercept)", "", exact(r.Examples.Intercept[e.Output])}}
	for i, name := range r.Examples.Names {
		table = append(table, []string{name, e.Values[i], exact(e.Adds[i])})
	}
	for i, s := range steps {
		y, whole := -float64(i), plots.Isolate(s.name)+s.value
		bar := plots.Bar{X0: min(s.from, s.to), X1: max(s.from, s.to), Y0: y - 0.35, Y1: y + 0.35, Tint: tintOfSign(s.to - s.from), Label: withSign(s.to - s.from), Tip: whole + ": " + withSign(s.to-s.from)}
		if i == 0 || i == len(steps)-1 {
			wide := 0.006 * (span[1] - span[0])
			bar.X0, bar.X1, bar.Tint, bar.Label, bar.Tip = s.to-wide, s.to+wide, plots.Plain, brief(s.to), whole+": "+brief(s.to)
		} else {
			chart.Curves = append(chart.Curves, plots.Curve{X: []float64{s.from, s.from}, Y: []float64{y + 0.65, y + 0.35}, Tint: plots.Dull})
		}
		chart.YNames, chart.YTails, chart.Bars = append(chart.YNames, s.name), append(chart.YTails, s.value), append(chart.Bars, bar)
	}
	chart.YRange = [2]float64{0.5 - float64(len(steps)), 0.5}
	title := fmt.Sprintf("Row %s, %s", decimal.Count(e.Row), e.Why)
	says, truth := "Predicted ", "; true value "
	if r.Model.Task == Survival {
		says, truth = "Logarithm of the hazard ratio ", "; observed until "
	}
	class, probability := e.Says, ""
	if at := strings.LastIndex(class, " (probability"); at > 0 {
		class, probability = class[:at], class[at:]
	}
	caption := says + readableList(class) + probability
	if e.Target != "" {
		caption += truth + readableList(e.Target)
	}
	if e.Class != "" && e.Class == e.Target && !strings.HasPrefix(e.Says, e.Class+" (") {
		caption += ", whose score is drawn"
	}
	return &Figure{ID: fmt.Sprintf("row-%d", number+1), Title: title, Caption: caption + ".", Half: true, chart: chart, Table: table,
		Alt: fmt.Sprintf("Contributions of %d variables to row %d: from %s to %s.", len(e.Adds), e.Row, brief(steps[0].to), brief(steps[len(steps)-1].to))}
}

// withSign formats a contribution with its sign.
func withSign(v float64) string {
	if v > 0 {
		return "+" + brief(v)
	}
	return brief(v)
}

// readableList formats a list of numbers for people, and returns another text as a name in a sentence.
func readableList(text string) string {
	parts := strings.Split(text, ", ")
	for i, part := range parts {
		if _, err := strconv.ParseFloat(strings.ReplaceAll(part, ",", ""), 64); err != nil {
			return plots.Isolate(text)
		}
		parts[i] = readable(part)
	}
	return strings.Join(parts, ", ")
}

// readable formats a number for people, and returns a text unchanged.
func readable(text string) string {
	if v, err := strconv.ParseFloat(strings.ReplaceAll(text, ",", ""), 64); err == nil && !math.IsInf(v, 0) && !math.IsNaN(v) {
		return minus(decimal.Digits(v, 6))
	}
	return text
}

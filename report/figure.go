package report

import (
	"encoding/csv"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"fsa/internal/plots"
)

// Figure is a picture and the numbers behind it.
type Figure struct {
	ID      string // in the page, and the name of its table
	Title   string
	Caption string
	Alt     string // description for readers who cannot see it
	chart   *plots.Chart
	Table   [][]string // with a heading
	Half    bool       // two of them fit side by side
	Card    bool       // it is shown in the card of a variable
	banded  bool       // it has intervals
}

// csvText returns a table as CSV.
func csvText(table [][]string) string {
	var b strings.Builder
	w := csv.NewWriter(&b)
	w.WriteAll(table) // cannot fail in memory
	return b.String()
}

// curveFigure shows the error over the number of variables. It returns nil if only one size was
// tried.
func curveFigure(r *Run) *Figure {
	c := r.Curve
	if c == nil || len(c.Points) < 2 {
		return nil
	}
	measure := MeasureName(c.Measure)
	line := plots.Curve{Name: "mean of the folds", Tint: plots.Plain, Dots: true}
	axis, name, at := c.axis()
	column := "size"
	if c.Budgets != nil {
		column = "budget"
	}
	table := [][]string{{column, "mean", "standard_error"}}
	best := CurvePoint{}
	points := c.Points
	wide := at(points[len(points)-1].Size) > 30
	if wide && points[0].Size == 0 && len(points) > 2 { // which a logarithmic scale cannot show
		points = points[1:]
	}
	for _, p := range points {
		line.X, line.Y = append(line.X, at(p.Size)), append(line.Y, p.Mean)
		line.Low, line.High = append(line.Low, p.Mean-p.SE), append(line.High, p.Mean+p.SE)
		line.Tips = append(line.Tips, fmt.Sprintf("%s: %s %s ± %s", name(p.Size), measure, brief(p.Mean), brief(p.SE)))
		if p.Size == c.Best {
			best = p
		}
	}
	for _, p := range c.Points {
		table = append(table, []string{exact(at(p.Size)), exact(p.Mean), exact(p.SE)})
	}
	direction := "lower"
	if c.Larger {
		direction = "higher"
	}
	chart := &plots.Chart{X: axis, Y: "cross-validated " + measure, Curves: []plots.Curve{line}}
	chart.LogX, chart.WholeX = wide, c.Budgets == nil
	chart.Rules = c.rules(line.X, wide)
	return &Figure{
		ID: "curve", Title: "Error by " + axis, chart: chart, Table: table,
		Caption: fmt.Sprintf("Mean of %d folds with a band of one standard error; %s is better. Best: %s, %s. Chosen: %s%s. Null model: %s.",
			c.Folds, direction, name(c.Best), brief(best.Mean), name(c.Chosen), byRule(c.Rule), brief(c.Null)),
		Alt: fmt.Sprintf("Curve of %s over %d sizes from %v to %v. It is best at %v; %s chosen.", measure, len(c.Points), at(c.Points[0].Size), at(c.Points[len(c.Points)-1].Size), at(c.Best), were(c)),
	}
}

// axis returns the title of the axis of sizes, the name of a size and its place. If variables have prices, these are
// budgets.
func (c *Curve) axis() (title string, name func(size int) string, at func(size int) float64) {
	if c.Budgets == nil || len(c.Budgets) != len(c.Points) {
		return "number of variables", func(size int) string { return plural(size, "variable", "variables") }, func(size int) float64 { return float64(size) }
	}
	at = func(size int) float64 {
		i := slices.IndexFunc(c.Points, func(p CurvePoint) bool { return p.Size == size })
		if i < 0 {
			return 0
		}
		return c.Budgets[i]
	}
	return "budget", func(size int) string { return "a budget of " + brief(at(size)) }, at
}

// were says what was chosen.
func were(c *Curve) string {
	_, name, _ := c.axis()
	if c.Budgets != nil {
		return name(c.Chosen) + " was"
	}
	return fmt.Sprintf("%d variables were", c.Chosen)
}

// rules marks the best and the chosen size on an axis. If they are too close to each other for
// two labels, they share one.
func (c *Curve) rules(x []float64, log bool) []plots.Rule {
	_, _, at := c.axis()
	chosen, best := "chosen: "+brief(at(c.Chosen)), "best: "+brief(at(c.Best))
	if c.Budgets == nil {
		chosen, best = "chosen: "+strconv.Itoa(c.Chosen), "best: "+strconv.Itoa(c.Best)
	}
	rules := []plots.Rule{
		{At: at(c.Chosen), Vertical: true, Label: chosen, Before: c.Chosen < c.Best},
		{At: at(c.Best), Vertical: true, Label: best, Before: c.Best < c.Chosen},
	}
	if c.Best == c.Chosen {
		rules[0].Label = "best and " + chosen
		return rules[:1]
	}
	place := func(v float64) float64 {
		if log {
			return math.Log(max(v, 1))
		}
		return v
	}
	low, high := place(x[0]), place(x[len(x)-1])
	const near = 0.25 // share of the axis that a label takes
	if abs(place(rules[0].At)-place(rules[1].At)) < near*(high-low) {
		rules[0].Label, rules[1].Label = chosen+", "+best, ""
		rules[0].Before = place(rules[0].At) > (low+high)/2
		if rules[0].Before != (c.Chosen < c.Best) { // the label must not cross the other line
			rules[0].At, rules[1].At = rules[1].At, rules[0].At
		}
	}
	return rules
}

func byRule(rule string) string {
	switch rule {
	case "":
		return ""
	case "paired":
		return ", the smallest size that is not significantly worse than the best (paired test) and keeps 99% of the gain"
	case "one-se":
		return ", the smallest size within one standard error of the best"
	}
	return " by the rule " + rule
}

// strengthFigure shows the importance of the selected variables.
func strengthFigure(r *Run) *Figure {
	chart := &plots.Chart{X: "importance: standard deviation of the variable's contribution"}
	table := [][]string{{"variable", "importance", "sign"}}
	for i := range r.Model.Variables {
		v := &r.Model.Variables[i]
		table = append(table, []string{v.Name, exact(v.Strength), strconv.Itoa(v.sign())})
		y := -float64(i)
		chart.YNames = append(chart.YNames, v.Name)
		chart.Bars = append(chart.Bars, plots.Bar{X1: v.Strength, Y0: y - 0.35, Y1: y + 0.35, Tint: tintOf(v), Label: brief(v.Strength), Tip: v.Name + ": " + brief(v.Strength)})
	}
	chart.YRange = [2]float64{0.5 - float64(len(chart.YNames)), 0.5}
	return &Figure{ID: "importance", Title: "Importance of the selected variables", chart: chart, Table: table,
		Caption: "Blue raises the prediction, orange lowers it; grey where that depends on the value.", Alt: fmt.Sprintf("Bars of the importance of %d variables.", len(chart.YNames))}
}

// tintOf returns the colour of the direction in which a variable acts.
func tintOf(v *Variable) int {
	switch v.sign() {
	case 1:
		return raises
	case -1:
		return lowers
	}
	return plots.Plain
}

// tintName returns the name of a colour in the classes of the page.
func tintName(tint int) string {
	if tint == plots.Plain {
		return "plain"
	}
	return strconv.Itoa(tint)
}

// pageBars is the number of selected variables with a bar on the page.
const pageBars = 60

// stabilityFigure shows how often variables are selected: all of them, for a separate picture.
func stabilityFigure(r *Run) *Figure {
	f, by := stabilityBars(r, math.MaxInt), r.resamples()
	if len(by) > 1 { // a separate picture has no legend
		f.chart.X += fmt.Sprintf(": bars by %s, dots by %s", by[0].of, by[1].of)
	}
	return f
}

// stabilityBars shows how often variables are selected in half samples and in folds, for at most
// the given number of selected variables.
func stabilityBars(r *Run, most int) *Figure {
	chart := &plots.Chart{XRange: [2]float64{0, 1.02}, Rules: []plots.Rule{{At: sure, Vertical: true}}}
	by := r.resamples()
	if len(by) == 0 {
		return nil
	}
	table := [][]string{{"variable", "selected"}}
	for _, s := range by {
		table[0] = append(table[0], "inclusion_"+strings.ReplaceAll(s.of, " ", "_"))
	}
	dots := plots.Curve{NoLine: true, Tint: plots.Plain}
	line := func(name string, chosen, drawn bool) {
		row := []string{name, strconv.FormatBool(chosen)}
		y := -float64(len(chart.YNames))
		for i, s := range by {
			share := s.shares[name]
			row = append(row, exact(share))
			tip := fmt.Sprintf("%s: %s of the %s", name, percent(share), s.of)
			switch {
			case !drawn:
			case i == 0:
				chart.Bars = append(chart.Bars, plots.Bar{X1: share, Y0: y - 0.35, Y1: y + 0.35, Tint: plots.Dull, Tip: tip})
			default:
				dots.X, dots.Y, dots.Tips = append(dots.X, share), append(dots.Y, y), append(dots.Tips, tip)
			}
		}
		if table = append(table, row); drawn {
			after := ""
			if !chosen {
				after = " (not selected)"
			}
			chart.YNames, chart.YTails = append(chart.YNames, name), append(chart.YTails, after)
		}
	}
	columns := r.Model.columns()
	for i, name := range columns {
		line(name, true, i < most)
	}
	if !r.some {
		for _, name := range r.others() {
			line(name, false, true)
		}
	}
	chart.X = "inclusion frequency"
	chart.Keys = []plots.Key{{Class: "k0", Text: "share of the " + by[0].of}}
	if len(by) > 1 {
		chart.Curves = append(chart.Curves, dots)
		chart.Keys = append(chart.Keys, plots.Key{Class: "kdot", Text: "share of the " + by[1].of})
	}
	chart.YRange = [2]float64{0.5 - float64(len(chart.YNames)), 0.5}
	caption := "The line marks 80%."
	if n := len(columns); n > most {
		caption += fmt.Sprintf(" These are the %d strongest of %d; the CSV has all.", most, n)
	}
	return &Figure{ID: "stability", Title: "How often each variable is selected", chart: chart, Table: table,
		Caption: caption, Alt: fmt.Sprintf("Bars of how often %d variables are selected in %s.", len(chart.YNames), by[0].of)}
}

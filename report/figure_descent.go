package report

import (
	"fmt"
	"slices"
	"strconv"

	"fsa/internal/plots"
)

const (
	// shownLate is the number of variables drawn among those that were dropped last.
	shownLate = 20
	// namedLate is the number of them that are listed.
	namedLate = 12
	// colouredLines is the number of selected variables with their own colour and name.
	colouredLines = 8
)

// aliveFigure shows the number of active variables over epochs.
func aliveFigure(r *Run) *Figure {
	p := r.Path
	if p == nil {
		return nil
	}
	table := [][]string{{"epoch", "variables", "loss"}}
	x, y := []float64{0}, []float64{float64(r.Model.Columns)}
	for i, e := range p.Epochs {
		x, y = append(x, float64(e)), append(y, float64(max(p.Alive[i], 1)))
		table = append(table, []string{strconv.Itoa(e), strconv.Itoa(p.Alive[i]), exact(p.Loss[i])})
	}
	if p.Epochs[0] > 1 { // a later search, whose start is not known
		x, y = x[1:], y[1:]
	}
	chart := &plots.Chart{X: "epoch", Y: "variables left", WholeX: true, WholeY: true, Curves: []plots.Curve{{Name: "variables left", X: x, Y: y, Tint: plots.Plain, Steps: true}}}
	if chart.LogY = y[0] >= 10*y[len(y)-1]; !chart.LogY {
		chart.YRange = [2]float64{0, 1.05 * slices.Max(y)}
	}
	return &Figure{
		ID: "alive", Title: "Variables left", Half: true, Table: table, chart: chart,
		Alt: fmt.Sprintf("The number of variables falls from %.0f to %.0f in %.0f epochs.", y[0], y[len(y)-1], x[len(x)-1]),
	}
}

// pathFigure shows the coefficients of the selected variables and of those that were dropped last.
func pathFigure(r *Run) *Figure {
	p := r.Path
	if p == nil || len(p.Lines) == 0 {
		return nil
	}
	chart := &plots.Chart{X: "epoch", Y: p.Measure, WholeX: true, LogX: p.Epochs[len(p.Epochs)-1] > 30*p.Epochs[0]}
	table := make([][]string, len(p.Epochs)+1)
	table[0] = []string{"epoch"}
	for i, e := range p.Epochs {
		table[i+1] = []string{strconv.Itoa(e)}
	}
	var chosen, late []plots.Curve
	for _, l := range p.Lines {
		c := plots.Curve{Name: l.Name, Tint: plots.Dull}
		for i, v := range l.Values {
			c.X, c.Y = append(c.X, float64(p.Epochs[l.From+i])), append(c.Y, v)
		}
		table[0] = append(table[0], l.Name)
		for i := range p.Epochs {
			cell := "" // unknown, or dropped
			if at := i - l.From; at >= 0 && at < len(l.Values) {
				cell = strconv.FormatFloat(l.Values[at], 'g', 6, 64)
			}
			table[i+1] = append(table[i+1], cell)
		}
		switch {
		case l.Chosen:
			if c.Tint = plots.Plain; len(chosen) < colouredLines {
				c.Tint = plots.Tint(len(chosen))
			}
			chosen = append(chosen, c)
		case len(late) < shownLate:
			late = append(late, c)
		}
	}
	for i := range chosen[:min(len(chosen), colouredLines)] {
		chosen[i].Label = chosen[i].Name
	}
	chart.Curves = append(chart.Curves, late...)
	for i := len(chosen) - 1; i >= 0; i-- { // the most important on top of the others
		chart.Curves = append(chart.Curves, chosen[i])
	}
	caption := "All of these were selected."
	if len(late) > 0 {
		caption = fmt.Sprintf("Coloured: selected. Grey: the %d variables dropped last, up to the epoch where they were dropped.", len(late))
	}
	return &Figure{
		ID: "path", Title: "Coefficients while variables are dropped", chart: chart, Table: table,
		Caption: caption,
		Alt:     fmt.Sprintf("Lines of the coefficients of %d selected variables and %d dropped last, against epochs.", len(chosen), len(late)),
	}
}

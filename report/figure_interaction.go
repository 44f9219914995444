package report

import (
	"fmt"
	"strings"

	"fsa/internal/plots"
)

// interactionFigures show the pairs.
func interactionFigures(r *Run) []*Figure {
	var list []*Figure
	for i := range r.Model.Interactions {
		list = append(list, interactionFigure(r, i))
	}
	return list
}

func interactionFigure(r *Run, i int) *Figure {
	p := &r.Model.Interactions[i]
	if p.At != nil {
		return heatFigure(r, p, i)
	}
	f := &Figure{ID: fmt.Sprintf("interaction-%d", i+1), Title: plots.Isolate(p.Names[0]) + " × " + plots.Isolate(p.Names[1]), Half: true}
	chart := &plots.Chart{X: p.Names[0], Y: adds(&r.Model), Rules: []plots.Rule{{At: 0}}}
	f.Table = [][]string{{p.Names[0], p.Names[1], "adds"}}
	var labels []string
	for k, l := range p.Lines {
		chart.Curves = append(chart.Curves, plots.Curve{Name: l.Label, Label: shorten(l.Label, 16), Tint: classTint(k), X: p.X, Y: l.Y})
		labels = append(labels, l.Label)
		for n, x := range p.X {
			f.Table = append(f.Table, []string{exact(x), l.Label, exact(l.Y[n])})
		}
	}
	f.Caption = fmt.Sprintf("Importance %s. What the pair adds to the effects of its variables, for %s.", brief(p.Strength), isolated(labels))
	if p.Hidden > 0 {
		f.Caption += fmt.Sprintf(" %d more categories are not drawn.", p.Hidden)
	}
	f.Alt = fmt.Sprintf("Lines of what %s and %s add together, over %s: %s.", p.Names[0], p.Names[1], p.Names[0], strings.Join(labels, ", "))
	f.chart = chart
	return f
}

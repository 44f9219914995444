package runs

import (
	"slices"
	"strings"

	"fsa/model"
	"fsa/report"
)

const (
	interactionPoints = 41 // numbers of the first variable that are drawn
	interactionLines  = 6  // categories of the second variable that are drawn
)

// interactions returns the interactions of a model in plain numbers: what each adds at any two numbers or, with a
// text, over the range of the number for each category.
func interactions(m *model.Model) []report.Interaction {
	var list []report.Interaction
	for i, t := range m.Interactions() {
		a, b := &t.Variables[0], &t.Variables[1]
		p := report.Interaction{Names: [2]string{strings.ToValidUTF8(a.Name, "\ufffd"), strings.ToValidUTF8(b.Name, "\ufffd")}, Strength: t.Norm}
		if b.Categories == nil {
			p.At = func(x, y float64) float64 { return m.InteractionAt(i, 0, x, y) }
			p.Low, p.High = [2]float64{a.Low, b.Low}, [2]float64{a.High, b.High}
			list = append(list, p)
			continue
		}
		for k := range interactionPoints {
			share := float64(k) / (interactionPoints - 1)
			p.X = append(p.X, a.Low*(1-share)+a.High*share)
		}
		p.X = append(p.X, a.Knots...) // where lines bend
		slices.Sort(p.X)
		p.X = slices.Compact(p.X)
		line := func(label string, at float64) {
			l := report.InteractionLine{Label: strings.ToValidUTF8(label, "\ufffd")}
			for _, x := range p.X {
				l.Y = append(l.Y, m.InteractionAt(i, 0, x, at))
			}
			p.Lines = append(p.Lines, l)
		}
		for l, name := range b.Categories[:min(len(b.Categories), interactionLines)] {
			line(name, float64(l))
		}
		p.Hidden = max(0, len(b.Categories)-interactionLines)
		list = append(list, p)
	}
	return list
}

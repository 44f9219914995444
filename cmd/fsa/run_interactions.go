package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"fsa/internal/decimal"
	"fsa/model"
	"fsa/report"
)

const (
	interactionPoints = 41 // numbers of the first variable that are drawn
	interactionLines  = 6  // categories of the second variable that are drawn
)

// plainInteractions returns the interactions of a model in plain numbers: what each adds over the range
// of its first number, for each category or at the mean of the second number and a standard deviation
// around it. Of a surface there is a line for each knot of the second number.
func plainInteractions(m *model.Model) []report.Interaction {
	var list []report.Interaction
	for i, t := range m.Interactions() {
		a, b := &t.Variables[0], &t.Variables[1]
		p := report.Interaction{Names: [2]string{strings.ToValidUTF8(a.Name, "\ufffd"), strings.ToValidUTF8(b.Name, "\ufffd")}, Strength: t.Norm}
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
		for _, at := range b.Knots {
			line(fmt.Sprintf("%s = %s", b.Name, decimal.Digits(at, 3)), at)
		}
		if b.Categories == nil && b.Knots == nil {
			for _, v := range []float64{b.Mean - b.SD, b.Mean, b.Mean + b.SD} {
				if !math.IsInf(v, 0) {
					line(fmt.Sprintf("%s = %s", b.Name, decimal.Digits(v, 3)), v)
				}
			}
		}
		list = append(list, p)
	}
	return list
}

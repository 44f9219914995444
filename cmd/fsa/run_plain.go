package main

import (
	"strings"

	"fsa/data/kind"
	"fsa/model"
	"fsa/report"
)

// scales are what the numbers of a kind count.
var scales = map[kind.Name]string{kind.Date: "years", kind.Time: "hours"}

// plainModel returns a model in plain numbers.
func plainModel(m *model.Model) report.Model {
	t, a := m.Training(), m.Additive()
	p := report.Model{
		Task: string(m.Task()), Loss: m.Loss(), Method: t.Method, Target: t.Target, Classes: m.Classes(), Outputs: m.Outputs(),
		Rows: t.Rows, Columns: t.Columns, Ridge: t.Ridge, Intercept: a.Intercept, Metrics: t.Metrics,
	}
	selected, kinds := m.Selected(), m.Kinds()
	for i, v := range a.Terms {
		one := report.Variable{
			Name: strings.ToValidUTF8(v.Name, "\ufffd"), Index: v.Index, Strength: v.Norm, Kind: string(v.Kind), Coefficients: v.Coefficients,
			Center: v.Center, Low: v.Low, High: v.High, Knots: v.Knots, Missing: v.Missing, Levels: v.Categories,
		}
		if c := kinds[selected[i].Name]; len(c.Parts()) > 0 {
			one.Column = strings.ToValidUTF8(selected[i].Name, "\ufffd")
			if v.Kind != model.Category {
				one.Scale, one.Show = scales[c.Kind], c.Show
			}
		}
		p.Variables = append(p.Variables, one)
	}
	return p
}

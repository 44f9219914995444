package runs

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"

	"fsa/data/kind"
	"fsa/model"
	"fsa/report"
)

// Read returns the run of a model, whose file has the given checksum. Without a folder, it has what the
// model itself holds.
func Read(m *model.Model, sum, folder string) (*report.Run, error) {
	r := &report.Run{Model: Plain(m)}
	if v := m.Validation(); v != nil {
		text, err := json.Marshal(v)
		if err == nil {
			err = json.Unmarshal(text, &r.Curve)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", filepath.Join(folder, ModelName), err)
		}
	}
	if folder == "" {
		return r, nil
	}
	folder, err := filepath.Abs(folder)
	if err != nil {
		return nil, err
	}
	r.Name = filepath.Base(folder)
	return r, r.ReadFolder(folder, sum)
}

// scales are the units of numbers of each kind.
var scales = map[kind.Name]string{kind.Date: "years", kind.Time: "hours"}

// Plain returns a model in plain numbers.
func Plain(m *model.Model) report.Model {
	t, a := m.Training(), m.Additive()
	p := report.Model{
		Task: string(m.Task()), Loss: m.Loss(), Link: string(a.Link), Method: t.Method, Target: t.Target, Classes: m.Classes(), Outputs: m.Outputs(), Names: m.OutputNames(),
		Rows: t.Rows, Columns: t.Columns, Ridge: t.Ridge, Intercept: a.Intercept, Metrics: t.Metrics,
		Interactions: interactions(m),
	}
	s := m.Settings()
	if p.Power, p.Size, p.Quantiles = s.Power, s.Size, s.Quantiles; s.Quantile > 0 {
		p.Quantiles = []float64{s.Quantile}
	}
	for _, t := range m.Targets() {
		if t.Classes != nil {
			p.Positive = append(p.Positive, strings.ToValidUTF8(t.Classes[1], "\ufffd"))
		}
	}
	p.Absent = m.AbsentNote()
	if d := m.Discoveries(); d != nil {
		p.Discoveries = d.Note(m.Training().K)
	}
	selected, kinds := m.Selected(), m.Kinds()
	for i, v := range a.Terms {
		one := report.Variable{
			Name: strings.ToValidUTF8(v.Name, "\ufffd"), Index: v.Index, Strength: v.Norm, Kind: string(v.Kind), Coefficients: v.Coefficients,
			Center: v.Center, Low: v.Low, High: v.High, Knots: v.Knots, Missing: v.Missing, Levels: v.Categories,
		}
		c := kinds[selected[i].Name]
		one.Treatment = string(c.Kind)
		if len(c.Missing) > 0 {
			one.Treatment += ", missing: " + strings.ToValidUTF8(strings.Join(c.Missing, ", "), "\ufffd")
		}
		if len(c.Parts()) > 0 {
			one.Column = strings.ToValidUTF8(selected[i].Name, "\ufffd")
			if v.Kind != model.Category {
				one.Scale, one.Show = scales[c.Kind], c.Show
			}
		}
		p.Variables = append(p.Variables, one)
	}
	return p
}

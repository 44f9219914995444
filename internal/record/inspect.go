package record

import (
	"context"

	"fsa/data"
	"fsa/model"
	"fsa/report"
)

// Findings are what the table shows about the selected variables.
type Findings struct {
	Densities   *report.Densities
	Correlation *report.Correlation
	Examples    *report.Examples // nil if single rows are not wanted
}

// Inspect reads the selected variables and a few of those that were dropped last. It holds one column
// at a time, and a sample of each.
func Inspect(ctx context.Context, m *model.Model, table *data.Dataset, late []int, rows bool) (*Findings, error) {
	c := newColumns(table)
	a, selected := m.Additive(), m.Selected()
	f := &Findings{Densities: &report.Densities{Variables: []report.Density{}}}
	outputs := m.Outputs()
	decision := make([]float64, table.Rows()*outputs)
	for i := range decision {
		decision[i] = a.Intercept[i%outputs]
	}
	var names []string
	var samples [][]float64
	for k := range a.Terms {
		t := &a.Terms[k]
		x, texts, err := c.read(ctx, &selected[k])
		if err != nil {
			return nil, err
		}
		if x == nil {
			continue
		}
		d := density(x, texts)
		d.Name, d.Index = t.Name, t.Index
		f.Densities.Variables = append(f.Densities.Variables, d)
		var first []float64
		for o := range outputs {
			part := adds(t, func(x []float64) []float64 { return m.Response(k, o, x) }, texts, o, x)
			if first == nil {
				first = part
			}
			for i, v := range part {
				decision[i*outputs+o] += v
			}
		}
		if k < correlated {
			if texts != nil { // which have no order except that of their effects
				x = first
			}
			names, samples = append(names, t.Name), append(samples, sample(x))
		}
	}
	pairs, err := c.pairs(ctx, m)
	if err != nil {
		return nil, err
	}
	for _, p := range pairs {
		for i, v := range p.adds {
			decision[i] += v
		}
	}
	chosen := len(names)
	for _, v := range late[:min(len(late), rivals)] {
		if table.Columns[v].Text {
			continue
		}
		x, err := table.Numbers(ctx, v)
		if err != nil {
			return nil, err
		}
		names, samples = append(names, table.ColumnName(v)), append(samples, sample(x))
	}
	f.Correlation = correlation(names, chosen, samples)
	if !rows || len(a.Terms) == 0 || table.Rows() == 0 {
		return f, nil
	}
	f.Examples, err = examples(ctx, m, c, pairs, decision)
	return f, err
}

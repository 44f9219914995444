package record

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"fsa/data"
	"fsa/data/kind"
	"fsa/internal/decimal"
	"fsa/model"
	"fsa/report"
)

// perKind is the number of rows of each kind that are shown.
const perKind = 3

// picked is a row that is shown, and the reason for it.
type picked struct {
	row, output int
	why         string
}

// examples returns a few typical, extreme and badly predicted rows, and the effect of each variable
// on their decision values.
func examples(ctx context.Context, m *model.Model, c *columns, pairs []pair, decision []float64) (*report.Examples, error) {
	a, selected, kinds := m.Additive(), m.Selected(), m.Kinds()
	p := m.Prediction(decision)
	target := c.table.Target
	rows := pick(m, p, target)
	e := &report.Examples{Intercept: a.Intercept, Rows: make([]report.Example, len(rows))}
	for i, r := range rows {
		e.Rows[i] = report.Example{Row: r.row + 1, Why: r.why, Target: truth(target, r.row), Output: r.output,
			Decision: round(decision[r.row*m.Outputs()+r.output]), Says: says(m, p, r.row)}
		if m.Outputs() > 1 {
			e.Rows[i].Class = m.OutputNames()[r.output]
		}
	}
	for k := range a.Terms {
		t := &a.Terms[k]
		e.Names = append(e.Names, t.Name)
		x, names, err := c.read(ctx, &selected[k])
		if err != nil {
			return nil, err
		}
		show := shower(kinds[selected[k].Name])
		for i, r := range rows {
			one := adds(t, func(x []float64) []float64 { return m.Response(k, r.output, x) }, names, r.output, x[r.row:r.row+1])
			e.Rows[i].Adds = append(e.Rows[i].Adds, round(one[0]))
			e.Rows[i].Values = append(e.Rows[i].Values, cell(x[r.row], names, show))
		}
	}
	for _, p := range pairs {
		e.Names = append(e.Names, p.of.Name())
		for i, r := range rows {
			e.Rows[i].Adds = append(e.Rows[i].Adds, round(p.adds[r.row]))
			var cells [2]string
			for k, v := range p.of.Variables {
				cells[k] = cell(p.x[k][r.row], p.text[k], shower(kinds[v.Name]))
			}
			e.Rows[i].Values = append(e.Rows[i].Values, cells[0]+", "+cells[1])
		}
	}
	return e, nil
}

// pick selects rows by their first decision value or, with several classes, by that of their class.
func pick(m *model.Model, p *model.Prediction, t *data.Target) []picked {
	outputs, n := m.Outputs(), p.Rows()
	output := make([]int, n)
	if outputs > 1 {
		for i := range output {
			output[i] = max(slices.Index(m.Classes(), truth(t, i)), 0)
		}
	}
	by := func(value func(i int) float64) []int {
		order := make([]int, n)
		for i := range order {
			order[i] = i
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(value(a), value(b)) })
		return order
	}
	z := func(i int) float64 { return p.Decision[i*outputs+output[i]] }
	var list []picked
	seen := map[int]bool{}
	add := func(row int, why string) {
		if !seen[row] {
			seen[row] = true
			list = append(list, picked{row, output[row], why})
		}
	}
	order := by(z)
	for i := range min(perKind, n) {
		add(order[(2*i+1)*n/(2*perKind)], "typical")
	}
	add(order[n-1], "highest")
	add(order[0], "lowest")
	if badness := errors(m, p, t); badness != nil {
		worst := by(func(i int) float64 { return -badness[i] })
		for _, row := range worst[:min(perKind, n)] {
			add(row, "worst predicted")
		}
	}
	return list
}

// errors returns the error of each prediction; nil if single rows cannot be judged.
func errors(m *model.Model, p *model.Prediction, t *data.Target) []float64 {
	if t == nil || t.Y == nil || m.Task() == model.Regression && m.Outputs() > 1 {
		return nil
	}
	out := make([]float64, p.Rows())
	switch m.Task() {
	case model.Regression:
		values := p.Values()
		for i := range out {
			out[i] = math.Abs(t.Y[i] - values[i])
		}
	case model.Classification:
		outputs, prob := m.Outputs(), p.Probability()
		for i := range out {
			class := slices.Index(m.Classes(), truth(t, i))
			switch {
			case class < 0:
			case outputs == 1 && len(m.Classes()) > 2:
				out[i] = 1 - prob[i*len(m.Classes())+class]
			case outputs == 1:
				out[i] = p.Decision[i] * float64(1-2*class)
			default:
				z := p.Decision[i*outputs : (i+1)*outputs]
				out[i] = slices.Max(z) - z[class]
			}
		}
	default:
		return nil
	}
	return out
}

// truth returns the target of a row as written in the table.
func truth(t *data.Target, row int) string {
	switch {
	case t == nil || t.Y == nil:
		return ""
	case t.Each != nil:
		var list []string
		for i := range t.Each {
			list = append(list, t.Each[i].Cell(row))
		}
		return strings.Join(list, ", ")
	case t.Categories != nil:
		return t.Categories[int(t.Y[row])]
	}
	return strconv.FormatFloat(t.Y[row]+0, 'f', -1, 64)
}

// says describes a prediction in words.
func says(m *model.Model, p *model.Prediction, row int) string {
	one := m.Prediction(p.Decision[row*m.Outputs() : (row+1)*m.Outputs()])
	class := one.Class()
	if class == nil {
		value := one.Decision
		if v := one.Values(); v != nil {
			value = v
		}
		var texts []string
		for _, v := range value {
			texts = append(texts, decimal.Digits(v, 3))
		}
		return strings.Join(texts, ", ")
	}
	prob := one.Probability()
	switch {
	case prob == nil:
		return class[0]
	case len(prob) == 1:
		return fmt.Sprintf("%s (probability of %s: %s)", class[0], m.Classes()[1], decimal.Digits(prob[0], 3))
	}
	return fmt.Sprintf("%s (probability %s)", class[0], decimal.Digits(slices.Max(prob), 3))
}

// shower returns a function that writes the numbers of a column: dates and times as such.
func shower(c kind.Column) func(x float64) string {
	if c.Kind == kind.Date || c.Kind == kind.Time {
		return c.Show
	}
	return func(x float64) string { return decimal.Digits(x, 5) }
}

// cell writes a cell.
func cell(x float64, names []string, show func(x float64) string) string {
	switch {
	case math.IsNaN(x), names != nil && names[int(x)] == "":
		return "missing"
	case names != nil:
		return names[int(x)]
	}
	return show(x)
}

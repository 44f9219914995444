package report

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"fsa/internal/plots"
)

// drawnResponses is the number of variables with a drawn shape function. All variables are listed,
// and the tables have the curves of all; more pictures would slow down the browser.
const drawnResponses = 150

// openResponses is the number of cards that are initially open.
const openResponses = 24

// variables fills in the list of selected variables.
func (p *page) variables(r *Run) {
	m := &r.Model
	selection := [][]string{{"variable", "column", "importance", "sign", "kind", "coefficient", "low", "high", "inclusion", "missing", "unit", "rivals"}}
	densities := [][]string{{"variable", "from", "to", "text", "rows"}}
	effects := [][]string{{"variable", "value", "adds", "class", "rows"}}
	names := m.columns()
	most := 0.0
	for i := range m.Variables {
		most = max(most, m.Variables[i].Strength)
	}
	for i := range m.Variables {
		v := &m.Variables[i]
		row := newVariableRow(r, v, i, most)
		p.Columns.Share = p.Columns.Share || row.Share != ""
		p.Columns.Missing = p.Columns.Missing || row.Missing != "" && row.Missing != "0%"
		p.Columns.Interval = p.Columns.Interval || row.Interval != ""
		p.Columns.Rivals = p.Columns.Rivals || row.Rivals != ""
		p.Columns.Long = p.Columns.Long || utf8.RuneCountInString(row.Strength) > 8
		f := responseFigure(r, i)
		p.Banded, p.Level = p.Banded || f.banded, r.intervals()
		p.Rugged = p.Rugged || len(f.chart.Rug) > 0
		p.Hist = p.Hist || len(f.chart.Bars) > 0 && len(f.chart.YNames) == 0
		for _, cells := range f.Table[1:] {
			line := []string{v.Name, cells[0], cells[1], "", ""}
			if v.Kind == KindCategory {
				line[2], line[4] = cells[2], cells[1]
			}
			if m.Outputs > 1 {
				line[3] = cells[len(cells)-1]
			}
			effects = append(effects, line)
		}
		if i < drawnResponses {
			f.Card = true
			row.Response, row.Open = newFigure(f), i < openResponses
			row.Spark = spark(r, v.inUnits(&r.Model))
		}
		p.Variables = append(p.Variables, row)
		coefficient := ""
		if v.Kind == KindLinear && m.Outputs == 1 {
			coefficient = exact(v.Coefficients[0][0])
		}
		low, high := "", ""
		if s := r.interval(v, i); row.Interval != "" {
			low, high = exact(s.Low[0]), exact(s.High[0])
		}
		selection = append(selection, []string{v.Name, strconv.Itoa(v.Index), exact(v.Strength), strconv.Itoa(v.sign()), v.Kind, coefficient, low, high, row.SortShare, row.Miss, row.Unit, plots.Bare(row.Rivals)})
		densities = append(densities, r.density(v).table(v.Name)...)
	}
	p.Data.CSV["selection"], p.Data.CSV["effects"] = csvText(selection), csvText(effects)
	if len(densities) > 1 {
		p.Columns.Density = true
		p.Data.CSV["densities"] = csvText(densities)
	}
	p.Data.Copy["csv"] = csvText(selection)
	p.Data.Copy["list"] = pythonList(names)
	p.Data.Copy["names"] = strings.Join(names, "\n") + "\n"
}

func newVariableRow(r *Run, v *Variable, i int, most float64) variableRow {
	row := variableRow{Rank: i + 1, Name: v.Name, Unit: unitOf(v.Name), Strength: steady(v.Strength), SortStrength: exact(v.Strength), Tint: tintName(tintOf(v)),
		Sign: map[int]string{1: "raises", -1: "lowers", 0: "varies"}[v.sign()], Bar: strconv.Itoa(max(1, int(100*v.Strength/max(most, 1e-300)))), SortShare: "", Miss: ""}
	switch {
	case v.Kind == KindLinear && r.Model.Outputs == 1:
		row.Coefficient = steady(v.Coefficients[0][0])
	case v.Kind == KindLinear:
		if row.Coefficient = "by class"; r.Model.Classes == nil {
			row.Coefficient = "by output"
		}
	case v.Kind == KindCategory:
		row.Coefficient = plural(len(v.Levels), "category", "categories")
	default:
		row.Coefficient = "curve"
	}
	if share, of, known := r.frequency(v.column()); known {
		row.Share, row.ShareOf, row.SortShare = percent(share), of, exact(share)
		if v.Column != "" {
			row.Share += " (" + v.Column + ")"
		}
		row.ShareBar = strconv.Itoa(int(100 * share))
	}
	if s := r.interval(v, i); s != nil {
		if v.Kind == KindLinear && len(s.Low) == 1 && len(s.High) == 1 {
			row.Interval = brief(s.Low[0]) + " to " + brief(s.High[0])
		}
	}
	var rivals []string
	for _, rival := range r.rivals(v) {
		rivals = append(rivals, rival.String())
	}
	row.Rivals = strings.Join(rivals[:min(len(rivals), 3)], ", ")
	if d := r.density(v); d != nil {
		share := float64(d.Missing) / float64(max(d.Rows, 1))
		row.Missing, row.Miss = percent(share), exact(share)
		row.Numbers = append(row.Numbers, pair{"missing", fmt.Sprintf("%d of %s (%s)", d.Missing, plural(d.Rows, "row", "rows"), row.Missing)})
		if len(d.Edges) > 1 {
			row.Numbers = append(row.Numbers, pair{"mean ± sd", strings.TrimSpace(v.show(asExact(d.Mean, d.SD)) + " ± " + brief(d.SD) + " " + v.Scale)}, pair{"range", v.show(d.Edges[0]) + " to " + v.show(d.Edges[len(d.Edges)-1])})
		}
	}
	return row.with(r, v)
}

// with adds the numbers beside the shape function.
func (row variableRow) with(r *Run, v *Variable) variableRow {
	var more []pair
	if v.Kind == KindLinear {
		for c := range min(len(v.Coefficients), shownClasses) {
			name := "coefficient"
			if class := className(&r.Model, c); class != "" {
				name += " of " + class
			}
			more = append(more, pair{name, brief(v.Coefficients[c][0])})
		}
		if d := r.density(v); d != nil && d.SD > 0 && len(v.Coefficients) == 1 {
			more = append(more, pair{"per standard deviation", brief(v.Coefficients[0][0] * d.SD)})
		}
	}
	if row.Interval != "" {
		more = append(more, pair{"interval", row.Interval})
	}
	if row.Share != "" {
		more = append(more, pair{"selected in", row.Share + " of the " + row.ShareOf})
	}
	if row.Rivals != "" {
		more = append(more, pair{"rivals", row.Rivals})
	}
	if row.Unit != "" {
		more = append(more, pair{"unit", row.Unit})
	}
	row.Numbers = append(more, row.Numbers...)
	if v.Treatment != "" {
		row.Numbers = append(row.Numbers, pair{"treatment", v.Treatment})
	}
	return row
}

// unitOf returns the unit at the end of a name, such as kg in weight [kg].
func unitOf(name string) string {
	for _, b := range []string{"[]", "()"} {
		if open := strings.LastIndexByte(name, b[0]); open > 0 && strings.HasSuffix(name, b[1:]) && len(name)-open <= 14 {
			return name[open+1 : len(name)-1]
		}
	}
	return ""
}

// table returns the counts of a histogram or of texts, or nothing if they are not known.
func (d *Density) table(name string) (lines [][]string) {
	if d == nil {
		return nil
	}
	for i, n := range d.Counts {
		lines = append(lines, []string{name, exact(d.Edges[i]), exact(d.Edges[i+1]), "", strconv.Itoa(n)})
	}
	for _, l := range d.Levels {
		lines = append(lines, []string{name, "", "", l.Text, strconv.Itoa(l.Rows)})
	}
	if d.Missing > 0 {
		lines = append(lines, []string{name, "", "", "", strconv.Itoa(d.Missing)})
	}
	return lines
}

// pythonList formats names as a Python list.
func pythonList(names []string) string {
	var quoted []string
	for _, name := range names {
		quoted = append(quoted, pythonText(name))
	}
	return "[" + strings.Join(quoted, ", ") + "]\n"
}

// pythonText formats a string as a Python literal.
func pythonText(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range strings.ToValidUTF8(s, "\ufffd") {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < ' ' || r == 0x7f:
			fmt.Fprintf(&b, "\\x%02x", r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"

	"fsa/internal/template"
)

// Write writes the report of a run as one self-contained HTML document.
func Write(w io.Writer, r *Run) error {
	p := newPage(r)
	return pageTemplate.Execute(w, p)
}

func newPage(r *Run) *page {
	p := &page{
		Title: r.title(), Headline: headline(r), Lead: r.lead(), Policy: policy(), CSS: template.Verbatim(pageCSS), JS: template.Verbatim(pageJS),
		Facts: facts(r), Data: pageData{CSV: map[string]string{}, Copy: map[string]string{}},
	}
	p.Curve, p.Strongest = p.figure(curveFigure(r)), r.strongest()
	p.variables(r)
	p.Stable, p.StableText = p.figure(stabilityBars(r, pageBars)), stableText(r)
	p.Rivals = rivalRows(r)
	if r.Curve != nil && r.Curve.Near != nil {
		p.Near, p.NearRows = r.Curve.Near.text(), r.Curve.Near.rows()
		p.Data.CSV["near"] = csvText(r.Curve.Near.table())
	}
	for _, f := range []*Figure{aliveFigure(r), pathFigure(r)} {
		if f != nil {
			f.Half = false
			p.Descent = append(p.Descent, p.figure(f))
		}
	}
	p.late(r)
	for _, f := range interactionFigures(r) {
		p.Interactions = append(p.Interactions, p.figure(f))
	}
	for _, f := range qualityFigures(r) {
		p.Quality = append(p.Quality, p.figure(f))
	}
	p.measures(r)
	if p.Threshold = newThresholds(r); p.Threshold != nil {
		p.Data.Threshold = p.Threshold
		p.Data.CSV["thresholds"] = csvText(p.Threshold.table())
		p.Negative, p.Positive = r.Model.Classes[0], r.Model.Classes[1]
		if r.Rows != nil {
			_, p.Probability = r.Rows.score()
		}
	}
	if p.Confusion = newConfusion(r); p.Confusion != nil {
		p.Data.CSV["confusion"] = csvText(p.Confusion.table())
	}
	for _, f := range exampleFigures(r) {
		p.Examples = append(p.Examples, p.figure(f))
	}
	if p.Matrix = newMatrix(r.Correlation); p.Matrix != nil {
		p.Data.CSV["correlation"] = csvText(r.Correlation.table())
	}
	if n := r.Model.Outputs; n > shownClasses {
		p.OfClasses = fmt.Sprintf(" The first %d of %d classes are drawn; the CSV has all.", shownClasses, n)
	}
	p.treatments(r)
	p.provenance(r)
	return p
}

// late lists the variables that were dropped last.
func (p *page) late(r *Run) {
	if r.Path == nil {
		return
	}
	table := [][]string{{"variable", "column", "dropped_in_epoch", "last_coefficient", "most_like", "correlation"}}
	for _, l := range r.Path.Lines {
		if l.Chosen {
			continue
		}
		line := []string{l.Name, strconv.Itoa(l.Index), strconv.Itoa(l.Left), "", "", ""}
		if n := len(l.Values); n > 0 {
			line[3] = exact(l.Values[n-1])
		}
		if other, v := like(r.Correlation, l.Name); other != "" {
			line[4], line[5] = other, exact(v)
		}
		if table = append(table, line); len(p.Late) == namedLate {
			continue
		}
		row := lateRow{Name: l.Name, Left: strconv.Itoa(l.Left)}
		if n := len(l.Values); n > 0 {
			row.Value = brief(l.Values[n-1])
		}
		if other, v := like(r.Correlation, l.Name); other != "" {
			row.Like = fmt.Sprintf("%s (%s)", other, brief(v))
		}
		p.Late = append(p.Late, row)
	}
	p.Data.CSV["late"] = csvText(table)
}

// like returns the selected variable that has the largest correlation with another one.
func like(c *Correlation, name string) (string, float64) {
	if c == nil {
		return "", 0
	}
	i := slices.Index(c.Names[c.Chosen:], name)
	if i < 0 {
		return "", 0
	}
	best, at := 0.3, -1
	for j := range c.Chosen {
		if v := abs(c.Values[c.Chosen+i][j]); v > best {
			best, at = v, j
		}
	}
	if at < 0 {
		return "", 0
	}
	return c.Names[at], c.Values[c.Chosen+i][at]
}

// measures compares measures on training rows with those on other rows.
func (p *page) measures(r *Run) {
	all := map[string]bool{}
	var other map[string]float64
	if r.Curve != nil {
		other = r.Curve.Metrics
		if x := r.Curve.Reference; x != nil {
			p.Reference = x.Text()
		}
	}
	for name := range r.Model.Metrics {
		all[name] = true
	}
	for name := range other {
		all[name] = true
	}
	var names []string
	for name := range all {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Compare(MeasureName(a), MeasureName(b)) })
	table := [][]string{{"measure", "training_rows", "rows_not_learned_from"}}
	write := func(m map[string]float64, name string, as func(float64) string) string {
		if v, ok := m[name]; ok {
			return as(v)
		}
		return ""
	}
	p.Validated = other != nil
	for _, name := range names {
		p.Measures = append(p.Measures, measureRow{MeasureName(name), write(r.Model.Metrics, name, precise), write(other, name, precise)})
		table = append(table, []string{name, write(r.Model.Metrics, name, exact), write(other, name, exact)})
	}
	p.Data.CSV["measures"] = csvText(table)
}

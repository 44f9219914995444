package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"

	"fsa/internal/plots"
	"fsa/internal/template"
)

// shownMembers is the number of variables that the page lists; the table has all.
const shownMembers = 300

// WriteComparison writes a page that compares runs.
func WriteComparison(w io.Writer, runs []*Run) error {
	if err := Comparable(runs); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	p := &page{
		Title: plural(len(runs), "run", "runs") + " side by side", Policy: policy(), CSS: template.Verbatim(pageCSS), JS: template.Verbatim(pageJS),
		Data: pageData{CSV: map[string]string{}, Copy: map[string]string{}},
	}
	c := &comparison{}
	p.Comparison = c
	names := comparedMeasures(runs)
	table := [][]string{append([]string{"run", "variables"}, names...)}
	for _, n := range names {
		c.Measures = append(c.Measures, MeasureName(n))
	}
	for _, r := range runs {
		row := comparedRun{Name: r.Name, Size: strconv.Itoa(len(r.Model.columns())), What: r.lead()}
		line := []string{r.Name, row.Size}
		for _, n := range names {
			text, number := "", ""
			if v, ok := r.Model.Metrics[n]; ok {
				text, number = precise(v)+" *", exact(v)
			}
			if r.Curve != nil {
				if v, ok := r.Curve.Metrics[n]; ok {
					text, number = precise(v), exact(v)
				}
			}
			row.Values, line = append(row.Values, text), append(line, number)
		}
		if r.Record != nil {
			row.Seconds, row.Command = brief(r.Record.Seconds.Fit), r.Record.Line()
		}
		c.Runs = append(c.Runs, row)
		table = append(table, line)
	}
	p.Data.CSV["runs"] = csvText(table)
	c.Curves = p.figure(curvesFigure(runs))
	var pairs [][]string
	if c.Paired, pairs = paired(runs); c.Paired != nil {
		p.Data.CSV["paired"] = csvText(pairs)
		c.First = runs[0].Name
	}
	shared := p.members(runs)
	for _, f := range overlays(runs, c.Members) {
		c.Shared = append(c.Shared, p.figure(f))
	}
	var records []*RunRecord
	for _, r := range runs {
		records = append(records, r.Record)
	}
	c.Settings = settings(records)
	p.Headline = fmt.Sprintf("%s selected by at least one run, %d by all.", plural(len(c.Members)+c.Hidden, "variable is", "variables are"), shared)
	return pageTemplate.Execute(w, p)
}

// comparedMeasures returns the measures that at least one run has.
func comparedMeasures(runs []*Run) []string {
	var names []string
	for _, n := range append(slices.Clone(preferred), "logloss") {
		if slices.ContainsFunc(runs, func(r *Run) bool { _, ok := r.Model.Metrics[n]; return ok }) {
			names = append(names, n)
		}
	}
	return names
}

// curvesFigure draws the curves of runs that compared sizes by the same measure.
func curvesFigure(runs []*Run) *Figure {
	chart := &plots.Chart{X: "number of variables", WholeX: true}
	table := [][]string{{"run", "size", "mean", "standard_error"}}
	measure := ""
	for i, r := range runs {
		if r.Curve == nil || len(r.Curve.Points) < 2 || measure != "" && r.Curve.Measure != measure {
			continue
		}
		measure = r.Curve.Measure
		line := plots.Curve{Name: r.Name, Label: r.Name, Tint: classTint(i), Dots: true}
		for _, p := range r.Curve.Points {
			line.X, line.Y = append(line.X, float64(p.Size)), append(line.Y, p.Mean)
			line.Tips = append(line.Tips, fmt.Sprintf("%s, %d: %s ± %s", r.Name, p.Size, brief(p.Mean), brief(p.SE)))
			table = append(table, []string{r.Name, strconv.Itoa(p.Size), exact(p.Mean), exact(p.SE)})
		}
		chart.Curves = append(chart.Curves, line)
	}
	if len(chart.Curves) == 0 {
		return nil
	}
	chart.Y = "cross-validated " + MeasureName(measure)
	return &Figure{ID: "curves", Title: "Error by number of variables", chart: chart, Table: table, Alt: fmt.Sprintf("Curves of error against size of %d runs.", len(chart.Curves))}
}

// members lists which run selected which variables, and returns the number of variables that all
// runs selected.
func (p *page) members(runs []*Run) int {
	index := map[string]int{}
	var all []member
	for i, r := range runs {
		for rank, v := range r.Model.Variables {
			at, ok := index[v.Name]
			if !ok {
				at = len(all)
				index[v.Name] = at
				all = append(all, member{Name: v.Name, Ranks: make([]string, len(runs)), best: rank})
			}
			if m := &all[at]; m.Ranks[i] == "" {
				m.Ranks[i] = strconv.Itoa(rank + 1)
				m.in++
				m.best = min(m.best, rank)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b member) int {
		return cmp.Or(b.in-a.in, a.best-b.best)
	})
	head := []string{"variable"}
	for _, r := range runs {
		head = append(head, r.Name)
	}
	table := [][]string{head}
	shared := 0
	for _, m := range all {
		table = append(table, append([]string{m.Name}, m.Ranks...))
		if m.in == len(runs) {
			shared++
		}
	}
	p.Data.CSV["shared"] = csvText(table)
	p.Comparison.Members = all[:min(len(all), shownMembers)]
	p.Comparison.Hidden = len(all) - len(p.Comparison.Members)
	return shared
}

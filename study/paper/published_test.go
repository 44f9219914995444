package paper

import (
	"math"
	"testing"
)

// The tables of the paper have a number for every size, method and metric but one: methods that
// keep all variables have no detection rate.
func TestPublishedTablesAreComplete(t *testing.T) {
	for _, c := range []struct {
		comparison
		sizes int
	}{{classification, 7}, {classificationNoisy, 7}, {regression, 4}} {
		table := readPublished(c.file)
		if len(table.sizes) != c.sizes {
			t.Errorf("%s: %d sizes, want %d", c.name, len(table.sizes), c.sizes)
		}
		used := 0
		for _, s := range table.sizes {
			for _, co := range c.contenders {
				if co.polish { // the paper has none
					continue
				}
				for _, metric := range []string{dr, pcd, c.measure, seconds} {
					f, ok := table.figures[spot{s, co.label, metric}]
					if ok == (metric == pcd && co.free) {
						t.Errorf("%s: %v, %s, %s: printed %v", c.name, s, co.label, metric, ok)
					}
					if ok {
						used++
					}
					if ok && metric != seconds && metric != rmse && (f.value < 0 || f.value > 100) {
						t.Errorf("%s: %v, %s: %s = %v", c.name, s, co.label, metric, f.value)
					}
				}
			}
		}
		if used != len(table.figures) {
			t.Errorf("%s: %d of %d printed numbers have a place", c.name, used, len(table.figures))
		}
	}
}

// Every line of the paper on real data is in our table.
func TestPublishedLinesHaveAPlace(t *testing.T) {
	table := readUCI()
	if len(table.lines) != 16 || len(table.times) != 8 {
		t.Errorf("%d lines and %d times", len(table.lines), len(table.times))
	}
	for _, p := range table.lines {
		found := false
		for _, d := range datasets() {
			for _, l := range d.lines {
				if d.printed != p.data || l.label != p.method {
					continue
				}
				for metric, want := range p.figures {
					got, ok := table.find(d.printed, l.label, l.k, metric)
					found = found || ok && got == want
				}
			}
		}
		if !found {
			t.Errorf("%s, %s, k = %d has no place", p.data, p.method, p.k)
		}
	}
}

func TestParseFigure(t *testing.T) {
	for text, want := range map[string]figure{"86.1": {86.1, 0.1}, ".992": {0.992, 0.001}, "1.00": {1, 0.01}, "34": {34, 1}, "0.": {0, 1}} {
		got, err := parseFigure(text)
		if err != nil || got.value != want.value || math.Abs(got.unit-want.unit) > 1e-12 {
			t.Errorf("%q: %+v, %v, want %+v", text, got, err, want)
		}
	}
	if _, err := parseFigure("-"); err == nil {
		t.Error("a dash is no number")
	}
}

func TestCompare(t *testing.T) {
	for _, c := range []struct {
		metric     string
		ours, se   float64
		runs       int
		printed    figure
		wantDiffer bool
	}{
		{dr, 100, 0, 100, figure{99, 1}, false},
		{dr, 100, 0, 100, figure{80, 1}, true},
		{dr, 100, 0, 2, figure{0, 1}, false}, // two runs are too few
		{dr, 30, 4.6, 100, figure{34, 1}, false},
		{auc, 1, 0, 100, figure{1, 0.001}, false},
		{auc, 0.9996, 0, 100, figure{1, 0.001}, false}, // rounding
		{auc, 0.99, 0.0001, 100, figure{0.992, 0.001}, true},
		{pcd, 88, 1, 100, figure{86.1, 0.1}, false},
		{pcd, 95, 1, 100, figure{86.1, 0.1}, true},
		{seconds, 1, 0.01, 100, figure{1000, 1}, false},
	} {
		row := Row{Metric: c.metric, Ours: &c.ours, SE: &c.se, Runs: c.runs}
		row.compare(c.printed, true)
		if row.Differs != c.wantDiffer || *row.Published != c.printed.value {
			t.Errorf("%s of %v ± %v (%d runs) against %v: %v", c.metric, c.ours, c.se, c.runs, c.printed, row.Differs)
		}
	}
	row := Row{Metric: dr}
	if row.compare(figure{5, 1}, false); row.Published != nil {
		t.Error("what was not printed is there")
	}
}

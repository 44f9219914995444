package real

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
)

// Standing compares a setting of fsa, with open size, with a reference on one table, by one
// measure.
type Standing struct {
	Family    string `json:"family"`
	Set       string `json:"set"`
	Method    string `json:"method"`
	Reference string `json:"reference"`
	Measure   string `json:"measure"`
	// Ahead is the mean advantage of fsa over splits, positive if fsa is better.
	Ahead float64 `json:"ahead"`
	// SE is the standard error of the paired difference over the held-out rows of a split: the root
	// mean square over splits. More splits do not make it smaller, because splits of one table
	// share rows.
	SE     float64 `json:"se"`
	Splits int     `json:"splits"`
}

// Level reports whether fsa is better, or worse by at most one standard error.
func (s *Standing) Level() bool { return s.Ahead >= -s.SE }

// byRow are the measures that are means over rows.
var byRow = []string{logLoss, r2, errorRate}

// standings compares all settings of fsa with all references, table by table.
func standings(records []Record) []Standing {
	split := map[fit]map[string]Record{}
	for _, r := range records {
		at := fit{r.Set, r.Seed, 0}
		if split[at] == nil {
			split[at] = map[string]Record{}
		}
		split[at][r.Method] = r
	}
	seeds := distinct(records, func(r Record) uint64 { return r.Seed })
	var out []Standing
	for _, set := range distinct(records, func(r Record) string { return r.Set }) {
		for _, measure := range byRow {
			for _, ours := range settings(records) {
				for _, reference := range ReferenceNames() {
					s := Standing{Set: set, Method: ours, Reference: reference, Measure: measure}
					var square float64
					for _, seed := range seeds {
						a, b := split[fit{set, seed, 0}][ours], split[fit{set, seed, 0}][reference]
						mean, se, ok := difference(b.rows[measure], a.rows[measure])
						if !ok {
							continue
						}
						s.Family, s.Splits = a.Family, s.Splits+1
						s.Ahead += mean
						square += se * se
					}
					if s.Splits > 0 {
						s.Ahead /= float64(s.Splits)
						s.SE = math.Sqrt(square / float64(s.Splits))
						out = append(out, s)
					}
				}
			}
		}
	}
	return out
}

// difference returns the mean of a − b over rows, and its standard error.
func difference(a, b []float64) (mean, se float64, ok bool) {
	if len(a) != len(b) || len(a) < 2 {
		return 0, 0, false
	}
	n := float64(len(a))
	for i := range a {
		mean += (a[i] - b[i]) / n
	}
	var square float64
	for i := range a {
		d := a[i] - b[i] - mean
		square += d * d
	}
	return mean, math.Sqrt(square / (n - 1) / n), true
}

// settings lists those of fsa that were measured.
func settings(records []Record) []string {
	return slices.DeleteFunc(distinct(records, func(r Record) string { return r.Method }), func(name string) bool {
		return slices.Contains(ReferenceNames(), name)
	})
}

// standings writes the comparison of fsa with the references: a table per data set, then the share
// of tables on which fsa is level.
func (r *Result) standings(w io.Writer) {
	ours := settings(r.Records)
	theirs := slices.DeleteFunc(ReferenceNames(), func(name string) bool {
		return !slices.ContainsFunc(r.Records, func(x Record) bool { return x.Method == name })
	})
	fmt.Fprintf(w, "\n## Beside references that use all columns, table by table\n\nMeans over splits of held-out rows; in brackets the mean number of variables. A difference is by how much the first is ahead (+) or behind (−),\n"+
		"± its standard error over the held-out rows of a split. ▼ marks more than one standard error behind.\n\n")
	head := append([]string{"table", "rows × columns", "measure"}, slices.Concat(ours, theirs)...)
	for _, b := range theirs {
		for _, a := range ours {
			head = append(head, a+" − "+b)
		}
	}
	line(w, head)
	fmt.Fprintln(w, strings.Repeat("|---", len(head))+"|")
	for _, set := range distinct(r.Records, func(x Record) string { return x.Set }) {
		var here []Record
		for _, x := range r.Records {
			if x.Set == set {
				x.Family = set
				here = append(here, x)
			}
		}
		for _, measure := range byRow {
			if _, ok := here[0].Measures[measure]; !ok {
				continue
			}
			cells := []string{set, fmt.Sprintf("%d × %d", here[0].Rows, here[0].Cols), measure}
			for _, name := range ours {
				cell := "–"
				if mean := meanOf(here, set, name, measure); mean == mean {
					cell = fmt.Sprintf("%.4f (%.3g)", mean, selected(here, name))
				}
				cells = append(cells, cell)
			}
			for _, name := range theirs {
				cells = append(cells, number(meanOf(here, set, name, measure)))
			}
			for _, b := range theirs {
				for _, a := range ours {
					cells = append(cells, r.standing(set, a, b, measure))
				}
			}
			line(w, cells)
		}
	}
	r.shares(w)
}

// number writes a mean that may be unknown.
func number(v float64) string {
	if v != v {
		return "–"
	}
	return fmt.Sprintf("%.4f", v)
}

// selected returns the mean number of variables of a method.
func selected(records []Record, method string) float64 {
	var sum, n float64
	for _, r := range records {
		if r.Method == method {
			sum += float64(r.Selected)
			n++
		}
	}
	return sum / n
}

// standing writes the advantage of fsa on a table.
func (r *Result) standing(set, ours, reference, measure string) string {
	for _, s := range r.Standings {
		if s.Set == set && s.Method == ours && s.Reference == reference && s.Measure == measure {
			text := fmt.Sprintf("%s ± %.4f", signed(s.Ahead), s.SE)
			if !s.Level() {
				text += " ▼"
			}
			return text
		}
	}
	return "–"
}

// shares writes on what share of tables fsa is level with the references.
func (r *Result) shares(w io.Writer) {
	type place struct{ ours, reference, measure string }
	level, tables := map[place]int{}, map[place]int{}
	for _, s := range r.Standings {
		measure := "log loss or R²"
		if s.Measure == errorRate {
			measure = "error"
		}
		at := place{s.Method, s.Reference, measure}
		tables[at]++
		if s.Level() {
			level[at]++
		}
	}
	var order []place
	for at := range tables {
		order = append(order, at)
	}
	slices.SortFunc(order, func(a, b place) int {
		return cmp.Or(-cmp.Compare(a.measure, b.measure), cmp.Compare(a.reference, b.reference), cmp.Compare(a.ours, b.ours))
	})
	fmt.Fprintf(w, "\n## Tables on which fsa is better than a reference, or worse by at most one standard error\n\n")
	line(w, []string{"measure", "reference", "setting", "tables", "share"})
	fmt.Fprintln(w, strings.Repeat("|---", 5)+"|")
	for _, at := range order {
		share := float64(level[at]) / float64(tables[at])
		line(w, []string{at.measure, at.reference, at.ours, fmt.Sprintf("%d of %d", level[at], tables[at]), percent(&share)})
	}
}

package report

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"

	"fsa/internal/decimal"
	"fsa/validate"
)

// ErrApart is wrapped by errors about runs that cannot be compared.
var ErrApart = errors.New("runs on different tables or targets cannot be compared")

// Comparable returns an error unless all runs have the same table and target.
func Comparable(runs []*Run) error {
	for _, r := range runs[min(1, len(runs)):] {
		first := runs[0]
		for _, f := range []struct{ what, a, b string }{
			{"the task", first.Model.Task, r.Model.Task},
			{"the target", first.Model.Target, r.Model.Target},
			{"the classes", fmt.Sprint(sorted(first.Model.Classes)), fmt.Sprint(sorted(r.Model.Classes))},
		} {
			if f.a != f.b {
				return fmt.Errorf("%s of %s is %q, and of %s %q: %w", f.what, first.Name, f.a, r.Name, f.b, ErrApart)
			}
		}
		if what := apart(first.Record, r.Record); what != "" {
			return fmt.Errorf("%s and %s have different tables (%s): %w", first.Name, r.Name, what, ErrApart)
		}
	}
	return nil
}

func sorted(list []string) []string { return slices.Sorted(slices.Values(list)) }

// apart returns how the tables of two runs differ, or "" if they are the same as far as is known.
func apart(a, b *RunRecord) string {
	switch {
	case a == nil || b == nil || a.Line() == "" || b.Line() == "":
		return ""
	case a.Data.SHA256 != "" && b.Data.SHA256 != "":
		if a.Data.SHA256 == b.Data.SHA256 {
			return ""
		}
		if x, y := filepath.Base(a.Data.File), filepath.Base(b.Data.File); x != y {
			return fmt.Sprintf("%s and %s", x, y)
		}
		return "the file was changed between the fits"
	case a.Data.Rows != b.Data.Rows:
		return fmt.Sprintf("%s and %s rows", decimal.Count(a.Data.Rows), decimal.Count(b.Data.Rows))
	}
	return ""
}

// rowLosses returns the out-of-fold loss of each row, by its number, and the name of the loss; nil
// if it is unknown.
func rowLosses(r *Run) (map[int]float64, string) {
	x := r.Rows
	if x == nil {
		return nil, ""
	}
	out := make(map[int]float64, len(x.Target))
	set := func(loss func(i int) float64) map[int]float64 {
		for i, row := range x.Row {
			out[row] = loss(i)
		}
		return out
	}
	log := func(p float64) float64 { return -math.Log(min(max(p, 1e-15), 1)) }
	y := x.numbers()
	switch n := len(x.Classes); {
	case r.Model.Task == Regression && y != nil && len(x.Number) == len(y):
		return set(func(i int) float64 { return (y[i] - x.Number[i]) * (y[i] - x.Number[i]) }), "squared error"
	case r.Model.Task != Classification:
		return nil, ""
	case n > 1 && len(x.Probability) == n*len(x.Target):
		return set(func(i int) float64 {
			at := slices.Index(x.Classes, x.Target[i])
			if at < 0 {
				return log(0)
			}
			return log(x.Probability[i*n+at])
		}), "log loss"
	case len(r.Model.Classes) == 2 && len(x.Probability) == len(x.Target):
		return set(func(i int) float64 {
			if x.Target[i] == r.Model.Classes[1] {
				return log(x.Probability[i])
			}
			return log(1 - x.Probability[i])
		}), "log loss"
	case len(r.Model.Classes) == 2 && len(x.Number) == len(x.Target):
		return set(func(i int) float64 {
			if (x.Number[i] >= 0) == (x.Target[i] == r.Model.Classes[1]) {
				return 0
			}
			return 1
		}), "error rate"
	}
	return nil, ""
}

// Pairs are the out-of-fold losses of two runs in the rows that both have predicted.
type Pairs struct {
	Loss                      string // name of the loss
	Row                       []int  // number of each row, from 1
	First, Second, Difference []float64
}

// Pair pairs the losses of two runs. It returns nil if rows have no losses or the losses differ.
func Pair(first, second *Run) *Pairs {
	a, loss := rowLosses(first)
	b, kind := rowLosses(second)
	if a == nil || kind != loss {
		return nil
	}
	p := &Pairs{Loss: loss}
	for _, row := range second.Rows.Row { // in row order, so that sums are always the same
		if of, known := a[row]; known {
			p.Row, p.First, p.Second, p.Difference = append(p.Row, row), append(p.First, of), append(p.Second, b[row]), append(p.Difference, b[row]-of)
		}
	}
	return p
}

// paired compares each run with the first, row by row.
func paired(runs []*Run) (rows []pairedRow, table [][]string) {
	table = [][]string{{"run", "against", "loss", "rows", "difference", "low", "high"}}
	for _, r := range runs[1:] {
		p := Pair(runs[0], r)
		if p == nil || len(p.Row) < 2 {
			continue
		}
		d := validate.Paired(p.Difference, nil, nil)
		verdict := "no clear difference"
		switch {
		case d.High < 0:
			verdict = r.Name + " is better"
		case d.Low > 0:
			verdict = runs[0].Name + " is better"
		}
		rows = append(rows, pairedRow{r.Name, p.Loss, decimal.Count(d.Units), withSign(d.Mean), brief(d.Low) + " to " + brief(d.High), verdict})
		table = append(table, []string{r.Name, runs[0].Name, p.Loss, fmt.Sprint(d.Units), exact(d.Mean), exact(d.Low), exact(d.High)})
	}
	return rows, table
}

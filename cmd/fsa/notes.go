package main

import (
	"math"
	"slices"

	"fsa"
	"fsa/data"
)

// notes says what may surprise about a model.
func notes(p *progress, m *fsa.Model, t *data.Dataset, o *fsa.Options) {
	method, n := m.Training().Method, len(m.Selected())
	switch {
	case method == "" && n < o.K && len(o.Groups) == 0:
		p.note("only %d of the %d variables vary, so %d were selected", n, t.Width(), n)
	case method != "" && n > o.K:
		p.note("the model has %d variables: --method %s ignores -k", n, method)
	}
	if n := wholeNumbers(t.Target.Y); n > 0 && method == "" && o.LossName == "auto" && m.Task() == fsa.Regression {
		p.note("the target has %d different whole numbers: if they are classes, give --loss multinomial", n)
	}
	if m.Training().Doubted {
		p.note("much of what %d of %d variables explain in %d rows may be chance, so coefficients are shrunk; --shrink 0 leaves them as they are", n, t.Width(), t.Rows())
	}
	textNotes(p, t)
	if m.Task() == fsa.Ranking && t.Target.Query == nil && t.Target.Pairs == nil {
		p.note("all rows were ranked as one query: if there are several, name them with --query")
	}
}

// textNotes names columns of text of which little can be learned.
func textNotes(p *progress, t *data.Dataset) {
	const most = 5 // that are named
	n := 0
	for j := range t.Columns {
		if levels := len(t.Categories(j)); t.Columns[j].Text && 2*levels > t.Rows() {
			if n++; n <= most {
				p.note("column %s has %d different texts in %d rows, of which little can be learned: --drop leaves it out", t.ColumnName(j), levels, t.Rows())
			}
		}
	}
	if n > most {
		p.note("so it is with %d more columns of text", n-most)
	}
}

// wholeNumbers returns how many different numbers there are if they could be
// classes, that is if all are whole and few; else 0.
func wholeNumbers(y []float64) int {
	const few = 20
	var seen []float64
	for _, v := range y {
		if v != math.Trunc(v) || len(seen) > few {
			return 0
		}
		if !slices.Contains(seen, v) {
			seen = append(seen, v)
		}
	}
	if len(seen) > few {
		return 0
	}
	return len(seen)
}

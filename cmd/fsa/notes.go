package main

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

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
	textNotes(p, t)
	if m.Task() == fsa.Ranking && t.Target.Query == nil && t.Target.Pairs == nil {
		p.note("all rows were ranked as one query: if there are several, name them with --query")
	}
}

// textNotes names columns of text of which more could be learned, or nothing.
func textNotes(p *progress, t *data.Dataset) {
	const most = 5 // that are named
	var signed, single int
	for j := range t.Columns {
		if !t.Columns[j].Text {
			continue
		}
		name, levels := t.ColumnName(j), t.Levels(j)
		if like := signedNumber(levels); like != "" {
			if signed++; signed <= most {
				p.note("column %s has texts like %q, which are categories: without signs they would be numbers", name, like)
			}
		} else if 2*len(levels) > t.Rows() {
			if single++; single <= most {
				p.note("column %s has %d different texts in %d rows, of which little can be learned: --drop leaves it out", name, len(levels), t.Rows())
			}
		}
	}
	if n := max(signed-most, 0) + max(single-most, 0); n > 0 {
		p.note("so it is with %d more columns of text", n)
	}
}

// signs are what people write beside numbers, or between their digits.
var signs = strings.NewReplacer("$", "", "€", "", "£", "", "¥", "", "%", "", ",", "", "'", "", " ", "")

// signedNumber returns one of the texts if nearly all are numbers but for signs, else "".
func signedNumber(texts []string) (like string) {
	n := 0
	for _, s := range texts {
		if number := signs.Replace(s); number != s {
			if _, err := strconv.ParseFloat(number, 64); err == nil {
				n, like = n+1, cmp.Or(like, s)
			}
		}
	}
	if 10*n < 9*len(texts) {
		return ""
	}
	return like
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

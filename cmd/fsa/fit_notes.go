package main

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"fsa"
	"fsa/data"
	"fsa/data/describe"
	"fsa/internal/decimal"
	"fsa/model"
	"fsa/validate"
)

// notes prints notes about surprising properties of a model.
func notes(p *progress, m *model.Model, t *data.Dataset, o *fsa.Options) {
	method, n := m.Training().Method, columnsOf(m)
	switch {
	case method == "" && o.K != fsa.Auto && n < o.K && len(o.Selection.Groups) == 0 && !o.Selection.Interactions.Find:
		p.note("only %d of the %d variables are not constant, so %d were selected", n, t.Width(), n)
	case method != "" && n > o.K:
		p.note("--method %[2]s ignores -k: the model has %[1]d variables", n, method)
	}
	if n := wholeNumbers(t.Target.Y); n > 0 && t.Target.Each == nil && method == "" && o.Loss == "auto" && m.Task() == model.Regression {
		p.note("the target has %d different whole numbers and is treated as a number; if they are classes, give --loss multinomial, and if they count something, --loss poisson", n)
	}
	if middle, deviation, rounded := model.Rounded(t.Target); rounded && t.Target.Each == nil && m.Task() == model.Regression {
		p.note("the target lies near %s with a standard deviation of %s: numbers of that size have few digits left for such differences; subtract %[1]s from the target first", decimal.Digits(middle, 4), decimal.Digits(deviation, 2))
	}
	if v := m.Validation(); v != nil {
		noteValidation(p, v, len(v.Ties) > 0 || m.AbsentNote() != "")
	}
	if d := m.Discoveries(); d != nil && n == 0 {
		p.note("%s", d.Note(0))
	}
	noteStability(p, m)
	noteUnmeasured(p, m, &o.Validation)
	if tr := m.Training(); m.Validation() == nil && !tr.Guarded && 2*n >= tr.Rows {
		p.note("%d variables can fit any target of %d rows, so the training metrics mean little: select fewer variables, or test on held-out rows (--holdout)", n, tr.Rows)
	}
	if tr := m.Training(); tr.Guarded {
		p.note("selecting %d of %d variables with %d rows risks selection noise, so a ridge of %s guards against overfitting; --ridge none turns it off", n, t.Width(), t.Rows(), decimal.Digits(tr.Ridge, 2))
	}
	if method == "" {
		noteExtreme(p, m, t, o)
	}
	leftNotes(p, t)
	outlierNotes(p, m, t)
	if m.Task() == model.Ranking && t.Target.Query == nil && t.Target.Pairs == nil {
		p.note("all rows were ranked as one query; if there are several, give their column with --query")
	}
}

// leakNote warns about a column that predicts nearly everything on its own through a curve or a
// threshold, or about several columns that do so together. The model shows this, but the table alone
// does not. The values of the columns may be known only together with the target.
func leakNote(p *progress, m *model.Model, t *data.Dataset) {
	const (
		rows  = 20      // minimal number of rows
		share = 0.95    // share of the variance of decision values due to one column,
		r2    = 0.95    // if they predict as well as this,
		sure  = 0.99999 // or, for several columns together, as well as this,
		auc   = 0.999   // or this,
		err   = 0.005   // or this
		few   = 2       // number of columns that separate the classes without an error,
		each  = 20      // if each class has at least this number of rows
	)
	metrics := m.Training().Metrics
	if v := m.Validation(); v != nil {
		metrics = v.Metrics
	}
	reached := func(name string, least float64) bool { v, ok := metrics[name]; return ok && v > least }
	wrong, classes := metrics["error"]
	if t.Rows() < rows || t.Width() < 2 || !reached("r2", r2) && !reached("auc", auc) && !(classes && wrong < err) {
		return
	}
	squares, all, first := map[string]float64{}, 0.0, ""
	for _, v := range m.Selected() {
		squares[v.Name] += v.Norm * v.Norm
		all += v.Norm * v.Norm
		if squares[v.Name] > squares[first] {
			first = v.Name
		}
	}
	if squares[first] > share*all {
		p.note("column %s: it predicts the target almost perfectly on its own: possible leakage; %s if it is not known in advance", shorten(first, shownLetters), describe.Dropping(first))
	} else if len(squares) > 1 && reached("r2", sure) {
		p.note("%d columns together predict the target without error, among them %s: possible leakage, such as parts of a sum; --drop columns that are not known in advance", len(squares), shorten(first, shownLetters))
	} else if classes && m.Validation() != nil && wrong == 0 && len(squares) <= few && rarest(t.Target.Y) >= each {
		p.note("%d columns together separate the classes without an error out of fold, among them %s: possible leakage; --drop columns that are not known in advance", len(squares), shorten(first, shownLetters))
	}
}

// rarest returns the number of rows of the rarest class.
func rarest(y []float64) int {
	counts := map[float64]int{}
	for _, class := range y {
		counts[class]++
	}
	return slices.Min(slices.Collect(maps.Values(counts)))
}

// noteExtreme notes extreme target values if they may dominate the fit, or have made cross-validation choose the huber loss.
func noteExtreme(p *progress, m *model.Model, t *data.Dataset, o *fsa.Options) {
	n := 0
	if m.Loss() == "squared" && (m.Validation() == nil || o.Loss != "auto") || m.Loss() == "huber" && o.Loss == "auto" {
		n = model.Extreme(t.Target)
	}
	switch {
	case n == 0:
	case m.Loss() == "huber":
		p.note("%d target values are extreme, and out of fold the huber loss, which limits their influence, predicts better: correct them if they are mistakes; --loss squared predicts the mean with them", n)
	default:
		p.note("%d target values are extreme outliers and may dominate the fit: remove them if they are mistakes, or use --loss huber, which limits their influence", n)
	}
}

// leftNotes lists the columns that were left out.
func leftNotes(p *progress, t *data.Dataset) {
	left := t.LeftOut()
	const most = 3 // columns whose reason is given
	for _, c := range left[:min(len(left), most)] {
		p.note("column %s was left out as an identifier (%s); --use keeps it", shorten(c.Name, shownLetters), c.Why)
	}
	if n := len(left) - most; n > 0 {
		p.note("%d more columns were left out as identifiers", n)
	}
}

// outlierNotes lists columns in which one cell is so far from the others that it makes up most of
// the variance. Apart from it the column looks constant, so it was not selected, however useful it
// may be. Such a cell is often a mistake or means a missing value. Cells that are not very large
// are ignored, because a column that is zero except for one cell looks the same.
func outlierNotes(p *progress, m *model.Model, t *data.Dataset) {
	const (
		most  = 5    // columns that are named
		large = 1e6  // for an absolute value
		rows  = 20   // minimal number of rows
		share = 0.95 // of the variance
	)
	selected := map[int]bool{}
	for _, v := range m.Selected() {
		selected[v.Index] = true
	}
	n := 0
	for j := range t.Columns {
		c := &t.Columns[j]
		count := float64(t.Rows() - int(c.Missing))
		if c.Text || selected[c.Index] || count < rows || !(c.SD > 0) {
			continue
		}
		cell := c.Max
		if c.Max-c.Mean < c.Mean-c.Min {
			cell = c.Min
		}
		if d := (cell - c.Mean) / c.SD; math.Abs(cell) < large || d*d < share*(count-1) {
			continue
		}
		if n++; n <= most {
			p.note("column %s has one extreme value, %s, that hides the variation of all others: correct it, or leave the cell empty if it means a missing value", t.ColumnName(j), decimal.Digits(cell, 4))
		}
	}
	if n > most {
		p.note("%d more numeric columns have such a value", n-most)
	}
}

// wholeNumbers returns the number of distinct numbers if they could be classes, that is, if all are
// integers and there are few; otherwise 0.
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

// noteValidation prints notes about surprising results of cross-validation. differs says whether the model differs from
// what most folds selected: an agreement that is poor only because they select nearly all variables is no surprise.
func noteValidation(p *progress, v *model.Validation, differs bool) {
	if !v.Signal() {
		noteSignal(p, v)
		return
	}
	if a := v.Agreement; a != nil && differs && (validate.Stability{Index: *a}).Verdict() == "poor" {
		p.note("the selection is unstable: the agreement of the folds is %.2f (1: all agree, 0: as by chance); another sample would select other variables that may predict as well", *a)
	}
}

// noteSignal notes that a model is not clearly better than the null model. It reports "no signal"
// only if the curve shows none either.
func noteSignal(p *progress, v *model.Validation) {
	at, seen := v.Drop()
	with := fmt.Sprintf("%d variables", at.Size)
	if v.Budgets != nil {
		with = "a budget of " + sizeName(v, at)
	}
	than := fmt.Sprintf("out of fold, the %s is %s with %s and %s for the null model", measureName(v.Measure), decimal.Digits(at.Mean, 4), with, decimal.Digits(v.Null, 4))
	switch {
	case !seen:
		p.note("no signal was found: out of fold, the model is no better than the null model (the mean, or the class frequencies), within three standard errors")
	case v.Chosen == 0:
		p.note("no variable was selected, but there may be a signal: %s; %d folds cannot distinguish this from chance; --choose min takes the size with the lowest error, and more rows or --folds would give a clearer answer", than, v.Folds)
	default:
		p.note("the signal is weak: %s, which is better by less than three standard errors over rows", than)
	}
}

// noteUnmeasured says what was asked for, but cannot be measured for the model that was chosen.
func noteUnmeasured(p *progress, m *model.Model, v *fsa.Validation) {
	paired := len(m.Interactions()) > 0
	switch {
	case paired && (v.Confidence > 0 || v.Stability > 0):
		p.note("half samples measure the variables and not the interactions of this model, so its effects have no intervals; --interactions 0 fits a model without interactions")
	case v.Confidence > 0 && m.Stability() != nil && m.Stability().Confidence == 0:
		p.note("there are no confidence intervals, because they need a likelihood, and out of fold the %s loss predicts better: --loss squared has them", m.Loss())
	}
	if paired && v.Rivals {
		p.note("the rivals were not measured, because they are variables, and this model has interactions; --interactions 0 fits a model without them")
	}
}

// noteStability notes an unstable selection.
func noteStability(p *progress, m *model.Model) {
	s := m.Stability()
	if s == nil || s.Index == nil || (validate.Stability{Index: *s.Index}).Verdict() != "poor" {
		return
	}
	p.note("the selection is unstable: the agreement of the half samples is %.2f (1: all agree, 0: as by chance); another sample would select other variables that may predict as well", *s.Index)
}

package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"fsa/data"
	"fsa/internal/decimal"
	"fsa/internal/runs"
	"fsa/loss"
	"fsa/model"
	"fsa/validate"
)

// jsonSchema is the version of the keys in what fit, show and cv print as JSON. In version 1,
// variables had norm, gaps and levels, cross-validation shares, and half samples halves and shares.
const jsonSchema = 2

// summary is the JSON output of fit and show.
type summary struct {
	Schema      int                  `json:"schema"`
	Selected    []model.Selected     `json:"selected"`
	Pairs       []model.Interaction  `json:"interactions,omitempty"`
	Intercept   any                  `json:"intercept"` // a number, or a list with one per class
	Loss        string               `json:"loss"`
	Settings    *loss.Settings       `json:"loss_settings,omitempty"`
	Offset      string               `json:"offset,omitempty"` // a column
	Exposure    bool                 `json:"exposure,omitempty"`
	OffsetModel *started             `json:"offset_model,omitempty"` // its decision values are offsets
	Method      string               `json:"method,omitempty"`       // if it was not annealing
	Task        model.Task           `json:"task"`
	Classes     []string             `json:"classes,omitempty"`
	Targets     []model.TargetColumn `json:"targets,omitempty"` // if there are several, in the order of coefficients
	Calibrated  bool                 `json:"calibrated,omitempty"`
	Threshold   float64              `json:"threshold,omitempty"`
	K           int                  `json:"k"`
	Rows        int                  `json:"rows"`
	Columns     int                  `json:"columns"`
	Epochs      int                  `json:"epochs"`
	Passes      float64              `json:"passes"`
	Storage     string               `json:"storage"`
	Ridge       float64              `json:"ridge"`
	Adaptive    bool                 `json:"adaptive,omitempty"`
	Guarded     bool                 `json:"guarded"`
	SecondsRead *float64             `json:"seconds_read"`
	SecondsFit  *float64             `json:"seconds_fit"`
	BytesRead   int64                `json:"bytes_read,omitempty"`
	PeakBytes   int64                `json:"peak_bytes,omitempty"`
	Metrics     map[string]float64   `json:"metrics"`
	Constraints []model.Constraint   `json:"constraints,omitempty"`
	Criterion   *model.Criterion     `json:"criterion,omitempty"`
	Validation  *model.Validation    `json:"validation,omitempty"`
	Discoveries *model.Discoveries   `json:"discoveries,omitempty"`
	Tests       []model.Test         `json:"tests,omitempty"`
	Stability   *model.Stability     `json:"stability,omitempty"`
	Out         string               `json:"out,omitempty"`
	Costs       *model.Costs         `json:"costs,omitempty"`
}

// whole is the number of classes above which their names are shortened more.
const whole = 10

// started is an offset model in the JSON output of fit and show.
type started struct {
	Selected  []model.Selected    `json:"selected"`
	Pairs     []model.Interaction `json:"interactions,omitempty"`
	Intercept float64             `json:"intercept"`
	Loss      string              `json:"loss"`
	// OffsetModel is the one from which this model started.
	OffsetModel *started `json:"offset_model,omitempty"`
}

// newStarted describes an offset model; nil if there is none.
func newStarted(m *model.Model) *started {
	if m == nil {
		return nil
	}
	return &started{Selected: m.Selected(), Pairs: m.Interactions(), Intercept: m.Intercept()[0], Loss: m.Loss(), OffsetModel: newStarted(m.OffsetModel())}
}

// newSummary describes a model; timing may be unknown.
func newSummary(m *model.Model, t *runs.Timing, out string) summary {
	tr := m.Training()
	s := summary{
		Schema: jsonSchema, Selected: m.Selected(), Pairs: m.Interactions(), Loss: m.Loss(), Offset: tr.Offset, Exposure: tr.Exposure, OffsetModel: newStarted(m.OffsetModel()), Method: tr.Method, Task: m.Task(), Classes: m.Classes(), Targets: m.Targets(), Calibrated: m.Calibrated(), Threshold: m.Threshold(),
		K: tr.K, Rows: tr.Rows, Columns: tr.Columns, Epochs: tr.Epochs, Passes: tr.Passes, Storage: tr.Storage.Name(), Ridge: tr.Ridge, Adaptive: tr.Adaptive, Guarded: tr.Guarded, Metrics: tr.Metrics, Constraints: tr.Constraints, Costs: tr.Costs, Criterion: tr.Criterion, Validation: m.Validation(), Discoveries: m.Discoveries(), Tests: m.Tests(), Stability: m.Stability(), Out: out,
	}
	if settings := m.Settings(); !settings.Zero() {
		s.Settings = &settings
	}
	if b := m.Intercept(); len(b) == 1 {
		s.Intercept = b[0]
	} else {
		s.Intercept = b
	}
	if t != nil {
		s.SecondsRead, s.SecondsFit, s.BytesRead, s.PeakBytes = &t.SecondsRead, &t.SecondsFit, t.BytesRead, t.PeakBytes
	}
	return s
}

// printModel prints a model, and then the rows of after. Without verbose these are at most [mostLines] lines, if a few
// lines of each table are enough for that.
func printModel(w io.Writer, m *model.Model, t *runs.Timing, verbose bool, after string) error {
	room := roomOf(m, verbose)
	for {
		var b strings.Builder
		if err := writeModel(&b, m, t, room); err != nil {
			return err
		}
		text := b.String() + after
		if verbose || strings.Count(text, "\n") <= mostLines || !room.shrink(m) {
			_, err := io.WriteString(w, text)
			return err
		}
	}
}

// writeModel prints as much of a model as there is room for.
func writeModel(w io.Writer, m *model.Model, t *runs.Timing, room room) error {
	const most = 30 // classes that are named
	tr := m.Training()
	fmt.Fprintf(w, "%s of %s variables%s selected from %s rows\n", decimal.Count(columnsOf(m)), decimal.Count(tr.Columns), andInteractions(m), decimal.Count(tr.Rows))
	how := fmt.Sprintf("%s, %s loss%s", m.Task(), m.Loss(), settingsOf(m))
	if tr.Method != "" {
		how += fmt.Sprintf(", %s", tr.Method)
	} else {
		how += fmt.Sprintf(", %.1f passes", tr.Passes)
	}
	if tr.Storage != data.StorageFloat32 {
		how += fmt.Sprintf(", in %s", tr.Storage)
	}
	if tr.Ridge > 0 && (tr.Guarded || tr.Adaptive || m.Validation() != nil) {
		what := "ridge"
		if tr.Adaptive {
			what = "adaptive ridge"
		}
		how += fmt.Sprintf(", %s %s", what, decimal.Digits(tr.Ridge, 2))
	}
	if m.Calibrated() {
		how += ", calibrated"
	}
	if t != nil {
		how += fmt.Sprintf(", %.2f s", t.SecondsFit)
	}
	wrapped(w, how)
	if c := readable(m.Classes(), shownLetters); len(c) == 2 {
		fmt.Fprintf(w, "positive class %s, negative class %s%s\n", c[1], c[0], thresholdOf(m, c[1]))
	} else if m.Cuts() != nil {
		wrapped(w, "classes "+strings.Join(c, " < "))
	} else if len(c) > 2 {
		if len(c) > whole {
			for i, class := range m.Classes() {
				c[i] = clean(shorten(class, shownLetters/2))
			}
		}
		text := "classes "
		if n := len(c) - most; n > 0 {
			c, text = append(c[:most], fmt.Sprintf("and %s more", decimal.Count(n))), decimal.Count(len(c))+" classes: "
		}
		wrapped(w, text+strings.Join(c, ", "))
	}
	if text := targetsLine(m); text != "" {
		wrapped(w, text)
	}
	if len(tr.Constraints) > 0 {
		fmt.Fprintf(w, "constraints: %s\n", constraintsOf(tr.Constraints))
	}
	printCosts(w, tr.Costs)
	if c := tr.Criterion; c != nil {
		fmt.Fprintf(w, "%d is %s among %d to %d, computed on the training rows; --quick does not cross-validate\n",
			c.Chosen, validate.DescribeRule(c.Rule), c.Points[0].Size, c.Points[len(c.Points)-1].Size)
	}
	if d := m.Discoveries(); d != nil {
		wrapped(w, d.Note(tr.K))
	}
	fmt.Fprintln(w)
	v := m.Validation()
	if v != nil {
		if err := printCurve(w, v, room.sizes); err != nil {
			return err
		}
	}
	if err := printVariables(w, m, room.variables); err != nil {
		return err
	}
	if err := printInteractions(w, m, room.variables); err != nil {
		return err
	}
	if cuts := m.Cuts(); cuts != nil {
		fmt.Fprintf(w, "thresholds %s\n", numbers(cuts))
	} else if m.Outputs() == 1 && !m.Task().Relative() { // otherwise only differences of its scores matter
		fmt.Fprintf(w, "intercept %s\n", numbers(m.Intercept()))
	}
	if v != nil {
		for _, note := range []string{v.TieNote(), m.AbsentNote()} {
			if note != "" {
				wrapped(w, note)
			}
		}
		if err := errors.Join(printRivals(w, v.Ties, room.variables), printNear(w, v.Near)); err != nil {
			return err
		}
	}
	fmt.Fprintln(w)
	err := printMetrics(w, onTraining, m.Loss(), tr.Metrics)
	if v != nil {
		err = errors.Join(err, printMetrics(w, outOfFold, m.Loss(), v.Metrics))
		printReference(w, v)
	}
	for _, t := range m.Tests() {
		err = errors.Join(err, printTest(w, m.Loss(), t))
	}
	if v == nil && len(m.Tests()) == 0 {
		fmt.Fprintln(w, "other rows:       not measured; --holdout 0.2 measures the model on them")
	}
	return errors.Join(err, printStability(w, m, room.halves))
}

// targetsLine lists several targets, and the positive and the negative class of labels.
func targetsLine(m *model.Model) string {
	var list []string
	for _, t := range m.Targets() {
		text := shorten(t.Name, shownLetters)
		if c := readable(t.Classes, shownLetters); len(c) == 2 {
			text += fmt.Sprintf(" (%s, not %s)", c[1], c[0])
		}
		list = append(list, text)
	}
	if list == nil {
		return ""
	}
	return clean(fmt.Sprintf("%d targets: %s", len(list), strings.Join(list, ", ")))
}

// settingsOf describes the parameters of a loss, given or estimated, and the column of the offset.
func settingsOf(m *model.Model) (text string) {
	switch s := m.Settings(); {
	case s.Quantiles != nil:
		text = " of quantiles " + strings.Join(m.OutputNames(), ", ")
	case s.Quantile > 0:
		text = " of quantile " + decimal.Digits(s.Quantile, 4)
	case s.Power > 0:
		text = " of power " + decimal.Digits(s.Power, 3)
	case s.Size > 0:
		text = " of size " + decimal.Digits(s.Size, 3)
	}
	tr := m.Training()
	if m.Settings().Ties != "" {
		text += " with ties by Breslow"
	}
	if tr.Entry != "" {
		text += ", entry " + shorten(tr.Entry, shownLetters)
	}
	switch {
	case tr.Exposure:
		text += ", exposure " + shorten(tr.Offset, shownLetters)
	case tr.Offset != "":
		text += ", offset " + shorten(tr.Offset, shownLetters)
	}
	if of := m.OffsetModel(); of != nil {
		text += ", starts from " + startOf(of)
	}
	return clean(text)
}

// startOf describes an offset model.
func startOf(m *model.Model) string {
	text := "a model of " + decimal.Count(columnsOf(m)) + " variables"
	if columnsOf(m) == 1 {
		text = "a model of 1 variable"
	}
	text += andInteractions(m)
	if of := m.OffsetModel(); of != nil {
		text += ", which starts from " + startOf(of)
	}
	return text
}

// thresholdOf says when the positive class is predicted, if that is not at a probability of one
// half.
func thresholdOf(m *model.Model, positive string) string {
	t := m.Threshold()
	switch {
	case t == 0:
		return ""
	case m.Additive().Link == model.Logistic:
		return fmt.Sprintf("; predict %s if P ≥ %s", positive, probability(1/(1+math.Exp(-t))))
	}
	return fmt.Sprintf("; predict %s if the decision value ≥ %s", positive, decimal.Digits(t, 3))
}

// probability formats a probability with two decimals, or more if it is small.
func probability(p float64) string {
	if p < 0.1 {
		return decimal.Digits(p, 2)
	}
	return fmt.Sprintf("%.2f", p)
}

// columnsOf returns the number of columns that a model uses.
func columnsOf(m *model.Model) int {
	names := map[string]bool{}
	for _, v := range m.Selected() {
		names[v.Name] = true
	}
	return len(names)
}

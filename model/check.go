package model

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"fsa/data/kind"
	"fsa/loss"
)

// MaxBins is the largest number of bins of a curve.
const MaxBins = 1000

// check returns an error if the model cannot come from a fit.
func (s *spec) check() error {
	kind, known := loss.Named(s.Loss)
	switch {
	case !known && s.Loss != customLoss:
		return fmt.Errorf("unknown loss %q", s.Loss)
	case known && kind.Task != s.Task, !known && s.Task == Classification, s.Task != Regression && s.Task != Classification && s.Task != Multilabel && !s.Task.Relative():
		return fmt.Errorf("task %q does not match the loss %q", s.Task, s.Loss)
	case s.Link != "" && (s.Loss != customLoss || s.Task != Regression || !s.Link.Numbers()):
		return fmt.Errorf("link %q does not match the %s loss", s.Link, s.Loss)
	case s.Outputs < 1 || s.Outputs > maxClasses:
		return fmt.Errorf("%d outputs", s.Outputs)
	case len(s.Intercept) != s.Outputs || !finite(s.Intercept...):
		return errors.New("the intercept must be one finite number per output")
	case kind.Ordered && (s.Outputs != 1 || len(s.Classes) < 3 || len(s.Settings.Cuts) != len(s.Classes)-1):
		return fmt.Errorf("%d thresholds for %d classes", len(s.Settings.Cuts), len(s.Classes))
	case s.Task == Classification && !kind.Ordered && len(s.Classes) != max(s.Outputs, 2), kind.Many && !kind.Ordered && s.Outputs < 2:
		return fmt.Errorf("%d classes for %d outputs", len(s.Classes), s.Outputs)
	case s.Task != Classification && len(s.Classes) > 0, known && !kind.Many && s.Outputs != max(len(s.Settings.Quantiles), len(s.Targets), 1):
		return errors.New("classes or outputs do not match the task")
	case s.Calibrated && s.Task != Classification, s.Threshold != 0 && (s.Task != Classification || len(s.Classes) > 2), kind.Ordered && s.Calibrated, !finite(s.Threshold):
		return errors.New("its threshold or its calibration does not match the task")
	case s.Bins < 0 || s.Bins > MaxBins:
		return fmt.Errorf("%d bins", s.Bins)
	case s.Width < 0 || s.Width > math.MaxInt32:
		return fmt.Errorf("its width of %d is out of range", s.Width)
	}
	if slices.Contains(s.Classes, "") || len(slices.Compact(slices.Sorted(slices.Values(s.Classes)))) != len(s.Classes) {
		return errors.New("two classes have the same name, or a class has no name")
	}
	for i := range s.Baselines {
		if err := s.Baselines[i].check(); err != nil || s.Task != Survival {
			return cmp.Or(err, errors.New("a baseline hazard does not match the task"))
		}
	}
	if err := cmp.Or(s.checkSettings(), s.checkTargets()); err != nil {
		return err
	}
	for i := range s.Columns {
		if err := s.Columns[i].Check(); err != nil {
			return fmt.Errorf("column %q: %w", s.Columns[i].Name, err)
		}
	}
	type part struct {
		index int
		name  string
	}
	names, indices := make(map[string]int, len(s.Variables)), make(map[part]bool, len(s.Variables))
	for i := range s.Variables {
		v := &s.Variables[i]
		at, known := names[v.Name]
		if known && at != v.Index || indices[part{v.Index, v.Part}] {
			return fmt.Errorf("variable %q occurs twice", v.Name)
		}
		names[v.Name], indices[part{v.Index, v.Part}] = v.Index, true
		if err := v.check(s); err != nil {
			return fmt.Errorf("variable %q: %w", v.Name, err)
		}
		if i > 0 && v.Norm > s.Variables[i-1].Norm {
			return fmt.Errorf("variable %q is out of order", v.Name)
		}
	}
	if len(names) > s.Training.Columns {
		return fmt.Errorf("%d variables of a table with %d columns", len(names), s.Training.Columns)
	}
	if err := cmp.Or(s.checkInteractions(), s.checkOffsetModel()); err != nil {
		return err
	}
	for i := range s.Tests {
		if err := s.Tests[i].check(); err != nil {
			return err
		}
	}
	return errors.Join(s.Training.check(), s.Validation.check(), s.Discoveries.check(), s.Stability.check())
}

func (v *variable) check(s *spec) error {
	want := s.Outputs // number of coefficients
	if v.Kind != categorical && (v.Part != "" || v.Rare != "") {
		return errors.New("it is a number, but has fields of a category")
	}
	if v.Kind != curve && v.Knots != nil {
		return errors.New("it has knots but is not a curve")
	}
	switch v.Kind {
	case linear:
		if v.Levels != nil || v.Missing != nil && len(v.Missing) != s.Outputs || v.Low > v.High {
			return errors.New("it is linear, but has fields of another kind")
		}
	case curve:
		want *= s.Bins + 1
		even := v.Knots == nil && v.Low < v.High
		uneven := len(v.Knots) == s.Bins+1 && finite(v.Knots...) && ascend(v.Knots)
		if s.Bins == 0 || v.Levels != nil || !even && !uneven || v.Missing != nil && len(v.Missing) != s.Outputs {
			return errors.New("its knots are invalid")
		}
	case steps:
		want *= s.Bins
		if s.Bins == 0 || s.Outputs != 1 || v.Levels != nil || v.Missing != nil || !(v.Low < v.High) {
			return errors.New("its steps are invalid")
		}
	case categorical:
		want *= len(v.Levels)
		seen := map[string]bool{}
		for _, l := range v.Levels {
			if seen[l] {
				return fmt.Errorf("category %q occurs twice", l)
			}
			seen[l] = true
		}
		if len(v.Levels) < 2 || v.Missing != nil {
			return errors.New("a category must have at least two texts and no other fields")
		}
		if v.Rare != "" && !seen[v.Rare] {
			return fmt.Errorf("the category %q for rare texts is missing", v.Rare)
		}
		if err := v.checkPart(s); err != nil {
			return err
		}
	default:
		return fmt.Errorf("unknown kind %q", v.Kind)
	}
	if v.Index < 0 || v.Index > math.MaxInt32 {
		return fmt.Errorf("index %d", v.Index)
	}
	if len(v.Coefficients) != want {
		return fmt.Errorf("%d coefficients instead of %d", len(v.Coefficients), want)
	}
	if !finite(v.Coefficients...) || !finite(v.Missing...) || !finite(v.Norm, v.Center, v.Mean, v.Low, v.High) || v.Norm < 0 || !(v.Gaps >= 0 && v.Gaps <= 1) {
		return errors.New("a number is not finite or an importance is negative")
	}
	return nil
}

// checkPart returns an error if a column of this kind does not have the part.
func (v *variable) checkPart(s *spec) error {
	if v.Part == "" {
		return nil
	}
	p := kind.PartOf(s.kindOf(v.Name).Kind, v.Part)
	if p == nil || !slices.Equal(p.Levels, v.Levels[:min(len(p.Levels), len(v.Levels))]) {
		return fmt.Errorf("its column has no part %q with these categories", v.Part)
	}
	return nil
}

func (t *Training) check() error {
	for _, v := range t.Metrics {
		if !finite(v) {
			return errors.New("a metric is not finite")
		}
	}
	if !t.Scale.Known() {
		return fmt.Errorf("unknown scale %q", t.Scale)
	}
	if !t.Storage.Known() {
		return fmt.Errorf("unknown storage %q", t.Storage)
	}
	if err := t.checkConstraints(); err != nil {
		return err
	}
	if err := t.Costs.check(); err != nil {
		return err
	}
	if err := t.Criterion.check(); err != nil {
		return err
	}
	if !finite(t.Ridge) || t.Ridge < 0 {
		return fmt.Errorf("its ridge is %v", t.Ridge)
	}
	switch t.IndexBase {
	case "", "0", "1":
	default:
		return fmt.Errorf("unknown index base %q", t.IndexBase)
	}
	if t.Status != Completed && t.Status != Settled && t.Status != Stopped && t.Status != OutOfTime {
		return fmt.Errorf("unknown status %q", t.Status)
	}
	if t.Metrics == nil || t.Rows < 1 || t.Columns < 1 || t.K < 0 || t.Epochs < 0 || !finite(t.Passes, t.Eta) || t.Passes < 0 || t.Eta < 0 {
		return errors.New("the record of its training is invalid")
	}
	return nil
}

// checkSettings returns an error if the loss does not have these settings.
func (s *spec) checkSettings() error {
	o := s.Settings
	switch {
	case o.Quantile < 0 || o.Quantile >= 1 || o.Quantile > 0 && s.Loss != "quantile",
		o.Quantiles != nil && (s.Loss != "quantile" || o.Quantile != 0 || checkQuantiles(o.Quantiles) != nil),
		o.Power != 0 && (s.Loss != "tweedie" || !(o.Power > 1 && o.Power < 2)),
		o.Ties != "" && (s.Loss != "cox" || o.Ties != loss.TiesBreslow),
		o.Cuts != nil && (s.Loss != "ordinal" || !finite(o.Cuts...) || !ascend(o.Cuts)),
		o.Size != 0 && (s.Loss != "negbinomial" || !(o.Size > 0) || !finite(o.Size)):
		return fmt.Errorf("settings %+v do not match the loss %q", o, s.Loss)
	}
	return nil
}

// check returns an error unless the baseline is a cumulative hazard.
func (b *Baseline) check() error {
	if len(b.Times) != len(b.Hazard) || !finite(b.Times...) || !finite(b.Hazard...) || !ascend(b.Times) || !slices.IsSorted(b.Hazard) || len(b.Hazard) > 0 && !(b.Hazard[0] >= 0) {
		return errors.New("its baseline hazard is invalid")
	}
	return nil
}

// checkOffsetModel returns an error if the offset model cannot be one.
func (s *spec) checkOffsetModel() error {
	of := s.OffsetModel
	switch {
	case of == nil:
		return nil
	case s.Outputs != 1 || of.Outputs != 1 || of.Task != s.Task || of.Training.Offset != "" || !slices.Equal(of.Classes, s.Classes):
		return errors.New("its offset model does not match the task")
	}
	if err := of.check(); err != nil {
		return fmt.Errorf("its offset model: %w", err)
	}
	return nil
}

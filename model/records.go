package model

import (
	"maps"
	"slices"
)

// Stability returns the stability of the selection, or nil if it was not measured.
func (m *Model) Stability() *Stability {
	if m.spec.Stability == nil {
		return nil
	}
	s := *m.spec.Stability
	s.Shares, s.Variables = maps.Clone(s.Shares), slices.Clone(s.Variables)
	return &s
}

// WithStability returns a copy of the model with the stability of its selection.
func (m *Model) WithStability(s *Stability) *Model {
	to := &Model{m.spec, m.program}
	to.spec.Stability = s
	return to
}

// WithRows returns a copy of the model that reports the given number of training rows. The model
// may have been fitted on other rows with the same means and covariances.
func (m *Model) WithRows(rows int) *Model {
	to := &Model{m.spec, m.program}
	to.spec.Training.Rows = rows
	return to
}

// Discoveries says how the variables were discovered at a false discovery rate; nil if they were not.
func (m *Model) Discoveries() *Discoveries {
	if m.spec.Discoveries == nil {
		return nil
	}
	d := *m.spec.Discoveries
	d.Confirmed = maps.Clone(d.Confirmed)
	return &d
}

// Tests returns the metrics on held-out rows.
func (m *Model) Tests() []Test {
	out := slices.Clone(m.spec.Tests)
	for i := range out {
		out[i].Metrics, out[i].Sizes = maps.Clone(out[i].Metrics), slices.Clone(out[i].Sizes)
	}
	return out
}

// WithTest returns a copy of the model with one more test.
func (m *Model) WithTest(t Test) *Model {
	to := &Model{m.spec, m.program}
	to.spec.Tests = append(slices.Clone(m.spec.Tests), t)
	return to
}

// Validation returns the result of cross-validation, or nil if there was none.
func (m *Model) Validation() *Validation {
	if m.spec.Validation == nil {
		return nil
	}
	v := *m.spec.Validation
	v.Budgets = slices.Clone(v.Budgets)
	v.Points, v.Metrics, v.Shares = slices.Clone(v.Points), maps.Clone(v.Metrics), maps.Clone(v.Shares)
	if v.Reference != nil {
		r := *v.Reference
		v.Reference = &r
	}
	v.Scores, v.Ties = slices.Clone(v.Scores), slices.Clone(v.Ties)
	return &v
}

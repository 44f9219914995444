package model

import (
	"maps"
	"slices"
)

// Stability returns how sure the selection is; nil where nobody asked.
func (m *Model) Stability() *Stability {
	if m.spec.Stability == nil {
		return nil
	}
	s := *m.spec.Stability
	s.Shares, s.Variables = maps.Clone(s.Shares), slices.Clone(s.Variables)
	return &s
}

// WithStability returns the model with how sure its selection is.
func (m *Model) WithStability(s *Stability) *Model {
	to := &Model{m.spec, m.program}
	to.spec.Stability = s
	return to
}

// Tests returns measures on rows that were kept from all learning.
func (m *Model) Tests() []Test {
	out := slices.Clone(m.spec.Tests)
	for i := range out {
		out[i].Metrics, out[i].Sizes = maps.Clone(out[i].Metrics), slices.Clone(out[i].Sizes)
	}
	return out
}

// WithTest returns the model with one more test.
func (m *Model) WithTest(t Test) *Model {
	to := &Model{m.spec, m.program}
	to.spec.Tests = append(slices.Clone(m.spec.Tests), t)
	return to
}

// Validation returns what cross-validation said; nil where nobody asked.
func (m *Model) Validation() *Validation {
	if m.spec.Validation == nil {
		return nil
	}
	v := *m.spec.Validation
	v.Points, v.Metrics, v.Shares = slices.Clone(v.Points), maps.Clone(v.Metrics), maps.Clone(v.Shares)
	v.Scores = slices.Clone(v.Scores)
	return &v
}

package model

import "slices"

// Cuts returns the thresholds of a model of ordered classes, ascending: the odds of a class above the c-th are
// the exponential of the decision value minus the c-th threshold. It is nil for other models.
func (m *Model) Cuts() []float64 { return slices.Clone(m.spec.Settings.Cuts) }

// anchor moves decision values of ordered classes so that a row of zeros has 0, and the thresholds with them.
func (m *Model) anchor() {
	s := &m.spec
	if s.Settings.Cuts == nil {
		return
	}
	zero := m.Intercept()[0]
	cuts := slices.Clone(s.Settings.Cuts)
	for c := range cuts {
		cuts[c] -= zero
	}
	s.Settings.Cuts, s.Intercept[0] = cuts, s.Intercept[0]-zero
}

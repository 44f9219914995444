package model

import (
	"math"
	"slices"
)

// Margin is how far a line is extrapolated beyond the training range of its variable, as a share of
// that range. With a margin of 0, lines that cancel each other, such as those of neighbouring
// wavelengths, would not cancel beyond the end of the range.
const Margin = 1.0

// How a line is extrapolated beyond the training range of its variable: up to [Margin], or without
// limit.
const (
	clip = "clip"
	line = "line"
)

// Extrapolations lists the ways to extrapolate a line beyond the training range of its variable.
func Extrapolations() []string { return []string{clip, line} }

// MarginOf returns how far a line is extrapolated, as a share of the training range.
func MarginOf(extrapolation string) float64 {
	if extrapolation == line {
		return math.Inf(1)
	}
	return Margin
}

// extrapolate removes the ranges of lines that are extrapolated without limit. In all versions of
// the file, a line without a range has no limit.
func (s *spec) extrapolate(how string) {
	if how != line {
		return
	}
	for i := range s.Variables {
		if v := &s.Variables[i]; v.Kind == linear {
			v.Low, v.High = 0, 0
		}
	}
	for i := range s.Interactions {
		s.Interactions[i].Low, s.Interactions[i].High = nil, nil
	}
}

// Extrapolated returns a copy of the model whose lines are extrapolated without limit.
func (m *Model) Extrapolated() *Model {
	to := &Model{m.spec, m.program}
	to.spec.Variables = slices.Clone(m.spec.Variables)
	to.spec.Interactions = slices.Clone(m.spec.Interactions)
	to.spec.extrapolate(line)
	if of := m.OffsetModel(); of != nil {
		to.spec.OffsetModel = &of.Extrapolated().spec
	}
	return to
}

// Unlimited returns the name of a variable whose line is extrapolated without limit, or "" if there
// is none.
func (m *Model) Unlimited() string {
	for i := range m.spec.Variables {
		if v := &m.spec.Variables[i]; v.Kind == linear && !(v.Low < v.High) && slices.ContainsFunc(v.Coefficients, func(b float64) bool { return b != 0 }) {
			return fullName(v.Name, v.Part)
		}
	}
	for _, p := range m.spec.Interactions {
		if p.Low == nil && p.Sides[0].Knots == nil {
			return p.Sides[0].Name + " × " + p.Sides[1].Name
		}
	}
	return ""
}

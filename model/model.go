// Package model is what was learned: the chosen variables and their part in the
// prediction, its file, predictions and measures. It does not learn: package fsa
// and the methods of package baseline do, and end with a model.
package model

import (
	"cmp"
	"maps"
	"slices"

	"fsa/data/kind"
	"fsa/internal/version"
)

// Model is what was learned: the chosen variables and their part in the
// prediction. It is immutable and safe for concurrent use.
//
// A model predicts one decision value, or one for each class with the
// multinomial loss: the intercept plus the parts of the variables. It works on
// rows as they stand in the input; nothing has to be scaled first.
type Model struct {
	spec spec
	// program is the version of the fsa that wrote the file it was read from; empty if it was
	// learned by this one.
	program string
}

// Selected is a chosen variable as a user sees it.
type Selected struct {
	// Index is the position of its column in the input, counted from 0.
	Index int `json:"index"`
	// Name is the name of its column, and Part what of it the variable is, such as the
	// month of a date; empty for the column itself.
	Name string `json:"name"`
	Part string `json:"part,omitempty"`
	// Coefficients are in the units of the input: the slope of a linear
	// response, the values at the knots of a piecewise-linear one, the heights
	// of a step function on bins of equal width, a number for each level of a
	// category; for each class after the other where the model has a decision
	// value for each.
	Coefficients []float64 `json:"coefficients"`
	// Norm is what variables are ordered by: the standard deviation of what the
	// variable adds to the decision value. With [data.ScaleCommon] and
	// [data.ScaleNone] that of a linear part is the length of its coefficients.
	Norm float64 `json:"norm"`
	// Knots are where the values of a piecewise-linear response lie.
	Knots []float64 `json:"knots,omitempty"`
	// Missing is the value of a missing number in such a response, if there
	// were some to learn from, and in a linear one where being missing says something.
	Missing []float64 `json:"missing,omitempty"`
	// Gaps is the share of training rows in which its column is missing.
	Gaps float64 `json:"gaps,omitempty"`
	// Levels are the texts of a category.
	Levels []string `json:"levels,omitempty"`
	// Rare is the level that stands for rare texts; empty where there is none. It adds
	// nothing, as texts do that were not there to learn from.
	Rare string `json:"rare,omitempty"`
}

// FullName returns the name of the column, and of the part that the variable is.
func (s *Selected) FullName() string { return fullName(s.Name, s.Part) }

func fullName(name, part string) string {
	if part == "" {
		return name
	}
	return name + "." + part
}

// Task returns what the model predicts.
func (m *Model) Task() Task { return m.spec.Task }

// Program returns the version of the fsa that learned the model.
func (m *Model) Program() string { return cmp.Or(m.program, version.String()) }

// Loss returns the name of the loss it was learned with.
func (m *Model) Loss() string { return m.spec.Loss }

// Classes returns the names of the classes; the last of two is the positive one.
func (m *Model) Classes() []string { return slices.Clone(m.spec.Classes) }

// Calibrated reports whether probabilities were calibrated by out-of-fold predictions.
func (m *Model) Calibrated() bool { return m.spec.Calibrated }

// Threshold returns the decision value above which the last of two classes is predicted.
func (m *Model) Threshold() float64 { return m.spec.Threshold }

// Outputs returns the number of decision values of a row.
func (m *Model) Outputs() int { return m.spec.Outputs }

// Training returns what the model was learned from.
func (m *Model) Training() Training {
	t := m.spec.Training
	t.Metrics = maps.Clone(t.Metrics)
	if t.Criterion != nil {
		c := *t.Criterion
		c.Points = slices.Clone(c.Points)
		t.Criterion = &c
	}
	return t
}

// Selected returns the chosen variables, the strongest first.
func (m *Model) Selected() []Selected {
	out := make([]Selected, len(m.spec.Variables))
	for i := range m.spec.Variables {
		v := &m.spec.Variables[i]
		out[i] = Selected{Index: v.Index, Name: v.Name, Part: v.Part, Rare: v.Rare, Gaps: v.Gaps, Coefficients: slices.Clone(v.Coefficients), Norm: v.Norm, Missing: slices.Clone(v.Missing), Levels: slices.Clone(v.Levels)}
		if v.Kind == curve {
			out[i].Knots = slices.Clone(v.knots(m.spec.Bins))
		}
	}
	return out
}

// Kinds says how the columns that the model uses are read, by their names; see
// [data.Schema].
func (m *Model) Kinds() map[string]kind.Column {
	all := map[string]kind.Column{}
	for i := range m.spec.Variables {
		v := &m.spec.Variables[i]
		k := kind.Column{Kind: kind.Number}
		if v.Kind == categorical && v.Part == "" {
			k.Kind = kind.Category
		}
		all[v.Name] = k
	}
	for _, c := range m.spec.Columns {
		all[c.Name] = c.Column
	}
	return all
}

// Intercept returns the decision values of a row of zeros, as far as responses
// are linear.
func (m *Model) Intercept() []float64 {
	out := slices.Clone(m.spec.Intercept)
	for i := range m.spec.Variables {
		if v := &m.spec.Variables[i]; v.Kind == linear {
			for c := range out {
				out[c] -= v.Coefficients[c] * v.Center
			}
		}
	}
	return out
}

// Response returns the part of the i-th chosen variable, a number, in decision
// value c at each x: its response curve.
func (m *Model) Response(i, c int, x []float64) []float64 {
	out := make([]float64, len(x))
	for j, v := range x {
		out[j] = m.spec.Variables[i].part(v, c, &m.spec)
	}
	return out
}

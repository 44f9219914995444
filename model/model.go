// Package model has fitted models: the selected variables and what each adds to the prediction, the
// model file, predictions and metrics. It does not fit models: package fsa and the methods of
// package baseline do that, and return a model.
package model

import (
	"cmp"
	"maps"
	"slices"

	"fsa/data/kind"
	"fsa/internal/version"
	"fsa/loss"
)

// Model is a fitted model: the selected variables and what each adds to the prediction. It is
// immutable and safe for concurrent use.
//
// A model predicts one decision value per row, or one per class with the multinomial loss: the
// intercept plus the contributions of the variables. Its input is unscaled rows, in the units of
// the table.
type Model struct {
	spec spec
	// program is the version of fsa that wrote the file; empty if the model was not read from a
	// file.
	program string
}

// Selected is a selected variable.
type Selected struct {
	// Index is the position of its column in the input, counted from 0.
	Index int `json:"index"`
	// Name is the name of its column. Part says which part of the column the variable is, such as
	// the month of a date; it is empty for the whole column.
	Name string `json:"name"`
	Part string `json:"part,omitempty"`
	// Coefficients are in the units of the input: the slope of a line, the values of a curve at
	// its knots, the heights of a step function on bins of equal width, or one number per
	// category. If the model has a decision value for each class, they are listed class after
	// class.
	Coefficients []float64 `json:"coefficients"`
	// Norm is the importance, by which variables are ordered: the standard deviation of what the
	// variable adds to the decision value. With [data.ScaleCommon] and [data.ScaleNone], the
	// importance of a line is the norm of its coefficients.
	Norm float64 `json:"importance"`
	// Knots are the positions at which the values of a curve are given.
	Knots []float64 `json:"knots,omitempty"`
	// Missing is the effect of a missing value. A curve has it if there were missing values in
	// training, a line if being missing predicts the target.
	Missing []float64 `json:"missing,omitempty"`
	// Gaps is the share of training rows in which its column is missing.
	Gaps float64 `json:"missing_share,omitempty"`
	// Levels are the texts of a category.
	Levels []string `json:"categories,omitempty"`
	// Rare is the category of rare texts; empty if there is none. It adds nothing, and neither do
	// texts that did not occur in training.
	Rare string `json:"rare,omitempty"`
}

// FullName returns the name of the column, followed by the part if the variable is a part of it.
func (s *Selected) FullName() string { return fullName(s.Name, s.Part) }

func fullName(name, part string) string {
	if part == "" {
		return name
	}
	return name + "." + part
}

// Task returns what the model predicts.
func (m *Model) Task() Task { return m.spec.Task }

// Program returns the version of fsa that fitted the model.
func (m *Model) Program() string { return cmp.Or(m.program, version.String()) }

// Loss returns the name of the loss that the model was trained with.
func (m *Model) Loss() string { return m.spec.Loss }

// Settings returns the parameters of the loss. Some of them are estimated from the target.
func (m *Model) Settings() loss.Settings { return m.spec.Settings }

// Classes returns the names of the classes; the last of two is the positive one.
func (m *Model) Classes() []string { return slices.Clone(m.spec.Classes) }

// Calibrated reports whether probabilities were calibrated on out-of-fold predictions.
func (m *Model) Calibrated() bool { return m.spec.Calibrated }

// Threshold returns the decision value above which the last of two classes is predicted.
func (m *Model) Threshold() float64 { return m.spec.Threshold }

// Outputs returns the number of decision values per row.
func (m *Model) Outputs() int { return m.spec.Outputs }

// Training returns the training settings of the model, and its metrics on the training rows.
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

// Selected returns the selected variables, the most important first.
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

// Kinds returns how the columns that the model uses are read, by name; see [data.Schema].
func (m *Model) Kinds() map[string]kind.Column {
	all := map[string]kind.Column{}
	if of := m.OffsetModel(); of != nil {
		all = of.Kinds()
	}
	for i := range m.spec.Variables {
		v := &m.spec.Variables[i]
		all[v.Name] = kind.Column{Kind: v.plainKind()}
	}
	for i := range m.spec.Interactions {
		for _, v := range m.spec.Interactions[i].Sides {
			all[v.Name] = kind.Column{Kind: v.kind()}
		}
	}
	for _, c := range m.spec.Columns {
		all[c.Name] = c.Column
	}
	return all
}

// OffsetModel returns the model whose decision values are the offsets of this one, or nil. Its decision values are part of
// those of this model.
func (m *Model) OffsetModel() *Model {
	if m.spec.OffsetModel == nil {
		return nil
	}
	return &Model{spec: *m.spec.OffsetModel, program: m.program}
}

// Intercept returns the decision values of a row of zeros, for the linear part of the model.
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

// Response returns what the i-th selected variable adds to decision value c at each x: its shape
// function. The variable must be numeric.
func (m *Model) Response(i, c int, x []float64) []float64 {
	out := make([]float64, len(x))
	for j, v := range x {
		out[j] = m.spec.Variables[i].part(v, c, &m.spec)
	}
	return out
}

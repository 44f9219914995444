// Package modeltest makes models by hand, and rows for them, so that readers of models can be
// tested on every kind of term, task and number without a fit.
package modeltest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"testing"

	"fsa/internal/sealed"
	"fsa/loss"
	"fsa/model"
)

// Spec is a model as in a model file.
type Spec struct {
	Task         model.Task           `json:"task"`
	Loss         string               `json:"loss"`
	Classes      []string             `json:"classes,omitempty"`
	Targets      []model.TargetColumn `json:"targets,omitempty"`
	Outputs      int                  `json:"outputs"`
	Bins         int                  `json:"bins,omitempty"`
	Intercept    []float64            `json:"intercept"`
	Variables    []Variable           `json:"variables"`
	Interactions []Interaction        `json:"interactions,omitempty"`
	Training     model.Training       `json:"training"`
	Settings     loss.Settings        `json:"loss_settings,omitzero"`
}

// Variable is a variable as in a model file.
type Variable struct {
	Index        int        `json:"index"`
	Name         string     `json:"name"`
	Kind         model.Kind `json:"kind"`
	Norm         float64    `json:"importance"`
	Coefficients []float64  `json:"coefficients"`
	Center       float64    `json:"center,omitempty"`
	Mean         float64    `json:"mean,omitempty"`
	Low          float64    `json:"low,omitempty"`
	High         float64    `json:"high,omitempty"`
	Knots        []float64  `json:"knots,omitempty"`
	Missing      []float64  `json:"missing,omitempty"`
	Levels       []string   `json:"categories,omitempty"`
}

// Interaction is a pair of variables as in a model file.
type Interaction struct {
	Sides        [2]Side   `json:"variables"`
	Norm         float64   `json:"importance"`
	Coefficients []float64 `json:"coefficients"`
	Low          []float64 `json:"low,omitempty"`
	High         []float64 `json:"high,omitempty"`
}

// Side is a variable of an interaction.
type Side struct {
	Index  int       `json:"index"`
	Name   string    `json:"name"`
	Mean   float64   `json:"mean,omitempty"`
	SD     float64   `json:"sd,omitempty"`
	Knots  []float64 `json:"knots,omitempty"`
	Levels []string  `json:"categories,omitempty"`
	Rare   bool      `json:"rare,omitempty"`
}

// New returns the model. Its training record is made up, and variables and interactions are sorted.
func New(t testing.TB, s Spec) *model.Model {
	t.Helper()
	s.Variables = slices.Clone(s.Variables)
	slices.SortStableFunc(s.Variables, func(a, b Variable) int { return cmp.Compare(b.Norm, a.Norm) })
	s.Interactions = slices.Clone(s.Interactions)
	slices.SortStableFunc(s.Interactions, func(a, b Interaction) int { return cmp.Compare(b.Norm, a.Norm) })
	s.Training = model.Training{
		Rows: 100, Columns: max(1, len(s.Variables)), K: len(s.Variables) + len(s.Interactions), Epochs: 1, Passes: 1, Eta: 1,
		Status: model.Completed, Metrics: map[string]float64{},
	}
	body, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	file, err := json.Marshal(struct {
		sealed.Head
		Model json.RawMessage `json:"model"`
	}{sealed.Kind{Format: "fsa-model", Version: 2}.Seal(body), body})
	if err != nil {
		t.Fatal(err)
	}
	m, err := model.Read(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

package main

import (
	"encoding/csv"
	"io"
	"slices"
	"strconv"

	"fsa/model"
)

// predicted is what predict prints as JSON. The predictions themselves are in
// it unless they went to a file.
type predicted struct {
	Rows        int                `json:"rows"`
	Metrics     map[string]float64 `json:"metrics,omitempty"`
	Decision    []float64          `json:"decision,omitempty"`
	Probability []float64          `json:"probability,omitempty"`
	Class       []string           `json:"class,omitempty"`
	Low         []float64          `json:"low,omitempty"`
	High        []float64          `json:"high,omitempty"`
	Sets        [][]string         `json:"sets,omitempty"`
	// Kept are the columns that were to be copied, by their names.
	Kept map[string][]string `json:"kept,omitempty"`
	// Contributions are there if they were asked for.
	Contributions *contributions `json:"contributions,omitempty"`
	Out           string         `json:"out,omitempty"`
}

// contributions say what is added up to the decision values.
type contributions struct {
	Variables []string  `json:"variables"`
	Intercept []float64 `json:"intercept"`
	Adds      []float64 `json:"adds"`
}

func newPredicted(m *model.Model, p *scored, metrics map[string]float64, out string) predicted {
	if out != "" {
		return predicted{Rows: p.Rows(), Metrics: metrics, Out: out}
	}
	all := predicted{Rows: p.Rows(), Metrics: metrics, Decision: p.Decision, Probability: p.Probability(), Class: p.Class(), Kept: p.kept.byName()}
	if p.ranges != nil {
		all.Low, all.High, all.Sets = p.ranges.low, p.ranges.high, p.ranges.sets
	}
	if p.adds != nil {
		all.Contributions = &contributions{Intercept: m.Additive().Intercept, Adds: p.adds}
		for _, v := range m.Selected() {
			all.Contributions.Variables = append(all.Contributions.Variables, v.FullName())
		}
	}
	return all
}

// writePredictions writes a row for each prediction, and behind its cells what variables
// add, if that was asked for.
func writePredictions(w io.Writer, m *model.Model, p *scored) error {
	table, cells := csv.NewWriter(w), newPredictionCells(p.Prediction)
	head := slices.Concat(p.kept.names, cells.head, p.ranges.head())
	var intercept []string
	if p.adds != nil {
		head = append(head, contributionNames(m)...)
		for _, v := range m.Additive().Intercept {
			intercept = append(intercept, exactly(v))
		}
	}
	each := len(p.adds) / max(p.Rows(), 1) // contributions of a row
	table.Write(head)
	for i := range p.Rows() {
		row := slices.Concat(p.kept.row(i), cells.row(i), p.ranges.row(i), intercept)
		for _, v := range p.adds[i*each : (i+1)*each] {
			row = append(row, exactly(v))
		}
		table.Write(row)
	}
	table.Flush()
	return table.Error()
}

// contributionNames returns the names of columns that say what is added up: the intercept
// and the variables, with several classes each for every class.
func contributionNames(m *model.Model) []string {
	names := []string{"intercept"}
	for _, v := range m.Selected() {
		names = append(names, "adds_"+v.FullName())
	}
	if m.Outputs() == 1 {
		return names
	}
	var all []string
	for _, name := range names {
		for c := range m.Outputs() {
			class := strconv.Itoa(c)
			if classes := m.Classes(); classes != nil {
				class = classes[c]
			}
			all = append(all, name+"_"+class)
		}
	}
	return all
}

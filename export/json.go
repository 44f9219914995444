package export

import (
	"bytes"
	"encoding/json"
	"slices"

	"fsa/data/kind"
	"fsa/model"
)

// described is a model as JSON, without its terms. docs/formats.md describes how predictions are
// computed from it.
type described struct {
	Format    string     `json:"format"`
	Version   int        `json:"version"`
	Task      model.Task `json:"task"`
	Loss      string     `json:"loss"`
	Link      model.Link `json:"link,omitempty"`
	Offset    string     `json:"offset,omitempty"`
	Exposure  bool       `json:"exposure,omitempty"`
	Threshold float64    `json:"threshold,omitempty"`
	Classes   []string   `json:"classes,omitempty"`
	Cuts      []float64  `json:"thresholds,omitempty"`
	Quantiles []float64  `json:"quantiles,omitempty"`
	// Targets are those of several outputs.
	Targets   []model.TargetColumn `json:"targets,omitempty"`
	Outputs   int                  `json:"outputs"`
	Intercept []float64            `json:"intercept"`
	// Interactions are pairs of variables; files without them have version 2, and files with knots of pairs version 4.
	Interactions []model.Interaction `json:"interactions,omitempty"`
	// OffsetModel is a model whose decision values are added; files with it have version 4.
	OffsetModel json.RawMessage `json:"offset_model,omitempty"`
}

// describedTerm is a term; each kind uses some of its fields.
type describedTerm struct {
	Column       string      `json:"column"`
	Part         string      `json:"part,omitempty"`
	Index        int         `json:"index"`
	Holds        kind.Name   `json:"holds"`
	Layout       string      `json:"layout,omitempty"`
	MissingTexts []string    `json:"missing_texts,omitempty"`
	Kind         model.Kind  `json:"kind"`
	Center       *float64    `json:"center,omitempty"`
	Low          *float64    `json:"low,omitempty"`
	High         *float64    `json:"high,omitempty"`
	Even         *bool       `json:"even,omitempty"`
	Knots        []float64   `json:"knots,omitempty"`
	Categories   []string    `json:"categories,omitempty"`
	Coefficients [][]float64 `json:"coefficients"`
	Missing      []float64   `json:"missing"`
}

// asJSON writes a model as JSON, with each term on a line of its own.
func asJSON(s *subject, _ *Options) ([]byte, error) {
	version := 2
	if s.Interactions != nil {
		version = 3
	}
	if slices.ContainsFunc(s.Interactions, func(p model.Interaction) bool { return p.Variables[0].Knots != nil }) {
		version = 4
	}
	var start []byte
	if s.offsetModel != nil {
		version = 4
		var err error
		if start, err = asJSON(newSubject(s.offsetModel), nil); err != nil {
			return nil, err
		}
	}
	head, err := compact(described{
		Format: "fsa-export", Version: version, Interactions: s.Interactions, Task: s.Task, Loss: s.Loss, Link: s.Link, Offset: s.Offset, Exposure: s.Exposure, Threshold: s.Threshold, Classes: s.Classes,
		Cuts: s.Cuts, Quantiles: s.Quantiles, Targets: s.Targets, Outputs: s.Outputs(), Intercept: s.Intercept, OffsetModel: start,
	})
	if err != nil {
		return nil, err
	}
	var lines [][]byte
	for i := range s.variables {
		t := &s.Terms[i]
		out := describedTerm{
			Column: t.Column, Part: t.Part, Index: t.Index, Kind: t.Kind,
			Holds: t.Cells.Kind, Layout: t.Cells.Layout, MissingTexts: t.Cells.Missing,
			Knots: t.Knots, Categories: t.Categories,
			Coefficients: t.Coefficients, Missing: t.Missing,
		}
		switch t.Kind {
		case model.Linear:
			out.Center, out.Low, out.High = &t.Center, &t.Low, &t.High
		case model.Curve:
			out.Even = &t.Even
		}
		line, err := compact(out)
		if err != nil {
			return nil, err
		}
		lines = append(lines, line)
	}
	head = append(bytes.TrimSuffix(head, []byte("}")), ",\n\"terms\":[\n"...)
	return append(append(head, bytes.Join(lines, []byte(",\n"))...), "\n]}\n"...), nil
}

// compact returns JSON on one line, without escaping letters.
func compact(v any) ([]byte, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimSpace(out.Bytes()), err
}

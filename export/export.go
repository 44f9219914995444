// Package export writes models in formats that other programs can run: ONNX, for onnxruntime and
// similar programs; an SQL query; JSON with the complete model; and source code in Go, Python and C
// without dependencies.
//
// A model is additive, so each format adds up the terms of [model.Additive] and the interactions. All compute in double
// precision and treat missing values and unknown texts like the model itself. SQL and Python read
// the cells of a table, and predict nothing for a row with a cell that is not a valid value of its
// column. The others take numbers and texts.
package export

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"fsa/model"
)

// formats is the table of export formats. A new format needs a file and a line here.
var formats = map[string]func(*subject, *Options) ([]byte, error){
	"onnx":   onnx,
	"sql":    sql,
	"json":   asJSON,
	"go":     golang,
	"python": python,
	"c":      c,
}

// Formats lists the export formats.
func Formats() []string { return slices.Sorted(maps.Keys(formats)) }

// ErrOrdered is wrapped by errors that are caused by the ordered classes or the quantiles of a model.
var ErrOrdered = errors.New("export")

// ErrLink is wrapped by errors that are caused by a link that is unknown.
var ErrLink = errors.New("export")

// ErrOffset is wrapped by errors that are caused by the offset of a model.
var ErrOffset = errors.New("export")

// ErrMatrix is wrapped by errors that are caused by [Options.Matrix].
var ErrMatrix = errors.New("matrix")

// Write writes a model.
func Write(w io.Writer, m *model.Model, o Options) error {
	format, ok := formats[o.To]
	if !ok {
		return fmt.Errorf("export: unknown format %q: it must be one of %s", o.To, strings.Join(Formats(), ", "))
	}
	if a := m.Additive(); a.Offset != "" && o.To != "json" {
		return fmt.Errorf("%w: the model adds the offset of column %q, which %s cannot express: use fsa predict, or export to json", ErrOffset, a.Offset, o.To)
	}
	if m.OffsetModel() != nil && o.To != "json" {
		return fmt.Errorf("%w: the model contains the offset model from which it started, which %s cannot express yet: use fsa predict, or export to json", ErrOffset, o.To)
	}
	if m.Cuts() != nil && o.To != "json" {
		return fmt.Errorf("%w: the model has ordered classes, whose thresholds %s cannot express yet: use fsa predict, or export to json", ErrOrdered, o.To)
	}
	if m.Link() == model.OwnLink && o.To != "json" {
		return fmt.Errorf("%w: the model was fitted with a loss of a Go program, whose link %s cannot express: predict with that program, or export to json, which has decision values", ErrLink, o.To)
	}
	if m.Settings().Quantiles != nil && o.To != "json" {
		return fmt.Errorf("%w: the model predicts several quantiles, whose order %s cannot express yet: use fsa predict, or export to json", ErrOrdered, o.To)
	}
	out, err := format(newSubject(m), &o)
	if err != nil {
		return fmt.Errorf("export: %w", err)
	}
	_, err = w.Write(out)
	return err
}

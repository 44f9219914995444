// Package export writes models for programs that know nothing of fsa: as ONNX for
// onnxruntime and its like, as an SQL query, as JSON that says all there is to say, and
// as source code in Go, Python and C without dependencies.
//
// A model is additive, so that each of these adds up the terms of [model.Additive]. All
// of them compute in double precision and treat missing values and unknown texts as the
// model itself does. SQL and Python read the cells of a table, as far as they can, and
// predict nothing for a row with a cell that is no value of its column; the others are
// given numbers and texts.
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

// formats is the table of what a model can be written as: a new one is a file and a
// line here.
var formats = map[string]func(*subject, *Options) ([]byte, error){
	"onnx":   onnx,
	"sql":    sql,
	"json":   asJSON,
	"go":     golang,
	"python": python,
	"c":      c,
}

// Formats lists what a model can be written as.
func Formats() []string { return slices.Sorted(maps.Keys(formats)) }

// ErrOffset is wrapped by errors that blame the offset of a model.
var ErrOffset = errors.New("export")

// ErrMatrix is wrapped by errors that blame [Options.Matrix].
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
	out, err := format(newSubject(m), &o)
	if err != nil {
		return fmt.Errorf("export: %w", err)
	}
	_, err = w.Write(out)
	return err
}

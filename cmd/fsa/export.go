package main

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"fsa/export"
	"fsa/internal/atomicfile"
)

func exportCommand() *cobra.Command {
	var (
		o   export.Options
		out string
	)
	cmd := &cobra.Command{
		Use:   "export MODEL --to FORMAT",
		Short: "Export a model to ONNX, SQL, JSON, Go, Python or C",
		Long: `export writes a model so that it predicts without fsa. MODEL is a run folder or
the model.json in it. The exported model takes rows as they are in the table,
with texts and missing values. A SQL query predicts NULL, and Python raises an
error, if a cell is not a value of its column. docs/guide/use-a-model.md says
what each format reads.

  onnx     for onnxruntime and others: one input per column that is used, or one
           input for all of them with --matrix
  sql      a query that adds the predictions to the columns of a table
  json     the complete model, for other programs
  go, python, c
           one source file without dependencies`,
		Example: `  fsa export run --to onnx --out model.onnx
  fsa export run --to sql --dialect duckdb --table customers > score.sql
  fsa export run --to python > scorer.py`,
		Args: arguments,
		RunE: func(cmd *cobra.Command, args []string) error {
			return exportModel(cmd, modelPath(args[0]), out, o)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.To, "to", "", "`FORMAT` to write: "+strings.Join(export.Formats(), ", "))
	f.StringVar(&out, "out", "", "`FILE` to write to, instead of standard output")
	f.StringVar(&o.Dialect, "dialect", "", "SQL `DIALECT`: "+strings.Join(export.Dialects(), ", ")+" (default sqlite)")
	f.BoolVar(&o.Matrix, "matrix", false, "ONNX: one input with the columns of the model side by side, in the order of fsa show, and then those that only interactions use; all must be numbers")
	f.StringVar(&o.Table, "table", "", "`NAME` of the table that the SQL query reads, with dots between schema and table (default data)")
	return cmd
}

// exportModel does the work of the export command.
func exportModel(cmd *cobra.Command, path, out string, o export.Options) error {
	switch {
	case o.To == "":
		return usagef("--to is missing: it must be one of %s", strings.Join(export.Formats(), ", "))
	case !slices.Contains(export.Formats(), o.To):
		return usagef("--to %s: it must be one of %s", o.To, strings.Join(export.Formats(), ", "))
	case o.To != "sql" && (o.Dialect != "" || o.Table != ""):
		return usagef("--dialect and --table are for --to sql")
	case o.To != "onnx" && o.Matrix:
		return usagef("--matrix is for --to onnx")
	case o.Dialect != "" && !slices.Contains(export.Dialects(), o.Dialect):
		return usagef("--dialect %s: it must be one of %s", o.Dialect, strings.Join(export.Dialects(), ", "))
	case out != "" && sameFile(out, path):
		return usagef("--out %s: this is the input file: give another name", out)
	case out == "" && o.To == "onnx" && onTerminal(cmd.OutOrStdout()):
		return usagef("ONNX is not text: give --out FILE, or redirect standard output")
	}
	m, _, err := loadModel(cmd.Context(), path)
	if err != nil {
		return err
	}
	if err := tellChanged(cmd, path, modelName); err != nil {
		return err
	}
	var file bytes.Buffer
	if err := export.Write(&file, m, o); errors.Is(err, export.ErrMatrix) {
		return usagef("--%s", strings.TrimPrefix(err.Error(), "export: "))
	} else if errors.Is(err, export.ErrLink) || errors.Is(err, export.ErrOffset) || errors.Is(err, export.ErrOrdered) {
		return usagef("--to %s: %s", o.To, strings.TrimPrefix(err.Error(), "export: "))
	} else if err != nil {
		return err
	}
	if out == "" {
		_, err = cmd.OutOrStdout().Write(file.Bytes())
		return err
	}
	return atomicfile.WriteFile(out, func(w io.Writer) error {
		_, err := w.Write(file.Bytes())
		return err
	})
}

// onTerminal reports whether the output goes to a terminal.
func onTerminal(w io.Writer) bool {
	f, ok := w.(interface{ Fd() uintptr })
	return ok && term.IsTerminal(int(f.Fd()))
}

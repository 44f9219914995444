package main

import (
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"fsa"
	"fsa/data"
	"fsa/data/open"
	"fsa/model"
	"fsa/report"
	"fsa/validate"
)

// validationFlags say how rows are cut into folds, and what is compared on them.
type validationFlags struct {
	folds foldsFlag
}

func (v *validationFlags) flags(cmd *cobra.Command, in *input, o *fsa.Options) {
	f := cmd.Flags()
	f.StringVar(&o.Choose, "choose", "", "`rule` by which cross-validation chooses: "+strings.Join(validate.RuleNames(), ", ")+" (default paired; ebic with --quick)")
	f.StringVar(&o.Measure, "measure", "", "what is compared, instead of the loss: "+strings.Join(model.MeasureNames(), ", "))
	v.folds.o = o
	f.Var(&v.folds, "folds", "folds of cross-validation: how many, or a `file` with the fold of each row (default 10)")
	f.IntVar(&o.Repeats, "repeats", 0, "how often rows are dealt into folds anew (default once)")
	f.StringVar(&in.Group, "fold-by", "", "rows that stay in one fold, such as those of a patient: a column's `name`, its number, or a file")
	f.BoolVar(&o.Calibrate, "calibrate", false, "make probabilities come true, by predictions of rows that were not learned from; svm and lorenz get some")
	f.StringVar(&o.Threshold, "threshold", "", "how to choose between two classes: f1, balanced, or `cost=FP:FN`, what a false positive and a false negative cost")
	f.BoolVar(&o.Ordered, "ordered", false, "rows stand in the order of time: folds learn from earlier rows only")
}

// resolve reads the file of folds, if there is one.
func (v *validationFlags) resolve(ctx context.Context, in *input, o *fsa.Options) error {
	if in.Group != "" {
		o.CrossValidate = true
	}
	if v.folds.file == "" {
		return nil
	}
	given, err := open.Vector(ctx, v.folds.file)
	if err != nil {
		return fmt.Errorf("--folds %s: it must be a number or a file with the fold of each row: %w", v.folds.file, err)
	}
	o.FoldOf = given.Values
	return nil
}

// foldsFlag is a number of folds, or a file that has the fold of each row.
type foldsFlag struct {
	o    *fsa.Options
	file string
}

var _ pflag.Value = (*foldsFlag)(nil)

// String implements [pflag.Value].
func (f *foldsFlag) String() string {
	if f.o == nil || f.o.Folds == 0 {
		return f.file
	}
	return strconv.Itoa(f.o.Folds)
}

// Type implements [pflag.Value].
func (f *foldsFlag) Type() string { return "number" }

// Set implements [pflag.Value].
func (f *foldsFlag) Set(text string) error {
	n, err := strconv.Atoi(text)
	switch {
	case err != nil:
		f.o.Folds, f.file = 0, text
	case n < 2:
		return fmt.Errorf("at least 2 folds are needed, to learn from the one and to test on the other")
	default:
		f.o.Folds, f.file = n, ""
	}
	return nil
}

// attachValidation puts what cross-validation saw into the run folder.
// Rows are those of the whole table, nil for all; their predictions are told only if they
// may be.
func (f *runFolder) attachValidation(r fitResult, target *data.Target, rows []int, tell bool) {
	v, e := r.validation, r.evidence
	if v == nil || e == nil {
		return
	}
	f.attach(curveName, func(w io.Writer, sum string) error { return printJSON(w, newCurveFile(v, e, sum)) })
	if len(v.Points) > 1 {
		f.attach(pictureName, func(w io.Writer, _ string) error { return report.Sizes(w, sizePlot(v)) })
	}
	if e.Folds != nil && r.model != nil {
		f.attach(foldsName, e.Folds.Write)
	}
	if tell {
		f.attach(rowsName, func(w io.Writer, _ string) error { return writeRows(w, e, target, rows) })
	}
}

// curveFile is curve.json.
type curveFile struct {
	Model string `json:"model,omitempty"` // checksum of the model.json beside it
	*model.Validation
	Larger bool             `json:"larger_is_better"`
	Errors []curveFileError `json:"errors"`
}

// curveFileError is what was compared at a size, of each fold.
type curveFileError struct {
	Size  int       `json:"size"`
	Folds []float64 `json:"folds"`
}

func newCurveFile(v *model.Validation, e *fsa.Evidence, sum string) curveFile {
	c := curveFile{Model: sum, Validation: v, Larger: model.LargerIsBetter(v.Measure)}
	for _, p := range e.Curve.Points {
		folds := append([]float64{}, p.Errors...)
		if c.Larger {
			for i := range folds {
				folds[i] = -folds[i]
			}
		}
		c.Errors = append(c.Errors, curveFileError{p.Size, folds})
	}
	return c
}

func sizePlot(v *model.Validation) report.SizePlot {
	p := report.SizePlot{Measure: measureName(v.Measure), Null: v.Null, Chosen: v.Chosen}
	for _, at := range v.Points {
		p.Size, p.Mean, p.SE = append(p.Size, at.Size), append(p.Mean, at.Mean), append(p.SE, at.SE)
	}
	return p
}

// writeRows writes what was predicted of each row by what was not learned from it.
func writeRows(w io.Writer, e *fsa.Evidence, t *data.Target, rows []int) error {
	table, cells := csv.NewWriter(w), newPredictionCells(e.Prediction)
	head := []string{"row", "fold", "target"}
	if t.Query != nil {
		head = append(head, "query")
	}
	table.Write(slices.Concat(head, cells.head))
	query := 0 // of the row
	for i, has := range e.Has {
		if !has {
			continue
		}
		target := exactly(t.Y[i])
		if t.Categories != nil {
			target = t.Categories[int(t.Y[i])]
		}
		row := i
		if rows != nil && len(e.Has) == len(rows) { // else the others are there, too, without weight
			row = rows[i]
		}
		line := []string{strconv.Itoa(row + 1), strconv.Itoa(e.Fold[i] + 1), target}
		if t.Query != nil {
			for query+1 < len(t.Query) && t.Query[query+1] <= i {
				query++
			}
			line = append(line, strconv.Itoa(query+1))
		}
		table.Write(slices.Concat(line, cells.row(i)))
	}
	table.Flush()
	return table.Error()
}

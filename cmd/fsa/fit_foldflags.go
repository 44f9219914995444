package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"fsa"
	"fsa/data/open"
	"fsa/model"
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

package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

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

// tests are the flags that keep rows from learning, to measure the model on them.
type tests struct {
	file, target string
	holdout      float64
	nested       bool
}

func (t *tests) flags(cmd *cobra.Command, o *fsa.Options, cv bool) {
	f := cmd.Flags()
	f.BoolVar(&t.nested, "nested", false, "cross-validate the whole procedure, with all that it chooses: slow, and the honest measure of it")
	if cv {
		return
	}
	f.IntVar(&o.Stability, "stability", 0, "`pairs` of half samples to select on again, which say how sure the selection is, such as 50")
	f.StringVar(&t.file, "test", "", "`file` with rows to measure the model on, with the columns of DATA")
	f.StringVar(&t.target, "test-target", "", "the response of these rows, where --target is a file: another `file`")
	f.Float64Var(&t.holdout, "holdout", 0, "`share` of the rows to keep from learning, to measure the model on")
}

func (t *tests) validate(cmd *cobra.Command) error {
	switch {
	case cmd.Flags().Changed("holdout") && !(t.holdout > 0 && t.holdout < 1):
		return usagef("--holdout %v: it must be above 0 and below 1", t.holdout)
	case t.target != "" && t.file == "":
		return usagef("--test-target is the response of --test, which is not given")
	}
	return nil
}

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

// validationFlags say how rows are divided into folds, and what is compared on them.
type validationFlags struct {
	folds foldsFlag
}

func (v *validationFlags) flags(cmd *cobra.Command, in *input, o *fsa.Options) {
	f := cmd.Flags()
	f.StringVar(&o.Selection.Choose, "choose", "", "`RULE` by which the size is chosen: "+strings.Join(validate.RuleNames(), ", ")+" (default paired; ebic with --quick)")
	f.StringVar(&o.Validation.Measure, "measure", "", "compare sizes by `METRIC` instead of the loss: "+strings.Join(model.MeasureNames(), ", "))
	v.folds.o = o
	f.Var(&v.folds, "folds", "cross-validate with `N` folds (default 10)")
	f.StringVar(&v.folds.file, "fold-ids", "", "cross-validate with given folds: `FILE` with the fold of each row")
	f.IntVar(&o.Validation.Repeats, "repeats", 0, "repeat cross-validation `N` times with other folds (default 1)")
	f.StringVar(&in.Group, "fold-by", "", "keep rows with equal values of `COLUMN` in one fold, such as the rows of a patient: a name, a number, or a file")
	f.BoolVar(&o.Validation.Calibrate, "calibrate", false, "calibrate probabilities on out-of-fold predictions; gives svm and lorenz probabilities")
	f.StringVar(&o.Validation.Threshold, "threshold", "", "how the threshold between two classes is chosen: f1, balanced, or `cost=FP:FN`, the costs of a false positive and a false negative")
	f.StringVar(&o.Validation.Reference, "reference", "", "compare with a `MODEL` of all columns on the same folds: "+strings.Join(fsa.ReferenceNames(), ", "))
	f.BoolVar(&o.Validation.Ordered, "ordered", false, "rows are in order of time: folds train on earlier rows only")
}

// resolve reads the file of folds, if there is one.
func (v *validationFlags) resolve(ctx context.Context, in *input, o *fsa.Options) error {
	if in.Group != "" && o.Selection.FDR == 0 { // its half samples keep groups together
		o.Validation.Always = true
	}
	if v.folds.file == "" {
		return nil
	}
	given, err := open.Vector(ctx, v.folds.file)
	if err != nil {
		return fmt.Errorf("--fold-ids %s: it must be a file with the fold of each row: %w", v.folds.file, err)
	}
	o.Validation.FoldOf = given.Values
	return nil
}

// tests holds the flags for held-out rows, on which the model is tested.
type tests struct {
	file, target string
	holdout      float64
	nested       bool
}

func (t *tests) flags(cmd *cobra.Command, o *fsa.Options, cv bool) {
	f := cmd.Flags()
	f.BoolVar(&t.nested, "nested", false, "cross-validate the whole procedure, including all its choices: slow and unbiased")
	if cv {
		return
	}
	f.Float64Var(&o.Selection.FDR, "fdr", 0, "select the variables that half samples confirm, so that at most a `SHARE` of them, such as 0.1, is expected to be irrelevant")
	f.BoolVar(&o.Validation.Rivals, "rivals", false, "measure out of fold which other variables could take the place of each selected one")
	f.IntVar(&o.Validation.Stability, "stability", 0, "repeat the selection on `N` pairs of half samples, such as 50, to estimate its stability")
	f.Float64Var(&o.Validation.Confidence, "confidence", 0, "confidence intervals of `LEVEL`, such as 0.9, for the effects of the selected variables, which account for the selection")
	f.StringVar(&t.file, "test", "", "`FILE` of test rows, with the columns of DATA")
	f.StringVar(&t.target, "test-target", "", "`FILE` with the target of the test rows, if --target is a file")
	f.Float64Var(&t.holdout, "holdout", 0, "hold out `SHARE` of the rows as a test set, such as 0.2")
}

func (t *tests) validate(cmd *cobra.Command) error {
	switch {
	case cmd.Flags().Changed("holdout") && !(t.holdout > 0 && t.holdout < 1):
		return usagef("--holdout %v: it must be above 0 and below 1", t.holdout)
	case t.target != "" && t.file == "":
		return usagef("--test-target needs --test")
	}
	return nil
}

package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"fsa/model"
	"fsa/validate"
)

func cvCommand() *cobra.Command {
	return newFitCommand(&cobra.Command{
		Use:   "cv DATA",
		Short: "Say how many variables to keep, and how good that is",
		Long: `cv does what fit does before it learns from all rows: it cuts the rows into
folds, learns from all but one of them at each number of variables, and measures
the predictions of the fold that was left out. With --out, the folder has the
curve (curve.json, curve.svg) and the predictions of all rows (rows.csv). With
--method, methods are compared on the same folds, at the sizes of -k.`,
		Example: `  fsa cv train.csv --target price
  fsa cv train.csv --target price -k 5,10,20 --repeats 5 --out run
  fsa cv visits.csv --target ill --fold-by patient --measure auc
  fsa cv train.csv --target price -k 5,10 --method l1,rfe,fsa`,
	}, &fitTask{cv: true})
}

// tellValidation says what cross-validation has found.
func (t *fitTask) tellValidation(cmd *cobra.Command, progress *progress, folder *runFolder, r fitResult) error {
	v, w := r.validation, cmd.OutOrStdout()
	if folder != nil {
		if err := folder.commitAttached(); err != nil {
			return err
		}
	}
	noteValidation(progress, v)
	if t.json {
		return printJSON(w, struct {
			*model.Validation
			Nested *model.Test `json:"nested,omitempty"`
		}{v, r.nested})
	}
	if err := printCurve(w, v); err != nil {
		return err
	}
	if err := printShares(w, v); err != nil {
		return err
	}
	if err := printMetrics(w, notLearned, v.Metrics); err != nil {
		return err
	}
	if r.nested != nil {
		if err := printTest(w, *r.nested); err != nil {
			return err
		}
	}
	if folder == nil {
		return nil
	}
	progress.note("the curve and the predictions of all rows are in %s", t.out)
	return nil
}

// printShares says which variables the folds have selected.
func printShares(w io.Writer, v *model.Validation) error {
	names := slices.SortedFunc(maps.Keys(v.Shares), func(a, b string) int {
		return cmp.Or(cmp.Compare(v.Shares[b], v.Shares[a]), cmp.Compare(a, b))
	})
	if len(names) == 0 {
		return nil
	}
	fmt.Fprintf(w, "%d variables; the folds selected\n", v.Chosen)
	all := len(names)
	names = names[:min(all, shownVariables)]
	for i, name := range readable(names, shownLetters) {
		fmt.Fprintf(w, "%4.0f%%  %s\n", 100*v.Shares[names[i]], name)
	}
	if n := all - len(names); n > 0 {
		fmt.Fprintf(w, "… and %d more (--json lists all)\n", n)
	}
	_, err := fmt.Fprintln(w)
	return err
}

// noteValidation says what may surprise about what folds have found.
func noteValidation(p *progress, v *model.Validation) {
	if !v.Signal() {
		p.note("no signal was found: on rows that were not learned from, the model is no better than the null model (the mean, or the shares of the classes), within three standard errors")
		return
	}
	if a := v.Agreement; a != nil && (validate.Stability{Index: *a}).Verdict() == "poor" {
		p.note("the selection is unstable: the folds agree on it by %.2f, where 1 is all and 0 chance, so other rows would select other variables, which may predict as well", *a)
	}
}

package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"fsa/internal/runs"
	"fsa/model"
)

// crossValidated is what cv prints as JSON.
type crossValidated struct {
	Schema int `json:"schema"`
	*model.Validation
	Nested *model.Test `json:"nested,omitempty"`
}

// tellValidation prints the result of cross-validation.
func (t *fitTask) tellValidation(cmd *cobra.Command, progress *progress, folder *runs.Folder, r fitResult) error {
	v, w := r.validation, cmd.OutOrStdout()
	if folder != nil {
		if err := folder.CommitAttached(); err != nil {
			return err
		}
	}
	noteValidation(progress, v, true)
	if t.json {
		return printJSON(w, crossValidated{jsonSchema, v, r.nested})
	}
	if err := printCurve(w, v, shownSizes); err != nil {
		return err
	}
	if err := printShares(w, v); err != nil {
		return err
	}
	if err := printMetrics(w, outOfFold, t.options.Loss, v.Metrics); err != nil {
		return err
	}
	printReference(w, v)
	if r.nested != nil {
		if err := printTest(w, t.options.Loss, *r.nested); err != nil {
			return err
		}
	}
	if folder == nil {
		return nil
	}
	progress.note("the curve and the out-of-fold predictions of all rows are in %s", t.out)
	return nil
}

// printShares prints the inclusion frequencies of variables over folds.
func printShares(w io.Writer, v *model.Validation) error {
	names := slices.SortedFunc(maps.Keys(v.Shares), func(a, b string) int {
		return cmp.Or(cmp.Compare(v.Shares[b], v.Shares[a]), cmp.Compare(a, b))
	})
	if len(names) == 0 {
		return nil
	}
	if v.Budgets != nil {
		fmt.Fprintln(w, "share of the folds that selected each variable:")
	} else {
		fmt.Fprintf(w, "%d variables; share of the folds that selected each:\n", v.Chosen)
	}
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

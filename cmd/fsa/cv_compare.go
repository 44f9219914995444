package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"fsa"
	"fsa/data"
	"fsa/internal/decimal"
	"fsa/internal/runs"
	"fsa/model"
	"fsa/validate"
)

// compared is the error of a method at one size.
type compared struct {
	Method    string               `json:"method"`
	K         int                  `json:"k"`
	Variables float64              `json:"variables"` // mean over folds
	Agreement *float64             `json:"agreement,omitempty"`
	Metrics   map[string]float64   `json:"metrics"`
	Folds     []map[string]float64 `json:"folds"`
}

// compare runs methods on the same folds.
func (t *fitTask) compare(cmd *cobra.Command, progress *progress, folder *runs.Folder, table *data.Dataset) error {
	ctx, o := cmd.Context(), t.options
	sizes := o.Selection.Sizes
	if o.K != fsa.Auto {
		sizes = []int{o.K}
	}
	if slices.Contains(sizes, 0) {
		sizes = sizes[1:] // without variables: no method is trained
	}
	if len(sizes) == 0 {
		return usagef("-k is missing: give the sizes at which to compare methods, as in -k 5,10,20")
	}
	job, err := fsa.Prepare(ctx, table, o)
	if err != nil {
		return err
	}
	folds, err := job.Folds(ctx)
	if err != nil {
		return err
	}
	var list []compared
	for _, c := range t.contenders {
		for _, k := range sizes {
			progress.line(func() string { return fmt.Sprintf("%s with %d variables, %d folds", c.name, k, folds.Len()) })
			one, err := compareOne(ctx, table, c, k, folds)
			if err != nil {
				return fmt.Errorf("--method %s, -k %d: %w", c.name, k, err)
			}
			list = append(list, one)
		}
	}
	progress.end()
	if folder != nil {
		folder.Attach(runs.CompareName, func(w io.Writer, _ string) error { return printJSON(w, list) })
		if err := folder.CommitAttached(); err != nil {
			return err
		}
	}
	if t.json {
		return printJSON(cmd.OutOrStdout(), list)
	}
	fmt.Fprintf(cmd.OutOrStdout(), "cross-validated, %d folds, mean ± standard error:\n", folds.Len())
	return printCompared(cmd.OutOrStdout(), list)
}

func compareOne(ctx context.Context, table *data.Dataset, c contender, k int, folds *validate.Folds) (compared, error) {
	found, err := fsa.CrossValidate(ctx, table, c.make(k), folds)
	if err != nil {
		return compared{}, err
	}
	out := compared{Method: c.name, K: k, Metrics: found.Metrics, Folds: found.Folds}
	var selections [][]int
	for _, m := range found.Models {
		var chosen []int
		for _, v := range m.Selected() {
			chosen = append(chosen, table.Lookup(v.Name))
		}
		selections = append(selections, chosen)
		out.Variables += float64(len(chosen)) / float64(len(found.Models))
	}
	if index := validate.Agreement(selections, len(table.Columns), 0.95).Index; index == index {
		out.Agreement = &index
	}
	return out, nil
}

// printCompared prints the usual measures, mean ± standard error over the folds.
func printCompared(w io.Writer, list []compared) error {
	names := slices.Sorted(maps.Keys(model.Usual("", list[0].Metrics)))
	tab := newTable(w)
	head := "method\tvariables\tagreement"
	for _, name := range names {
		head += "\t" + measureLabel(name)
	}
	fmt.Fprintln(tab, head)
	for _, c := range list {
		agreement := "–"
		if c.Agreement != nil {
			agreement = fmt.Sprintf("%.2f", *c.Agreement)
		}
		fmt.Fprintf(tab, "%s\t%s\t%s", c.Method, decimal.Digits(c.Variables, 4), agreement)
		for _, name := range names {
			var values []float64
			for _, f := range c.Folds {
				if v, ok := f[name]; ok {
					values = append(values, v)
				}
			}
			cell := "–"
			if len(values) > 1 {
				p := validate.NewCurve([]int{c.K}, [][]float64{values}, nil, 1).Points[0]
				cell = decimal.Padded(p.Mean, 4) + " ± " + decimal.Padded(p.SE, 2)
			}
			fmt.Fprint(tab, "\t"+cell)
		}
		fmt.Fprintln(tab)
	}
	return tab.Flush()
}

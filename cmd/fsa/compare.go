package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"fsa"
	"fsa/data"
	"fsa/internal/decimal"
	"fsa/internal/runs"
	"fsa/report"
	"fsa/validate"
)

func compareCommand() *cobra.Command {
	var columns []string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "compare RUN --columns COLUMN,...",
		Short: "Compare the model of a run with one of other columns",
		Long: `compare says what a list of columns of your own would cost. It reads the table
of a run again and cross-validates a model of these columns alone, with the
settings and the folds of the run. Then it compares the out-of-fold losses of
both, row by row. RUN is the run folder of a cross-validated fit; run this
command in the folder where the fit was started.`,
		Example: "  fsa compare run --columns age,income,region",
		Args:    arguments,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(columns) == 0 {
				return usagef("--columns is missing: give the columns to compare with, such as --columns age,income")
			}
			c := &comparing{columns: columns}
			if err := c.read(cmd.Context(), args[0]); err != nil {
				return err
			}
			if err := c.fit(cmd); err != nil {
				return err
			}
			if asJSON {
				return printJSON(cmd.OutOrStdout(), c.result)
			}
			wrapped(cmd.OutOrStdout(), c.result.text())
			return nil
		},
	}
	cmd.Flags().StringSliceVar(&columns, "columns", nil, "the columns `COLUMN,...` of the other model")
	jsonFlag(cmd.Flags(), &asJSON)
	return cmd
}

// comparing is a comparison of a run with a list of columns.
type comparing struct {
	run     *report.Run
	columns []string
	folds   int // of a repeat
	result  comparedColumns
}

// comparedColumns is what compare prints as JSON.
type comparedColumns struct {
	Schema     int      `json:"schema"`
	Run        string   `json:"run"`
	Columns    []string `json:"columns"`
	Loss       string   `json:"loss"` // name of the loss
	Own        float64  `json:"own"`  // mean loss of the model of the columns
	Mean       float64  `json:"mean"` // mean loss of the model of the run
	Difference float64  `json:"difference"`
	Low        float64  `json:"low"`
	High       float64  `json:"high"`
	Units      int      `json:"units"`
}

// text says what the columns cost.
func (c *comparedColumns) text() string {
	what := "no clear difference"
	switch {
	case c.Low > 0:
		what = "the columns lose " + decimal.Digits(c.Difference, 3)
	case c.High < 0:
		what = "the columns are better by " + decimal.Digits(-c.Difference, 3)
	}
	return fmt.Sprintf("%s alone against the model of %s: out-of-fold %s %s instead of %s, difference %s (95%%: %s to %s): %s.",
		strings.Join(readable(c.Columns, shownLetters), ", "), c.Run, c.Loss, decimal.Digits(c.Own, 3), decimal.Digits(c.Mean, 3), decimal.Digits(c.Difference, 3), decimal.Digits(c.Low, 3), decimal.Digits(c.High, 3), what)
}

// read reads the run, and refuses it if its fit cannot be repeated.
func (c *comparing) read(ctx context.Context, path string) (err error) {
	if c.run, err = readRun(ctx, path); err != nil {
		return err
	}
	r := c.run
	switch words := recorded(r); {
	case r.Record != nil && r.Record.Call != "":
		return usagef("%s was fitted by %s: compare fits the table again, so it needs a run folder of fsa fit --out", path, shorten(r.Record.Call, shownPath))
	case len(words) == 0 || words[0] != "fit":
		return usagef("%s does not record its command: compare needs a run folder of fsa fit --out", path)
	case r.Model.Method != "":
		return usagef("%s was fitted with --method %s: compare needs a fit by annealing", path, r.Model.Method)
	case r.Curve == nil || r.Rows == nil:
		return usagef("%s has no out-of-fold predictions of single rows: fit again with cross-validation (without --quick and --no-rows, or with --folds 5)", path)
	}
	if r.Record.Data.SHA256 != "" {
		if _, sum := runs.Checksum(ctx, r.Record.Data.File); sum != r.Record.Data.SHA256 {
			return &data.Error{File: r.Record.Data.File, Msg: "the table is not here, or not the one of the run: run this command in the folder where the fit was started, or fit again"}
		}
	}
	return nil
}

// recorded returns the command of a run, or nil if it is unknown.
func recorded(r *report.Run) []string {
	if r.Record == nil {
		return nil
	}
	return r.Record.Command
}

// fit repeats the validation of the run with the given columns.
func (c *comparing) fit(cmd *cobra.Command) error {
	task := &fitTask{adjust: c.adjust, tell: c.tell}
	again := newFitCommand(&cobra.Command{Use: "fit DATA…", SilenceErrors: true, SilenceUsage: true}, task)
	again.SetArgs(recorded(c.run)[1:])
	again.SetOut(io.Discard)
	again.SetErr(cmd.ErrOrStderr())
	err := again.ExecuteContext(cmd.Context())
	if errors.Is(err, fsa.ErrOptions) {
		return usagef("%v", err)
	}
	return err
}

// adjust changes a task so that it only validates the columns.
func (c *comparing) adjust(t *fitTask, o *fsa.Options) error {
	if t.spread.text != "" {
		return usagef("%s was fitted on a grid: compare does not work on a grid yet", c.run.Name)
	}
	t.cv, t.out, t.report, t.live, t.open, t.json, t.explain, t.planOnly = true, "", false, false, false, false, false, false
	t.saving.resume, t.saving.most, t.tests.nested, t.tests.file, t.tests.target = false, 0, false, "", ""
	o.K, o.Quick = c.size(o.Selection.Groups), false
	o.Selection.Sizes, o.Selection.Choose, o.Selection.Force = nil, "", c.columns
	v := &o.Validation
	v.Always, v.Reference, v.Stability, v.Confidence = true, "", 0, 0
	if c.folds = c.run.Curve.Folds / max(v.Repeats, 1); v.FoldOf == nil {
		v.Folds = c.folds
	}
	return nil
}

// size returns the number of groups of the columns.
func (c *comparing) size(groups [][]string) int {
	sets := map[string]bool{}
	for _, column := range c.columns {
		name := "column " + column
		for i, g := range groups {
			if slices.Contains(g, column) {
				name = fmt.Sprintf("group %d", i)
			}
		}
		sets[name] = true
	}
	return len(sets)
}

// tell compares the validated columns with the run.
func (c *comparing) tell(e *fsa.Evidence, target *data.Target, kept []int) error {
	var text bytes.Buffer
	if err := runs.WriteRows(&text, e, target, kept); err != nil {
		return err
	}
	rows, err := report.ReadRows(&text, report.RowsName)
	if err != nil {
		return err
	}
	if !slices.Equal(rows.Row, c.run.Rows.Row) || !slices.Equal(rows.Fold, c.run.Rows.Fold) {
		return fmt.Errorf("the folds of %s cannot be made again: fit again with --fold-ids", c.run.Name)
	}
	d := report.Pair(c.run, &report.Run{Model: c.run.Model, Rows: rows})
	if d == nil {
		return usagef("%s is a %s: compare works for regressions and classifications", c.run.Name, c.run.Model.Task)
	}
	weight, unit := weightsOf(target, d.Row, kept)
	price := validate.Paired(d.Difference, weight, unit).CrossValidated(c.folds)
	c.result = comparedColumns{jsonSchema, c.run.Name, c.columns, d.Loss, validate.Paired(d.Second, weight, nil).Mean, validate.Paired(d.First, weight, nil).Mean, price.Mean, price.Low, price.High, price.Units}
	return nil
}

// weightsOf returns the weights and the groups of rows, numbered from 1 in the table; either may be nil. kept are the numbers
// of the rows of the target, or nil for all.
func weightsOf(t *data.Target, rows, kept []int) (weight []float64, unit []int) {
	labels := map[float64]int{}
	for _, row := range rows {
		at := row - 1
		if len(kept) == len(t.Y) {
			at, _ = slices.BinarySearch(kept, at)
		}
		if t.Weight != nil {
			weight = append(weight, t.Weight[at])
		}
		if t.Group != nil {
			if _, known := labels[t.Group[at]]; !known {
				labels[t.Group[at]] = len(labels)
			}
			unit = append(unit, labels[t.Group[at]])
		}
	}
	return weight, unit
}

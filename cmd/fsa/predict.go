package main

import "github.com/spf13/cobra"

func predictCommand() *cobra.Command {
	var (
		in     input
		out    string
		memory string
		o      predictOutput
	)
	cmd := &cobra.Command{
		Use:   "predict MODEL DATA…",
		Short: "Predict the rows of a table, and evaluate the predictions",
		Long: `predict reads a table in any format and writes one prediction per row, as CSV or
as the name of --out says.
MODEL is a run folder or the model.json in it. Columns are found by name; other
columns are ignored. If the table has the target, the predictions are
evaluated. Memory does not grow with the rows of the table, except to evaluate
predictions; output waits in a temporary file (TMPDIR) until all rows are
predicted.`,
		Example: `  fsa predict run test.csv > predictions.csv
  fsa predict run test.csv --target price --json`,
		Args: arguments,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkFormat(&in.Options); err != nil {
				return err
			}
			if err := limitMemory(cmd, &in.Options, memory); err != nil {
				return err
			}
			if err := checkOrder(cmd.Context(), args[0], args[1]); err != nil {
				return err
			}
			path, err := in.files(cmd.Context(), args[1:])
			if err != nil {
				return err
			}
			return predict(cmd, modelPath(args[0]), path, in, out, o)
		},
	}
	in.flags(cmd)
	cmd.Flags().StringVar(&out, "out", "", "`FILE` for the predictions, instead of standard output: .csv, .parquet, .arrow, .jsonl or .xlsx, optionally followed by .gz or .zst")
	jsonFlag(cmd.Flags(), &o.json)
	cmd.Flags().Lookup("target").Usage = "evaluate the predictions against `COLUMN`: a name, a number from 0, or a file with one value per row"
	cmd.Flags().Float64Var(&o.coverage, "interval", 0, "also write prediction intervals, or sets of classes, with coverage `P`, such as 0.9")
	cmd.Flags().BoolVar(&o.plus, "cv-plus", false, "make the intervals of a regression from the models of the folds (CV+): valid for any distribution; needs the columns that any fold selected")
	cmd.Flags().StringVar(&memory, "memory", "1GiB", "use at most `SIZE` of memory, and never more than 80% of the machine")
	cmd.Flags().Float64SliceVar(&o.at, "at", nil, "survival models: also write the probability of no event until the times `T,...`")
	cmd.Flags().StringSliceVar(&o.keep, "keep", nil, "copy `COLUMN,...` into the predictions, such as an identifier")
	cmd.Flags().StringVar(&o.extrapolate, "extrapolate", "", extrapolateUsage+" (default: as in the fit)")
	cmd.Flags().BoolVar(&o.contributions, "contributions", false, "also write the contribution of each variable to the decision value of each row")
	return cmd
}

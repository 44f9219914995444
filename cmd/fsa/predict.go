package main

import "github.com/spf13/cobra"

func predictCommand() *cobra.Command {
	var (
		in  input
		out string
		o   predictOutput
	)
	cmd := &cobra.Command{
		Use:   "predict MODEL DATA…",
		Short: "Predict the rows of a table, and measure how well",
		Long: `predict reads a table in any format and writes one prediction a row, as CSV.
MODEL is a run folder or the model.json in it. Columns are found by name; others
are not looked at. With a target, the prediction is measured too.`,
		Example: `  fsa predict run test.csv > predictions.csv
  fsa predict run test.csv --target price --json`,
		Args: arguments,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkFormat(&in.Options); err != nil {
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
	cmd.Flags().StringVar(&out, "out", "", "`FILE` for the predictions, instead of standard output: .csv, and .gz or .zst behind it")
	jsonFlag(cmd.Flags(), &o.json)
	cmd.Flags().Float64Var(&o.coverage, "interval", 0, "also write prediction intervals, or sets of classes, with coverage `P`, such as 0.9")
	cmd.Flags().BoolVar(&o.plus, "cv-plus", false, "make the intervals of a regression from the models of the folds (CV+): valid for any distribution; needs the columns that any fold selected")
	cmd.Flags().StringSliceVar(&o.keep, "keep", nil, "copy `COLUMN,...` into the predictions, such as an identifier")
	cmd.Flags().BoolVar(&o.contributions, "contributions", false, "also write what each variable adds to the decision value of each row")
	return cmd
}

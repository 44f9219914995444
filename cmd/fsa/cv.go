package main

import "github.com/spf13/cobra"

func cvCommand() *cobra.Command {
	return newFitCommand(&cobra.Command{
		Use:   "cv DATA",
		Short: "Cross-validate: how many variables, and how well they predict",
		Long: `cv cross-validates without fitting a final model. It divides the rows into
folds, trains on all folds but one at each number of variables, and measures
the predictions of the fold that was left out. With --out, the folder gets the
curve (curve.json, curve.svg) and the out-of-fold predictions of all rows
(rows.csv). With --method, several methods are compared on the same folds, at
the sizes of -k.`,
		Example: `  fsa cv train.csv --target price
  fsa cv train.csv --target price -k 5,10,20 --repeats 5 --out run
  fsa cv visits.csv --target ill --fold-by patient --measure auc
  fsa cv train.csv --target price -k 5,10 --method l1,mcp,fsa`,
	}, &fitTask{cv: true})
}

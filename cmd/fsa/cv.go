package main

import "github.com/spf13/cobra"

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

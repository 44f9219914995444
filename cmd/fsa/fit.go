package main

import "github.com/spf13/cobra"

func fitCommand() *cobra.Command {
	return newFitCommand(&cobra.Command{
		Use:   "fit DATA…",
		Short: "Select variables of a table and learn a model on them",
		Long: `fit reads a table, selects variables and learns a model on them. How many is
chosen by cross-validation, unless -k says it. DATA is a
CSV, svmlight, NumPy, Parquet, fsa or NIPS-2003 challenge file, compressed or
not, an object s3://BUCKET/KEY, or - for standard input; several, or a pattern
such as 'part-*.csv', are one table. Settings that are not given are chosen by
the data.`,
		Example: `  fsa fit train.csv --target price -k 10 --out run
  fsa fit X.npy --target y.npy -k 30 --loss svm --json
  fsa fit letor.txt.gz -k 10 --loss rank --bins 5 --out run`,
	}, &fitTask{})
}

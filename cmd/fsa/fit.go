package main

import "github.com/spf13/cobra"

func fitCommand() *cobra.Command {
	return newFitCommand(&cobra.Command{
		Use:   "fit DATA…",
		Short: "Select variables of a table and fit a model on them",
		Long: `fit reads a table, selects variables and fits a model on them. Cross-validation
chooses how many variables to select, unless -k gives the number. Other
settings are chosen from the data, unless they are given.

DATA is a CSV, JSON, Excel, SQLite, Parquet, Arrow, R, AnnData, NumPy,
svmlight, fsa or NIPS-2003 challenge file, compressed or not, an object
s3://BUCKET/KEY, or - for standard input. Several files, or a pattern such as
'part-*.csv', are read as one table.`,
		Example: `  fsa fit train.csv --target price -k 10 --out run
  fsa fit X.npy --target y.npy -k 30 --loss svm --json
  fsa fit letor.txt.gz -k 10 --loss rank --bins 5 --out run`,
	}, &fitTask{})
}

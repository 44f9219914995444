package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"fsa/data"
	"fsa/data/open"
)

// input are the flags by which fit and predict read a table.
type input struct {
	open.Options
	open.Roles
}

func (in *input) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&in.Target, "target", "", "the response: a column's `name`, its number from 0, or a file with one value a row")
	f.StringVar(&in.Weights, "weights", "", "the weights of the rows: a column's `name`, its number, or a file")
	f.StringVar(&in.Query, "query", "", "the query of each row, for ranking: a column's `name`, its number, or a file")
	f.StringSliceVar(&in.Drop, "drop", nil, "columns to leave out")
	formatFlags(cmd, &in.Options)
}

// formatFlags are the flags that say what a file does not say itself.
func formatFlags(cmd *cobra.Command, o *open.Options) {
	f := cmd.Flags()
	f.StringVar(&o.Format, "format", "", "the format of the file, if it cannot be told: "+strings.Join(open.Names(), ", "))
	f.StringVar(&o.Header, "header", "auto", "whether the first row of a text table names the columns: auto, yes or no")
	f.StringSliceVar(&o.Categorical, "categorical", nil, "columns that hold categories although they look like numbers")
	f.StringVar(&o.IndexBase, "index-base", "", "the `index` of the first column of an svmlight file: 0 or 1 (default 1)")
}

func checkFormat(o *open.Options) error {
	switch o.Header {
	case "auto", "yes", "no":
		return nil
	}
	return usagef("--header %s: it must be auto, yes or no", o.Header)
}

// role says what else a column is than a variable; empty if nothing is known.
func (in *input) role(column string, t *data.Target) string {
	if t == nil {
		t = &data.Target{}
	}
	switch column {
	case "":
		return ""
	case t.Name, in.Target:
		return "it is the target"
	case t.WeightName, in.Weights:
		return "it holds the weights"
	case t.QueryName, in.Query:
		return "it holds the queries"
	case t.GroupName, in.Group:
		return "it holds the groups of rows"
	}
	if slices.Contains(in.Drop, column) {
		return "it is dropped"
	}
	return ""
}

package main

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"fsa/data"
	"fsa/data/open"
)

// input holds the flags with which fit and predict read a table.
type input struct {
	open.Options
	open.Roles
	expects []string // columns that a model expects, which must not be left out
}

func (in *input) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&in.Target, "target", "", "predict `COLUMN`: a name, a number from 0, or a file with one value per row; or several columns a,b,c with one selection")
	f.StringVar(&in.Weights, "weights", "", "row weights: a `COLUMN` name or number, or a file")
	f.Var(&offsetFlag{in, false}, "offset", "add a `COLUMN` to the decision values: a name, a number, or a file")
	f.Var(&offsetFlag{in, true}, "exposure", "`COLUMN` of exposures, such as years at risk, for counts and amounts: predictions are proportional to it")
	f.StringVar(&in.Event, "event", "", "survival times: `COLUMN` that is 1 if the row had the event at the time of its target, and 0 if not")
	f.StringVar(&in.Stratum, "strata", "", "survival times: `COLUMN` of strata: only rows of the same stratum are compared")
	f.StringVar(&in.Entry, "entry", "", "survival times: `COLUMN` of the times from which on rows were observed: a row is at risk after its entry")
	f.StringVar(&in.Trials, "trials", "", "`COLUMN` of numbers of trials: the target is the number of successes (--loss binomial)")
	f.StringVar(&in.Query, "query", "", "query of each row, for ranking: a `COLUMN` name or number, or a file")
	f.StringSliceVar(&in.Drop, "drop", nil, "leave out the columns `COLUMN,...`")
	formatFlags(cmd, &in.Options)
}

// files joins the files named by the arguments into one table, and returns the first.
func (in *input) files(ctx context.Context, args []string) (string, error) {
	first, err := in.Files(ctx, args)
	if err == nil && len(in.More) > 0 && (first == "-" || slices.Contains(in.More, "-")) {
		return "", usagef("- is standard input, and cannot be one of several files")
	}
	return first, err
}

// writtenFlags are the flags that say how the cells of a text table are written.
func writtenFlags(cmd *cobra.Command, o *open.Options) {
	f := cmd.Flags()
	f.Var(&markFlag{&o.Hints.Decimal}, "decimal", "decimal `MARK` of a text table, . or , (default: detected)")
	f.StringVar(&o.Hints.Thousands, "thousands", "", "`MARK` between thousands in a text table: . , ' _ a blank, or none (default: detected)")
	f.StringVar(&o.Hints.DateOrder, "date-order", "", "`ORDER` of dates such as 1/2/2024 in a text table: dmy or mdy (default: detected)")
}

// markFlag is a flag of one character.
type markFlag struct{ mark *byte }

func (m *markFlag) String() string {
	if m.mark == nil || *m.mark == 0 {
		return ""
	}
	return string(*m.mark)
}

func (m *markFlag) Set(text string) error {
	if text != "." && text != "," {
		return errors.New("it must be . or ,")
	}
	*m.mark = text[0]
	return nil
}

func (m *markFlag) Type() string { return "mark" }

// formatFlags adds the flags for properties of a format that the file itself does not determine.
func formatFlags(cmd *cobra.Command, o *open.Options) {
	f := cmd.Flags()
	f.StringVar(&o.Format, "format", "", "`FORMAT` of the file, if it is not detected: "+strings.Join(open.Names(), ", "))
	f.StringVar(&o.Encoding, "encoding", "", "`ENCODING` of a text table: "+strings.Join(open.Encodings(), ", ")+" (default: detected)")
	f.StringVar(&o.SQL, "sql", "", "read the result of a `QUERY` over the tables of an SQLite database, such as \"select * from a join b using (id)\"")
	f.StringVar(&o.Header, "header", "auto", "`YES|NO`: whether the first row of a text table has the column names; or auto")
	f.StringVar(&o.Names, "names", "", "`FILE` with the column names of a table that has none, one per line")
	f.StringSliceVar(&o.Categorical, "categorical", nil, "treat the numbers of the columns `COLUMN,...` as categories")
	writtenFlags(cmd, o)
	f.StringVar(&o.IndexBase, "index-base", "", "`INDEX` of the first column of an svmlight file: 0 or 1 (default 1)")
}

func checkFormat(o *open.Options) error {
	switch o.Header {
	case "auto", "yes", "no":
	default:
		return usagef("--header %s: it must be auto, yes or no", o.Header)
	}
	if err := o.Hints.Check(); err != nil {
		return usagef("%v", err)
	}
	return nil
}

// role returns the role of a column that is not a variable, or "" if it has none.
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
	case t.EventName, in.Event:
		return "it holds the events"
	case t.StratumName, in.Stratum:
		return "it holds the strata"
	case t.EntryName, in.Entry:
		return "it holds the entries"
	case t.TrialsName, in.Trials:
		return "it holds the numbers of trials"
	case t.OffsetName, in.Offset:
		return "it holds the offset"
	case t.GroupName, in.Group:
		return "it holds the groups of rows"
	}
	if slices.ContainsFunc(t.Each, func(v data.Vector) bool { return v.Name == column }) {
		return "it is a target"
	}
	if slices.Contains(in.Drop, column) {
		return "it is dropped"
	}
	return ""
}

package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"fsa/data/describe"
	"fsa/data/kind"
	"fsa/data/open"
	"fsa/internal/decimal"
)

func describeCommand() *cobra.Command {
	var (
		in     input
		asJSON bool
		all    bool
	)
	cmd := &cobra.Command{
		Use:   "describe DATA…",
		Short: "Describe the columns of a table, and list possible problems",
		Long: `describe reads a table once. It lists possible problems, the most serious first,
and what to do about each. Then it prints the columns that explain most of the
target on their own: how each is read and why, the share of missing values, the
number of different values, the range and the distribution.`,
		Example: "  fsa describe train.csv --target price\n  fsa describe train.csv --target price --json",
		Args:    arguments,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkFormat(&in.Options); err != nil {
				return err
			}
			path, err := in.files(cmd.Context(), args)
			if err != nil {
				return err
			}
			r, err := describeTable(cmd, path, in)
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(cmd.OutOrStdout(), r)
			}
			return printReport(cmd.OutOrStdout(), r, all)
		},
	}
	in.flags(cmd)
	jsonFlag(cmd.Flags(), &asJSON)
	cmd.Flags().BoolVar(&all, "all", false, "print all columns and problems, not only the most important ones")
	return cmd
}

func describeTable(cmd *cobra.Command, path string, in input) (*describe.Report, error) {
	ctx := cmd.Context()
	in.Tolerant, in.Skip = true, in.Drop
	progress := newProgress(cmd.ErrOrStderr())
	in.Reading, in.Note = progress.read, progress.note
	defer progress.end()
	r, err := open.Reader(ctx, path, in.Options)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	roles, err := in.Roles.Resolve(ctx, path, r)
	if err != nil {
		return nil, err
	}
	open.FindTarget(&roles, r)
	return describe.Table(ctx, r, roles, func() []describe.Cell {
		var cells []describe.Cell
		for _, b := range open.Bad(r) {
			msg := b.Msg
			if b.Line > 0 {
				msg = fmt.Sprintf("%d cells cannot be read, the first on line %d: %s", b.Count, b.Line, b.Msg)
			}
			cells = append(cells, describe.Cell{Column: b.Column, Line: b.Line, Count: b.Count, Msg: msg})
		}
		return cells
	})
}

// How much of a description is printed without --all: about 40 lines.
const (
	shownColumns  = 20
	shownProblems = 8
	shownReasons  = 3  // reasons for the kind of a column
	nameLetters   = 16 // letters of the name of a column
	rangeLetters  = 21
	mostPrinted   = 100_000 // with --all
)

// printReport prints a description of a table: the problems and the columns that matter most, or
// all of them.
func printReport(w io.Writer, r *describe.Report, all bool) error {
	fmt.Fprintf(w, "%s rows, %s columns", decimal.Count(r.Rows), decimal.Count(len(r.Columns)))
	if r.Target != "" {
		fmt.Fprintf(w, ", target %s", clean(shorten(r.Target, shownLetters)))
	}
	fmt.Fprint(w, "\n\n")
	problems, columns, reasons := shownProblems, shownColumns, shownReasons
	if all {
		problems, columns, reasons = mostPrinted, mostPrinted, mostPrinted
	}
	printProblems(w, r, problems)
	fmt.Fprintln(w)
	shown := foremost(r.Columns, columns)
	var names []string
	for _, c := range shown {
		names = append(names, shorten(c.Name, nameLetters))
	}
	tab := newTable(w)
	fmt.Fprintln(tab, "column\tkind\tmissing\tvalues\trange\tshape\talone")
	explained := false
	for i, name := range readable(names, nameLetters) {
		c := shown[i]
		alone, what := "", string(c.Kind)
		if c.Alone != nil {
			alone = fmt.Sprintf("%.2f", floor2(*c.Alone))
		}
		if c.Role != "" {
			alone, what = "", c.Role
		}
		explained = explained || alone != ""
		fmt.Fprintf(tab, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", name, what, missingShare(c.Missing, r.Rows), different(c), clean(span(c)), spark(c.Shape), alone)
	}
	if err := tab.Flush(); err != nil {
		return err
	}
	if n := len(r.Columns) - len(shown); n > 0 {
		fmt.Fprintf(w, "… and %d more columns that explain less of the target (--all prints them)\n", n)
	}
	if explained {
		fmt.Fprintln(w, "alone: the share of the target's variance that the column explains on its own")
	}
	for _, c := range shown {
		if c.Why == "" || c.Why == "texts" || c.Role == "dropped" {
			continue
		}
		if reasons--; reasons < 0 {
			break
		}
		wrapped(w, fmt.Sprintf("%s is read as %s: %s", shorten(c.Name, shownLetters), c.Kind, c.Why))
	}
	return nil
}

// printProblems prints up to a number of problems.
func printProblems(w io.Writer, r *describe.Report, most int) {
	if len(r.Problems) == 0 {
		fmt.Fprintln(w, "no problem was found")
		return
	}
	for _, p := range r.Problems[:min(len(r.Problems), most)] {
		where := ""
		if p.Column != "" {
			where = shorten(p.Column, shownLetters) + ": "
		}
		join := "; "
		if strings.HasSuffix(p.What, "?") {
			join = " "
		}
		wrapped(w, where+p.What+join+p.Cure)
	}
	if n := len(r.Problems) - most; n > 0 {
		fmt.Fprintf(w, "… and %d more problems (--all prints them)\n", n)
	}
}

// foremost returns the columns with a role and those that explain most of the target on their own,
// at most the given number, in the order of the table.
func foremost(columns []describe.Column, most int) []*describe.Column {
	order := make([]int, len(columns))
	for i := range order {
		order[i] = i
	}
	weight := func(i int) float64 {
		switch c := &columns[i]; {
		case c.Role == "target":
			return 3
		case c.Role != "":
			return -1 // not a variable
		case c.Alone != nil:
			return *c.Alone
		}
		return 0
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(weight(b), weight(a)) })
	order = order[:min(len(order), most)]
	slices.Sort(order)
	var list []*describe.Column
	for _, i := range order {
		list = append(list, &columns[i])
	}
	return list
}

// floor2 prevents 0.99995 from being shown as 1.
func floor2(x float64) float64 {
	if x > 0.99 && x < 1 {
		return 0.99
	}
	return x
}

// missingShare formats a share of missing values; empty for none.
func missingShare(missing, rows int) string {
	share := 100 * float64(missing) / float64(max(rows, 1))
	switch {
	case missing == 0:
		return ""
	case share < 1:
		return "<1%"
	case share > 99 && missing < rows:
		return ">99%"
	}
	return fmt.Sprintf("%.0f%%", share)
}

func different(c *describe.Column) string {
	if c.Many {
		return fmt.Sprintf(">%d", c.Distinct)
	}
	return fmt.Sprint(c.Distinct)
}

// span returns the range of a column, or its most frequent text.
func span(c *describe.Column) string {
	if c.High == "" {
		return shorten(c.Low, rangeLetters)
	}
	if c.Kind == kind.Date {
		low, high, _ := strings.Cut(c.Low, " ")
		if high == "" {
			return low + "–" + c.High
		}
		day, _, _ := strings.Cut(c.High, " ")
		return low + "–" + day
	}
	switch {
	case c.Low == c.High:
		return c.Low
	case strings.HasPrefix(c.High, "-"):
		return shorten(c.Low+" to "+c.High, rangeLetters)
	}
	return shorten(c.Low+"–"+c.High, rangeLetters)
}

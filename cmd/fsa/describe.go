package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"fsa/data/describe"
	"fsa/data/kind"
	"fsa/data/open"
)

func describeCommand() *cobra.Command {
	var (
		in     input
		asJSON bool
	)
	cmd := &cobra.Command{
		Use:   "describe DATA…",
		Short: "Say what is in a table, and what is wrong with it",
		Long: `describe reads a table once and prints all its columns: what they are read as
and why, what is missing, how many values differ, their range and distribution, and
how much of the target each explains alone. Then it names all problems at once, the
worst first, and what cures them.`,
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
			return printReport(cmd.OutOrStdout(), r)
		},
	}
	in.flags(cmd)
	jsonFlag(cmd.Flags(), &asJSON)
	return cmd
}

func describeTable(cmd *cobra.Command, path string, in input) (*describe.Report, error) {
	ctx := cmd.Context()
	in.Tolerant, in.Skip = true, in.Drop
	progress := newProgress(cmd.ErrOrStderr())
	in.Reading = progress.read
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

const (
	shownColumns  = 300 // of a table
	shownProblems = 100
	nameLetters   = 16 // of a column
	rangeLetters  = 21
)

// printReport prints what is in a table for a person.
func printReport(w io.Writer, r *describe.Report) error {
	fmt.Fprintf(w, "%d rows, %d columns", r.Rows, len(r.Columns))
	if r.Target != "" {
		fmt.Fprintf(w, ", target %s", clean(shorten(r.Target, shownLetters)))
	}
	fmt.Fprint(w, "\n\n")
	shown := r.Columns[:min(len(r.Columns), shownColumns)]
	var names []string
	for _, c := range shown {
		names = append(names, shorten(c.Name, nameLetters))
	}
	tab := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tab, "column\tkind\tmissing\tvalues\trange\tshape\talone")
	for i, name := range readable(names, nameLetters) {
		c := &shown[i]
		alone, what := "", string(c.Kind)
		if c.Alone != nil {
			alone = fmt.Sprintf("%.2f", floor2(*c.Alone))
		}
		if c.Role != "" {
			alone, what = "", c.Role
		}
		fmt.Fprintf(tab, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", name, what, missingShare(c.Missing, r.Rows), different(c), clean(span(c)), spark(c.Shape), alone)
	}
	if err := tab.Flush(); err != nil {
		return err
	}
	if n := len(r.Columns) - shownColumns; n > 0 {
		fmt.Fprintf(w, "… and %d more (--json lists all)\n", n)
	}
	for _, c := range shown {
		if c.Why != "" && c.Why != "texts" && c.Role != "dropped" {
			wrapped(w, fmt.Sprintf("%s is read as %s: %s", shorten(c.Name, shownLetters), c.Kind, c.Why))
		}
	}
	fmt.Fprintln(w)
	if len(r.Problems) == 0 {
		fmt.Fprintln(w, "no problem was found")
		return nil
	}
	for _, p := range r.Problems[:min(len(r.Problems), shownProblems)] {
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
	if n := len(r.Problems) - shownProblems; n > 0 {
		fmt.Fprintf(w, "… and %d more problems (--json lists all)\n", n)
	}
	return nil
}

// floor2 keeps 0.99995 from being 1.
func floor2(x float64) float64 {
	if x > 0.99 && x < 1 {
		return 0.99
	}
	return x
}

// wrapped prints a line, and goes on below where it is long.
func wrapped(w io.Writer, text string) {
	const width = 78
	line := ""
	for _, word := range strings.Fields(clean(text)) {
		if line != "" && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > width {
			fmt.Fprintln(w, line)
			line = "   "
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	fmt.Fprintln(w, line)
}

// missingShare returns a share for a person; empty for none.
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
	return shorten(c.Low+"–"+c.High, rangeLetters)
}

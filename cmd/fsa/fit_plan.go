package main

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"

	"fsa"
)

// tellPlan prints the plan, and what other machines would take.
func (r *fitRun) tellPlan(p *fsa.Plan) error {
	more, err := r.forecast.decisions(r.ctx, r.learning, p, r.in.Memory)
	if err != nil {
		return err
	}
	all := slices.Concat(p.Decisions, more)
	if r.json {
		return printJSON(r.cmd.OutOrStdout(), all)
	}
	return printPlan(r.cmd.OutOrStdout(), all)
}

// printContest prints the recipes that were compared at the size that was chosen.
func printContest(w io.Writer, list []fsa.Contender) error {
	if len(list) == 0 {
		return nil
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "out of fold\tworse than the best\t\trecipe")
	for _, c := range list {
		won := ""
		if c.Won {
			won = "chosen"
		}
		fmt.Fprintf(t, "%.4g\t%.2g ± %.2g\t%s\t%s\n", c.Mean, c.Worse, c.SE, won, c.Recipe)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintln(w, "The simplest recipe wins that is not significantly worse than the best (paired t test, 5%) and gives up at most 2% of its gain over the null model; simpler ones come first.")
	return err
}

// printPlan prints what was decided, and why.
func printPlan(w io.Writer, decisions []fsa.Decision) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "setting\tvalue\twhy")
	for _, d := range decisions {
		fmt.Fprintf(t, "%s\t%s\t%s\n", d.Setting, clean(d.Value), clean(d.Why))
	}
	return t.Flush()
}

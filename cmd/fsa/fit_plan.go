package main

import (
	"io"
	"slices"

	"fsa"
	"fsa/internal/decimal"
)

// tellPlan prints the plan, and the predicted costs on other machines.
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

// printContest prints the recipes that were compared at the chosen size.
func printContest(w io.Writer, list []fsa.Contender) error {
	if len(list) == 0 {
		return nil
	}
	rows := [][]string{{"out of fold", "difference from the best", "", "recipe"}}
	for _, c := range list {
		won := ""
		if c.Won {
			won = "chosen"
		}
		rows = append(rows, []string{decimal.Padded(c.Mean, 4), decimal.Padded(c.Worse, 2) + " ± " + decimal.Padded(c.SE, 2), won, c.Recipe})
	}
	if err := hanging(w, rows); err != nil {
		return err
	}
	wrapped(w, "Chosen: the simplest recipe that is not significantly worse than the best (paired t test, 5%) and keeps 99% of its gain over the null model. Recipes are listed from simple to complex.")
	return nil
}

// printPlan prints the decisions and their reasons.
func printPlan(w io.Writer, decisions []fsa.Decision) error {
	rows := [][]string{{"setting", "value", "why"}}
	for _, d := range decisions {
		rows = append(rows, []string{d.Setting, clean(d.Value), clean(d.Why)})
	}
	return hanging(w, rows)
}

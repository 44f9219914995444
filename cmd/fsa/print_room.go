package main

import (
	"github.com/spf13/pflag"

	"fsa/model"
)

// room is how much of a model is printed.
type room struct {
	sizes, variables, halves int // numbers of rows of the tables
}

// roomOf returns how much of a model is printed: about 40 lines in all, or more with --verbose.
func roomOf(m *model.Model, verbose bool) room {
	const (
		lines   = 24 // lines of tables; the rest are headings, metrics and notes
		around  = 6  // lines about stability, besides its table
		leastOf = 8  // minimal number of variables,
		leastAt = 3  // and of sizes, that are printed
		halves  = 5
	)
	if verbose {
		return room{shownSizes, shownVariables, shownVariables}
	}
	free, all := lines, len(m.Selected())
	r := room{halves: halves}
	if m.Stability() != nil {
		free -= around + min(all, halves)
	}
	r.variables = max(leastOf, free)
	if v := m.Validation(); v != nil && len(v.Points) > 1 {
		r.variables = max(leastOf, free-leastAt-1)
		r.sizes = max(leastAt, free-min(all, r.variables)-1)
	}
	return r
}

// mostLines is how many lines are printed without --verbose.
const mostLines = 40

// shrink takes one line from the longest table, and reports whether that was possible.
func (r *room) shrink(m *model.Model) bool {
	const least = 3 // rows of each table
	all := len(m.Selected())
	r.variables = min(r.variables, all)
	switch {
	case r.variables > 2*least || r.variables > least && r.sizes <= least:
		r.variables--
	case r.sizes > least:
		r.sizes--
	default:
		return false
	}
	return true
}

// verboseFlag adds --verbose.
func verboseFlag(f *pflag.FlagSet, to *bool) {
	f.BoolVar(to, "verbose", false, "print the whole tables, not just 40 lines")
}

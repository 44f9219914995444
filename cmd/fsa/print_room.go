package main

import (
	"github.com/spf13/pflag"

	"fsa/model"
)

// room is how much of a model is printed.
type room struct {
	sizes, variables, halves int // rows of the tables
}

// roomOf returns the room for a model: about 40 lines in all, or more with --verbose.
func roomOf(m *model.Model, verbose bool) room {
	const (
		lines   = 24 // of 40: the others are headings, metrics and notes
		around  = 6  // lines of the stability besides its variables
		leastOf = 8  // variables,
		leastAt = 3  // and sizes that are printed in any case
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

// verboseFlag adds --verbose.
func verboseFlag(f *pflag.FlagSet, to *bool) {
	f.BoolVar(to, "verbose", false, "print all of the tables, not 40 lines of them")
}

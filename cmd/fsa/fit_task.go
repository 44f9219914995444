package main

import (
	"fsa"
	"fsa/baseline"
	"fsa/data"
)

// fitTask is a fit as requested by its flags.
type fitTask struct {
	path     string
	in       input
	options  fsa.Options // options of the first variant
	variants variants
	method   baseline.Fitter // another method than annealing; nil for annealing
	use      []string        // columns that must not be left out
	out      string          // run folder; empty for none
	json     bool
	explain  bool
	verbose  bool // print the whole tables
	planOnly bool
	forecast forecast
	noRows   bool
	report   bool
	live     bool
	open     bool
	saving   saving
	tests    tests
	prices   costFlags
	spread   spread

	adjust func(*fitTask, *fsa.Options) error // changes the requested fit; nil for the fit as requested
	// tell receives the out-of-fold predictions instead of the terminal, the target, and the numbers of the rows, or nil
	// for all.
	tell func(e *fsa.Evidence, target *data.Target, rows []int) error

	contenders []contender // methods to compare; nil to validate annealing alone
	cv         bool        // only validate, without a fit on all rows
}

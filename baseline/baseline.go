// Package baseline holds the methods that a user might pick instead of
// annealing, one file each. They are here to be compared with, so they are
// made as well as they are known to work: warm starts, active sets, paths.
//
// Every method is a [Fitter], as the options of package fsa are: an experiment can run
// them side by side on the same table. A new method is a file and a line in the
// table of [Methods].
package baseline

import (
	"fsa/data"
	"fsa/model"
)

// Fitter is a method that selects variables and learns a model on them.
type Fitter = model.Learner

// Options are what all methods understand. The zero value of every field but K
// is a good default.
type Options struct {
	// K is the number of variables to select.
	K int
	// LossName is as in package fsa: methods that fit more than one loss
	// choose by it, others refuse what they do not know.
	LossName string
	// Iterations bounds what the method calls so; 0 means its own default.
	Iterations int
	// Scale says how numbers are brought to a common scale.
	Scale data.Scale
	// Seed is that of a method that draws random numbers.
	Seed uint64
	// Threads is the number of threads; 0 means one a core. The model does
	// not depend on it.
	Threads int
}

// Method is a line in the table of methods.
type Method struct {
	Name  string
	About string // what it is, in one line
	Make  func(Options) Fitter
}

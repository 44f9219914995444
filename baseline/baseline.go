// Package baseline has the methods that a user might choose instead of annealing, one file
// each. They are there for comparison, so they are implemented as well as they are known to
// work: with warm starts, active sets and paths.
//
// Every method is a [Fitter], like the options of package fsa, so an experiment can run them
// side by side on the same table. A new method is a file and a line in the table of [Methods].
package baseline

import (
	"fsa/data"
	"fsa/model"
)

// Fitter is a method that selects variables and fits a model on them.
type Fitter = model.Learner

// Options are the settings that all methods have. The zero value of every field but K is a
// good default.
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

// Method is an entry of the table of methods.
type Method struct {
	Name  string
	About string // what it is, in one line
	Make  func(Options) Fitter
}

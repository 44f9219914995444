// Package baseline has the methods that a user might choose instead of annealing, one file each.
// They are used for comparisons, so they are implemented with the best known techniques: warm
// starts, active sets and paths.
//
// Every method is a [Fitter], like the options of package fsa, so an experiment can run them side
// by side on the same table. A new method needs a file and a line in the table of [Methods].
package baseline

import (
	"fsa/data"
	"fsa/model"
)

// Fitter is a method that selects variables and fits a model on them.
type Fitter = model.Learner

// Options are the settings of all methods. The zero value of every field except K is a good
// default.
type Options struct {
	// K is the number of variables to select.
	K int
	// LossName is as in package fsa. Methods that support several losses choose by it; others
	// return an error for a loss that they do not support.
	LossName string
	// Iterations limits the iterations of the method; 0 means its default.
	Iterations int
	// Scale says how numbers are scaled.
	Scale data.Scale
	// Seed is the seed of a method that draws random numbers.
	Seed uint64
	// Threads is the number of threads; 0 means one per core. The model does not depend on it.
	Threads int
}

// Method is an entry of the table of methods.
type Method struct {
	Name  string
	About string // description in one line
	Make  func(Options) Fitter
}

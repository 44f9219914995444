package motion

import (
	"cmp"
	"fmt"

	"fsa/internal/checkpoint"
)

// Options are the options of an evaluation. The zero value is the paper's experiment with its own
// candidates, once.
type Options struct {
	Pool Pool // "" means PaperPool
	// Folds is the number of folds of videos; 0 means 10.
	Folds int
	// Assignments is the number of assignments of videos to folds; 0 means one.
	Assignments int
	// Seed is the seed of the first assignment; the next has the next seed.
	Seed uint64
	// Learners are the methods to compare; nil means [Learners].
	Learners []Learner
	// Record stores intermediate results, so that another evaluation of the same sequences with the
	// same pool, folds and learners continues from there; nil stores nothing.
	Record *checkpoint.Record
	// Log is called with progress messages; it may be nil. Calls do not overlap.
	Log func(stage string, done, of int)
}

func (o Options) withDefaults() Options {
	o.Pool = cmp.Or(o.Pool, PaperPool)
	o.Folds = cmp.Or(o.Folds, 10)
	o.Assignments = cmp.Or(o.Assignments, 1)
	if o.Learners == nil {
		o.Learners = Learners(o.Pool)
	}
	return o
}

// Validate returns an error if the options are invalid.
func (o Options) Validate() error {
	o = o.withDefaults()
	switch {
	case o.Folds < 2:
		return fmt.Errorf("%d folds: there must be at least 2", o.Folds)
	case o.Assignments < 1:
		return fmt.Errorf("%d assignments: there must be at least 1", o.Assignments)
	}
	return o.Pool.Validate()
}

package motion

import (
	"cmp"
	"fmt"

	"fsa/internal/checkpoint"
)

// Options say how an evaluation is done. The zero value is the paper's
// experiment on its own candidates, once.
type Options struct {
	Pool Pool // "" means PaperPool
	// Folds is the number of parts that videos are spread over; 0 means 10.
	Folds int
	// Assignments is how often they are spread anew and everything is learned
	// again; 0 means once.
	Assignments int
	// Seed is that of the first assignment; the next has the next seed.
	Seed uint64
	// Learners are the methods to compare; nil means [Learners].
	Learners []Learner
	// Record keeps what takes long, so that another evaluation of the same sequences with the
	// same pool, folds and learners goes on from there; nil keeps nothing.
	Record *checkpoint.Record
	// Log is told how far it is; nil for nobody. Calls do not overlap.
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

// Validate says what is wrong with the options.
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

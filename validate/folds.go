package validate

import (
	"errors"
	"fmt"
	"math"
)

// ErrFolds is wrapped by every error about rows that cannot be cut as asked.
var ErrFolds = errors.New("folds")

func foldError(format string, a ...any) error {
	return fmt.Errorf("%w: %s", ErrFolds, fmt.Sprintf(format, a...))
}

// Scheme says how rows are cut. The zero value deals single rows into 10 folds.
//
// What a row is dealt by is its key, the seed, and the weights and classes of
// all rows. Its key is its place in the table, or its label in Group. With Keys
// the order of rows does not matter, equal rows are never torn apart, and a row
// of weight 2 is as good as the row twice. A row, query or group without weight
// is in no split.
//
// A slice is nil or holds one number a row; others panic.
type Scheme struct {
	// Folds is how many. 0 means 10, or as many as there are rows, groups or
	// members of the rarest class if these are fewer.
	Folds int
	// Repeats is how often all rows are dealt anew; 0 means once.
	Repeats int
	// Seed chooses among the ways to deal.
	Seed uint64
	// Class spreads each class evenly over folds: they are stratified.
	Class []float64
	// ClassName names a class in messages; nil names it by its number.
	ClassName func(class float64) string
	// Query cuts the rows into queries: rows Query[q] to Query[q+1]−1 belong
	// together.
	Query []int
	// Group keeps rows of the same label together, such as those of a patient.
	Group []float64
	// Time makes each fold learn from earlier rows only: forward chaining with
	// an expanding window. Row numbers will do for rows that stand in order.
	// Rows of the same time are not torn apart, and groups or queries that
	// overlap in time are taken as one.
	Time []float64
	// Fold gives the fold of each row; each different number is a fold.
	Fold []float64
	// Weight is the weight of each row. Folds are of about equal weight.
	Weight []float64
	// Keys are hashes of what is in the rows.
	Keys []uint64
}

const (
	usual    = 10             // folds where the caller does not say how many
	none     = math.MaxUint16 // stands for the part of a row that is in none
	maxFolds = none
)

// Split is what a fold learns from and what it is tested on, as ascending row
// numbers.
type Split struct {
	Train, Test []int
}

// Folds is a list of splits.
type Folds struct {
	of      [][]uint16 // part of each row, in each repeat
	parts   int        // of a repeat
	forward bool       // a part learns from those before it only
}

// Len returns the number of splits, over all repeats.
func (f *Folds) Len() int { return len(f.of) * f.each() }

// Repeats returns how often the rows were dealt. The splits of a repeat follow
// each other.
func (f *Folds) Repeats() int { return len(f.of) }

func (f *Folds) each() int {
	if f.forward {
		return f.parts - 1 // nothing comes before the first
	}
	return f.parts
}

// Split returns split i.
func (f *Folds) Split(i int) Split {
	part := i % f.each()
	if f.forward {
		part++
	}
	var s Split
	for row, p := range f.of[i/f.each()] {
		switch {
		case int(p) == part:
			s.Test = append(s.Test, row)
		case p != none && (!f.forward || int(p) < part):
			s.Train = append(s.Train, row)
		}
	}
	return s
}

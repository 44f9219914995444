package validate

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// ErrFolds is wrapped by every error about rows that cannot be divided as requested.
var ErrFolds = errors.New("folds")

func foldError(format string, a ...any) error {
	return fmt.Errorf("%w: %s", ErrFolds, fmt.Sprintf(format, a...))
}

// Scheme describes how rows are divided. The zero value divides single rows into 10 folds.
//
// The fold of a row depends on its key, on the seed, and on the weights and classes of all
// rows. The key is the position in the table, or the label in Group. With Keys, the order of
// the rows does not matter, equal rows stay together, and a row of weight 2 is equivalent to
// the row twice. A row, query or group without weight is in no split.
//
// A slice is nil or has one value per row; any other length panics.
type Scheme struct {
	// Folds is the number of folds. 0 means 10, or the number of rows, groups or members of the
	// rarest class if that is smaller.
	Folds int
	// Repeats is how often all rows are divided again; 0 means once.
	Repeats int
	// Seed is the seed of the random division.
	Seed uint64
	// Class stratifies the folds: each class is spread evenly over them.
	Class []float64
	// Rare allows classes with fewer rows than there are folds, but at least two: some folds then
	// test no row of such a class.
	Rare bool
	// ClassName names a class in messages; nil names it by its number.
	ClassName func(class float64) string
	// Query holds the boundaries of queries: rows Query[q] to Query[q+1]−1 stay together.
	Query []int
	// Group keeps rows of the same label together, such as those of a patient.
	Group []float64
	// Time makes each fold train on earlier rows only: forward chaining with an expanding window.
	// If the rows are in order, row numbers will do. Rows of the same time stay together, and
	// groups or queries that overlap in time are merged.
	Time []float64
	// Fold is the fold of each row; every distinct number is a fold.
	Fold []float64
	// Weight is the weight of each row. Folds have about equal weight.
	Weight []float64
	// Keys are hashes of the contents of the rows.
	Keys []uint64
}

const (
	usual    = 10             // default number of folds
	none     = math.MaxUint16 // marks a row that is in no part
	maxFolds = none
)

// Split holds the training rows and the test rows of a fold, as ascending row numbers.
type Split struct {
	Train, Test []int
}

// Folds is a list of splits.
type Folds struct {
	of      [][]uint16 // part of each row, in each repeat
	parts   int        // number of parts of a repeat
	forward bool       // a part is tested with a model trained only on earlier parts
}

// Len returns the number of splits, over all repeats.
func (f *Folds) Len() int { return len(f.of) * f.each() }

// Repeats returns how often the rows were divided. The splits of a repeat are consecutive.
func (f *Folds) Repeats() int { return len(f.of) }

func (f *Folds) each() int {
	if f.forward {
		return f.parts - 1 // no rows precede the first part
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

// Within returns at most most divisions of the training rows of split i, for choices within that fold: the parts that are
// tested by other splits of the same repeat are held out in turn. There are none if the training rows are a single part.
func (f *Folds) Within(i, most int) []Split {
	each := f.each()
	repeat, at := i/each*each, i%each
	training := map[int]bool{}
	for _, row := range f.Split(i).Train {
		training[row] = true
	}
	outside := func(row int) bool { return !training[row] }
	var list []Split
	for by := 1; by < each && len(list) < most; by++ {
		s := f.Split(repeat + (at+by)%each)
		s.Train, s.Test = slices.DeleteFunc(s.Train, outside), slices.DeleteFunc(s.Test, outside)
		if len(s.Train) > 0 && len(s.Test) > 0 {
			list = append(list, s)
		}
	}
	return list
}

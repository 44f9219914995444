package real

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
)

// Set is a source of pairs of tables: training rows and rows to predict, for every seed.
type Set struct {
	Name, Family string
	// K lists the numbers of variables that are selected.
	K []int

	// folder is the folder of a real set below that of all data; load reads it. Train and test limit
	// the rows of each kind; 0 means half of them and all others.
	folder      string
	load        func(ctx context.Context, folder string) (*Table, error)
	train, test int

	// noise says that the target is pure noise.
	noise bool
	// make generates the tables of a set.
	make func(rng *rand.Rand) (train, test *Table)

	once  sync.Once
	whole *Table
	err   error
}

// missing returns the reason why a set is not available.
func (s *Set) missing(data string) error {
	if s.load == nil {
		return nil
	}
	if _, err := os.Stat(filepath.Join(data, s.folder)); err != nil {
		return fmt.Errorf("the folder %s does not exist; give the folder of the data sets with --data", filepath.Join(data, s.folder))
	}
	return nil
}

// tables returns the pair of a seed. The files of a real set are read once.
func (s *Set) tables(ctx context.Context, data string, seed uint64) (train, test *Table, err error) {
	rng := stream(s.Name, seed)
	if s.load == nil {
		train, test = s.make(rng)
		return train, test, nil
	}
	s.once.Do(func() { s.whole, s.err = s.load(ctx, filepath.Join(data, s.folder)) })
	if s.err != nil {
		return nil, nil, s.err
	}
	train, test = split(s.whole, s.train, s.test, rng)
	return train, test, nil
}

// signal reports whether the target can be predicted.
func (s *Set) signal() bool { return !s.noise }

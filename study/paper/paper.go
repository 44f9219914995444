// Package paper repeats the experiments of the paper, one file for each table
// or figure, and puts what was published beside what comes out.
//
// A table is a list of cells, each with some methods and some runs. A run makes
// its data from a seed, so that all methods see the same rows, and every
// finished fit is noted in a journal: whatever stops a long experiment, the next
// call goes on where it was. A new experiment is a file and a line in the table
// of [Experiments].
package paper

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"time"

	"fsa/internal/fault"
)

// Experiment is a table or a figure of the paper.
type Experiment struct {
	Name  string
	About string // what it is, in one line
	Run   func(ctx context.Context, s *Setup) (*Result, error)
}

// Experiments lists the experiments in the order of the paper.
func Experiments() []Experiment {
	return []Experiment{
		{"schedule", "figure: variables kept against iteration, for six μ", schedule},
		{"cost", "table: passes over the data, for six μ", cost},
		{"losses", "figure: the three losses for classification", losses},
		{"beta-path", "figure: coefficients against iteration", betaPath},
		{"stability", "figure: AUC against η, μ and the number of iterations", stability},
		{"classification", "table: 13 methods on separable classes", classification.run},
		{"classification-noisy", "table: 13 methods on classes with wrong labels", classificationNoisy.run},
		{"big-data", "figure: FSA and LogitBoost on 100000 equally correlated variables", bigData.run},
		{"regression", "table: 9 methods on regression", regression.run},
		{"uci", "table: text, digits and web addresses", uci},
		{"keypoints", "figure: detectors of face keypoints; see --scale", keypoints},
		{"sizes", "not in the paper: how many variables validation finds, and how sure it is", sizes},
		{"hopkins155", "table: motion segmentation by ranking", hopkins155},
	}
}

// Lookup returns the experiment of the given name.
func Lookup(name string) (e Experiment, known bool) {
	for _, e := range Experiments() {
		if e.Name == name {
			return e, true
		}
	}
	return Experiment{}, false
}

// Setup says how much of an experiment to run, and where. Its zero value, but
// for Out, runs all of it as the paper did.
type Setup struct {
	// Runs is how often each cell is run; 0 means as often as in the paper.
	Runs int
	// SeedFrom is the seed of the first run; the others count up from it.
	SeedFrom uint64
	// Threads is the number of fits that run side by side; 0 means one a core.
	// It changes times only.
	Threads int
	// Data is the folder of the real data sets.
	Data string
	// Out is the folder for results and journals. It is made if need be.
	Out string
	// MaxN leaves out cells of more rows; 0 leaves out none.
	MaxN int
	// Methods lists the methods to run, as the tables call them; empty means
	// all. What an earlier call noted of others is shown nevertheless.
	Methods []string
	// Some lets an experiment do without those of Methods that it does not have, which
	// are refused otherwise.
	Some bool
	// Memory bounds the tables of big-data and the examples of keypoints, in
	// bytes; 0 means [DefaultMemory] and what is free.
	Memory int64
	// Scale is that of keypoints: small, medium, or full, which is meant where
	// nothing is said and takes days.
	Scale string
	// Log is told what is being done, Progress of every fit. Both may be nil.
	Log      func(format string, a ...any)
	Progress func(done, total int)
}

// DefaultMemory is what big-data takes where nothing is said.
const DefaultMemory = 8 << 30

// Validate says what is wrong with the setup.
func (s *Setup) Validate() error {
	switch {
	case s.Runs < 0 || s.Threads < 0 || s.MaxN < 0 || s.Memory < 0:
		return errors.New("paper: runs, threads, max-n and memory must not be negative")
	case s.Out == "":
		return errors.New("paper: results need a folder")
	}
	return nil
}

func (s Setup) withDefaults() *Setup {
	if s.Threads == 0 {
		s.Threads = runtime.GOMAXPROCS(0)
	}
	if s.Log == nil {
		s.Log = func(string, ...any) {}
	}
	if s.Progress == nil {
		s.Progress = func(int, int) {}
	}
	return &s
}

// seeds returns the seeds of the runs of a cell, where the paper did so many.
func (s *Setup) seeds(published int) []uint64 {
	runs := s.Runs
	if runs == 0 {
		runs = published
	}
	seeds := make([]uint64, runs)
	for i := range seeds {
		seeds[i] = s.SeedFrom + uint64(i)
	}
	return seeds
}

// allows reports whether cells of n rows are to be run.
func (s *Setup) allows(n int) bool { return s.MaxN == 0 || n <= s.MaxN }

// Run runs an experiment and writes its results to the folder of the setup.
func Run(ctx context.Context, e Experiment, setup Setup) (*Result, error) {
	if err := setup.Validate(); err != nil {
		return nil, err
	}
	s := setup.withDefaults()
	_, err := os.Stat(s.Out)
	made := errors.Is(err, fs.ErrNotExist)
	if err := fault.MkdirAll(s.Out); err != nil {
		return nil, err
	}
	start := time.Now()
	r, err := e.Run(ctx, s)
	if err != nil {
		if made {
			os.Remove(s.Out) // only if it is empty
		}
		return nil, fmt.Errorf("%s: %w", e.Name, err)
	}
	r.Name, r.About, r.Seconds = e.Name, e.About, time.Since(start).Seconds()
	return r, r.write(s.Out)
}

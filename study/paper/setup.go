package paper

import (
	"errors"
	"runtime"
)

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

package paper

import (
	"errors"
	"runtime"
)

// Setup says how much of an experiment to run, and where. Its zero value, except for Out, runs all
// of it as the paper did.
type Setup struct {
	// Runs is the number of runs per cell; 0 means as in the paper.
	Runs int
	// SeedFrom is the seed of the first run; the others follow.
	SeedFrom uint64
	// Threads is the number of parallel fits; 0 means one per core. It changes times only.
	Threads int
	// Data is the folder of the real data sets.
	Data string
	// Out is the folder for results and journals. It is created if necessary.
	Out string
	// MaxN leaves out cells with more rows; 0 leaves out none.
	MaxN int
	// Methods lists the methods to run, by their names in the tables; empty means all. Recorded
	// results of others are shown nevertheless.
	Methods []string
	// Some ignores methods that an experiment does not have; otherwise they are an error.
	Some bool
	// Memory limits the tables of big-data and the examples of keypoints, in bytes; 0 means
	// [DefaultMemory] and the free memory.
	Memory int64
	// Scale is the scale of keypoints: small, medium, or full, the default, which takes days.
	Scale string
	// Log is called with messages, Progress after every fit. Both may be nil.
	Log      func(format string, a ...any)
	Progress func(done, total int)
}

// DefaultMemory is the default limit of big-data.
const DefaultMemory = 8 << 30

// Validate returns an error if the setup is wrong.
func (s *Setup) Validate() error {
	switch {
	case s.Runs < 0 || s.Threads < 0 || s.MaxN < 0 || s.Memory < 0:
		return errors.New("paper: runs, threads, max-n and memory must not be negative")
	case s.Out == "":
		return errors.New("paper: the folder for the results is missing")
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

// seeds returns the seeds of the runs of a cell, given the number of runs in the paper.
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

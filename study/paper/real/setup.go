package real

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
)

// Setup says what to compare.
type Setup struct {
	// Families and Sets choose among those of [Sets]; empty means all.
	Families, Sets []string
	// Splits is the number of pairs of tables of each set, and Seed that of the first.
	Splits int
	Seed   uint64
	// Data is the folder of the real data sets.
	Data string
	// Python runs the peers; if it is empty, only cached predictions are compared.
	Python string
	// Cache is the folder of cached predictions of peers; if it is empty, nothing is cached.
	Cache string
	// Open leaves the size open, and compares with the references that use all columns
	// instead of the peers that are given k.
	Open bool
	// Peers lists the peers, or references, to compare with, by name; empty means all.
	Peers []string
	// Variants are other settings of fsa, which are compared like peers.
	Variants []Variant
	// Before holds records of an earlier version of fsa, which is compared like a peer.
	Before []Record
	// Threads is the number of pairs of tables that are processed in parallel; 0 means one per
	// core. Every fit uses one thread.
	Threads int
	// Limit is the maximal time of a peer for one answer; 0 means [DefaultLimit].
	Limit time.Duration
	// Log is called with what cannot be done, and Progress after every pair of tables. Both may be
	// nil.
	Log      func(format string, a ...any)
	Progress func(done, total int)
}

// DefaultLimit is the default time limit of a peer for one answer.
const DefaultLimit = 5 * time.Minute

// Validate returns an error if the setup is invalid.
func (s *Setup) Validate() error {
	if s.Splits < 1 || s.Threads < 0 {
		return errors.New("real: at least one split is needed, and threads must not be negative")
	}
	var families, names []string
	for _, set := range Sets() {
		families, names = append(families, set.Family), append(names, set.Name)
	}
	for _, list := range []struct {
		what         string
		given, known []string
	}{{"family", s.Families, slices.Compact(families)}, {"set", s.Sets, names}, {s.role(), s.Peers, namesOf(s.Open)}} {
		for _, name := range list.given {
			if !slices.Contains(list.known, name) {
				return fmt.Errorf("real: there is no %s %q: it must be one of %s", list.what, name, strings.Join(list.known, ", "))
			}
		}
	}
	return nil
}

// role returns the word for the methods that fsa is compared with.
func (s *Setup) role() string {
	if s.Open {
		return "reference"
	}
	return "peer"
}

func (s Setup) withDefaults() *Setup {
	if s.Threads == 0 {
		s.Threads = runtime.GOMAXPROCS(0)
	}
	if s.Limit == 0 {
		s.Limit = DefaultLimit
	}
	var mu sync.Mutex // workers report side by side
	log, progress := s.Log, s.Progress
	s.Log = func(format string, a ...any) {
		mu.Lock()
		defer mu.Unlock()
		if log != nil {
			log(format, a...)
		}
	}
	s.Progress = func(done, total int) {
		mu.Lock()
		defer mu.Unlock()
		if progress != nil {
			progress(done, total)
		}
	}
	if len(s.Peers) == 0 {
		s.Peers = namesOf(s.Open)
	}
	return &s
}

// pair is a set with a seed: training rows and rows to predict.
type pair struct {
	set  *Set
	seed uint64
	k    []int // numbers of variables to select; 0 means that the size is open
}

// pairs lists the fits to run. Sets without data are named.
func (s *Setup) pairs() []pair {
	var sets []*Set
	for _, set := range Sets() {
		if len(s.Families) > 0 && !slices.Contains(s.Families, set.Family) || len(s.Sets) > 0 && !slices.Contains(s.Sets, set.Name) {
			continue
		}
		if err := set.missing(s.Data); err != nil {
			s.Log("%s: left out: %v", set.Name, err)
			continue
		}
		sets = append(sets, set)
	}
	var out []pair
	for i := range s.Splits {
		for _, set := range sets {
			k := set.K
			if s.Open {
				k = []int{0}
			}
			out = append(out, pair{set, s.Seed + uint64(i), k})
		}
	}
	return out
}

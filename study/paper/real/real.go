// Package real measures the defaults of fsa beside the methods that a user might
// choose instead, on real tables and on generated families of tables that resemble
// them, and says who is ahead.
//
// Every method learns from the same rows and predicts the same other rows, with the
// same number of variables. A [Set] is a source of such pairs of tables, one for each
// seed; sets of one kind are a family, and families are what is compared: by the
// mean of paired differences, their standard errors, and Holm's correction for the
// number of comparisons. What the other methods predict is kept in a cache, since it
// does not change while fsa does.
//
// A new set is a line in a table of sets.go or generated.go; a new family of
// generated tables is a file and a line.
package real

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
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
	// Python runs the peers; where it is empty, only what is in the cache is compared.
	Python string
	// Cache is the folder of what peers have predicted; empty means to keep nothing.
	Cache string
	// Peers lists the peers to compare with, by name; empty means all.
	Peers []string
	// Variants are other settings of fsa, which are compared like peers.
	Variants []Variant
	// Before holds records of an earlier call, whose fsa is compared like a peer.
	Before []Record
	// Threads is the number of pairs of tables that are worked on side by side; 0 means
	// one a core. Every fit has one thread.
	Threads int
	// Limit is how long a peer may take for one answer; 0 means [DefaultLimit].
	Limit time.Duration
	// Log is told what cannot be done, Progress of every pair of tables. Both may be nil.
	Log      func(format string, a ...any)
	Progress func(done, total int)
}

// DefaultLimit is how long a peer may take for one answer where nothing is said.
const DefaultLimit = 5 * time.Minute

// The methods that [Record] may name besides peers and variants.
const (
	Ours   = "fsa"
	before = "fsa before"
)

// Validate says what is wrong with the setup.
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
	}{{"family", s.Families, slices.Compact(families)}, {"set", s.Sets, names}, {"peer", s.Peers, PeerNames()}} {
		for _, name := range list.given {
			if !slices.Contains(list.known, name) {
				return fmt.Errorf("real: there is no %s %q: it must be one of %s", list.what, name, strings.Join(list.known, ", "))
			}
		}
	}
	return nil
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
		s.Peers = PeerNames()
	}
	return &s
}

// pair is a set with a seed: rows to learn from, and rows to predict.
type pair struct {
	set  *Set
	seed uint64
}

// Run compares. It fails only where fsa does, or the context ends: a peer that fails
// is named in the log and leaves a gap.
func Run(ctx context.Context, setup Setup) (*Result, error) {
	if err := setup.Validate(); err != nil {
		return nil, err
	}
	s := setup.withDefaults()
	pairs := s.pairs()
	if len(pairs) == 0 {
		return nil, fmt.Errorf("real: no set is there: %s has none of them; --data says where they are", s.Data)
	}
	records := make([][]Record, len(pairs))
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var next, done atomic.Int64
	var said sync.Map
	var all sync.WaitGroup
	for range min(s.Threads, len(pairs)) {
		all.Go(func() {
			p := newPeers(s, &said)
			defer p.close()
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= len(pairs) {
					return
				}
				var err error
				if records[i], err = s.measure(ctx, pairs[i], p); err != nil {
					stop(fmt.Errorf("%s, seed %d: %w", pairs[i].set.Name, pairs[i].seed, err))
				}
				s.Progress(int(done.Add(1)), len(pairs))
			}
		})
	}
	all.Wait()
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	list := slices.Concat(records...)
	r := &Result{Records: append(list, s.earlier(list)...)}
	r.summarise()
	return r, nil
}

// pairs lists what there is to do. Sets whose data are not there are named.
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
			out = append(out, pair{set, s.Seed + uint64(i)})
		}
	}
	return out
}

// measure runs all methods on a pair of tables.
func (s *Setup) measure(ctx context.Context, p pair, others *peers) ([]Record, error) {
	train, test, err := p.set.tables(ctx, s.Data, p.seed)
	if err != nil {
		return nil, err
	}
	j := &judge{set: p.set, seed: p.seed, train: train, test: test}
	var out []Record
	variants := append([]Variant{{Name: Ours}}, s.Variants...)
	for _, k := range p.set.K {
		for _, v := range variants {
			a, err := fitOurs(ctx, v, train, test, k)
			if err != nil {
				return nil, fmt.Errorf("%s, k = %d: %w", v.Name, k, err)
			}
			out = append(out, j.record(v.Name, k, a))
		}
	}
	theirs, err := others.answers(ctx, p, train, test)
	if err != nil {
		return nil, err
	}
	for _, t := range theirs {
		out = append(out, j.record(t.method, t.K, t.Answer))
	}
	return out, nil
}

// earlier returns the records of an earlier fsa for pairs that were run now.
func (s *Setup) earlier(now []Record) []Record {
	type cell struct {
		set  string
		seed uint64
		k    int
	}
	known := map[cell]bool{}
	for _, r := range now {
		known[cell{r.Set, r.Seed, r.K}] = true
	}
	var out []Record
	for _, r := range s.Before {
		if r.Method == Ours && known[cell{r.Set, r.Seed, r.K}] {
			r.Method = before
			out = append(out, r)
		}
	}
	return out
}

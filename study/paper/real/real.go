// Package real compares the defaults of fsa with other methods on real tables, and on generated
// families of tables that resemble them.
//
// Every method trains on the same rows and predicts the same other rows, with the same number of
// variables. A [Set] is a source of such pairs of tables, one for each seed. Sets of one kind are a
// family. Families are compared by the mean of paired differences, their standard errors, and
// Holm's correction for the number of comparisons. The predictions of other methods are cached,
// because they do not change when fsa does.
//
// If the size is open, fsa is compared with references that use all columns, table by table, by the
// paired differences of held-out rows; see [Standing].
//
// A new set is a line in a table of sets.go. A new family of generated tables is a file and a line.
// A new peer or reference is a line in a table of methods.go, and one in the script that fits it.
package real

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"fsa/data"
)

// Run runs the comparison. It returns an error only if fsa fails or the context ends: a peer that
// fails is named in the log and leaves a gap.
func Run(ctx context.Context, setup Setup) (*Result, error) {
	if err := setup.Validate(); err != nil {
		return nil, err
	}
	s := setup.withDefaults()
	pairs := s.pairs()
	if len(pairs) == 0 {
		return nil, fmt.Errorf("real: no data set was found in %s; give their folder with --data", s.Data)
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
	r := &Result{Open: s.Open, Records: append(list, s.earlier(list)...)}
	r.summarise()
	return r, nil
}

// measure runs all methods on a pair of tables.
func (s *Setup) measure(ctx context.Context, p pair, others *peers) ([]Record, error) {
	train, test, err := p.set.tables(ctx, s.Data, p.seed)
	if err != nil {
		return nil, err
	}
	j := &judge{set: p.set, seed: p.seed, train: train, test: test}
	var out []Record
	variants := append(s.defaults(train.Cols), s.Variants...)
	for _, k := range p.k {
		for _, v := range variants {
			a, err := fitOurs(ctx, v, train, test, k)
			if v.Options != nil && errors.Is(err, data.ErrBadData) {
				s.Log("%s, seed %d: %s is left out: %v", p.set.Name, p.seed, v.Name, err) // a loss for another task
				continue
			}
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

// earlier returns the records of an earlier version of fsa, for the pairs of this run.
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

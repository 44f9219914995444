package paper

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// unit is a table, and the methods to be fitted to it.
type unit struct {
	cell    string
	seed    uint64
	methods []string
	// load makes the table and returns a function that fits a method to it.
	load func(ctx context.Context) (trial, error)
}

// trial fits a method and measures the result.
type trial func(ctx context.Context, method string) (values, error)

// outcomes are the fits of an experiment.
type outcomes struct {
	done    map[key]values
	failed  map[key]error
	resumed int // taken from the journal
}

// fit runs all units, several in parallel, except for those that an earlier call has recorded in
// the journal of the experiment. The result depends neither on the order in which fits end nor on
// where a call was stopped. A method that fails leaves a gap; the rest continues.
func (s *Setup) fit(ctx context.Context, experiment string, workers int, units []unit) (out *outcomes, err error) {
	if err := s.checkMethods(experiment, units); err != nil {
		return nil, err
	}
	j, err := openJournal(filepath.Join(s.Out, experiment+".jsonl"))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, j.close()) }()

	r := &runner{journal: j, failed: map[key]error{}}
	var open []unit
	for _, u := range units {
		all := len(u.methods)
		r.total += all
		u.methods = slices.DeleteFunc(slices.Clone(u.methods), func(m string) bool { return j.has(key{u.cell, m, u.seed}) })
		r.ended += all - len(u.methods)
		if len(s.Methods) > 0 {
			wanted := len(u.methods)
			u.methods = slices.DeleteFunc(u.methods, func(m string) bool { return !slices.Contains(s.Methods, m) })
			r.total -= wanted - len(u.methods)
		}
		if len(u.methods) > 0 {
			open = append(open, u)
		}
	}
	out = &outcomes{done: j.done, failed: r.failed, resumed: r.ended}
	if r.ended > 0 {
		s.Log("%s: %d of %d fits are done already (%s)", experiment, r.ended, r.total, j.path)
	}
	return out, s.work(ctx, workers, open, r)
}

// checkMethods returns an error for methods that an experiment does not have.
func (s *Setup) checkMethods(experiment string, units []unit) error {
	var known []string
	for _, u := range units {
		for _, m := range u.methods {
			if !slices.Contains(known, m) {
				known = append(known, m)
			}
		}
	}
	for _, m := range s.Methods {
		if !s.Some && len(units) > 0 && !slices.Contains(known, m) {
			return fmt.Errorf("paper: %s has no method %q: it must be %s", experiment, m, strings.Join(known, ", "))
		}
	}
	return nil
}

// runner keeps track of the units.
type runner struct {
	*journal
	mu           sync.Mutex
	failed       map[key]error
	ended, total int
}

// work runs units on some workers until one returns an error that is not a method's.
func (s *Setup) work(ctx context.Context, workers int, units []unit, r *runner) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var next atomic.Int64
	var all sync.WaitGroup
	for range min(workers, len(units)) {
		all.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= len(units) {
					return
				}
				if err := s.workOn(ctx, &units[i], r); err != nil {
					stop(err)
				}
			}
		})
	}
	all.Wait()
	return context.Cause(ctx)
}

// workOn fits every method of a unit.
func (s *Setup) workOn(ctx context.Context, u *unit, r *runner) error {
	fit, err := u.load(ctx)
	if err != nil {
		return err
	}
	for _, method := range u.methods {
		k := key{u.cell, method, u.seed}
		v, err := fit(ctx, method)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err == nil {
			if err := r.add(k, v); err != nil {
				return err
			}
		}
		r.mu.Lock()
		if err != nil {
			r.failed[k] = err
		}
		r.ended++
		s.Progress(r.ended, r.total)
		r.mu.Unlock()
	}
	return nil
}

// summary is the mean of some runs and its standard error; nil if unknown.
type summary struct {
	mean, se *float64
	runs     int
}

// summarize returns the mean of a metric over seeds, in their order. Runs
// without it do not count.
func (o *outcomes) summarize(cell, method, metric string, seeds []uint64) summary {
	var list []float64
	for _, seed := range seeds {
		if v, ok := o.done[key{cell, method, seed}][metric]; ok {
			list = append(list, v)
		}
	}
	n := float64(len(list))
	if n == 0 {
		return summary{}
	}
	var mean, square float64
	for _, v := range list {
		mean += v / n
	}
	for _, v := range list {
		square += (v - mean) * (v - mean)
	}
	out := summary{mean: &mean, runs: len(list)}
	if n > 1 {
		out.se = new(math.Sqrt(square / (n - 1) / n))
	}
	return out
}

// notes says which methods failed, and how much was done before this call.
func (o *outcomes) notes() []string {
	var out []string
	if o.resumed > 0 {
		out = append(out, fmt.Sprintf("%d fits were done by earlier calls; the seconds do not include them.", o.resumed))
	}
	type place struct{ cell, method string }
	count := map[place]int{}
	why := map[place]key{}
	for k := range o.failed {
		p := place{k.Cell, k.Method}
		count[p]++
		if first, seen := why[p]; !seen || k.Seed < first.Seed {
			why[p] = k
		}
	}
	var lines []string
	for p, n := range count {
		k := why[p]
		lines = append(lines, fmt.Sprintf("%s failed on %d of the tables %s, first on seed %d: %v.", p.method, n, p.cell, k.Seed, o.failed[k]))
	}
	slices.Sort(lines)
	return append(out, lines...)
}

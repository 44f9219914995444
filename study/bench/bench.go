// Package bench measures the speed of fsa in numbers that are meaningful on another machine: ratios
// of times from the same run. It compares a pass over a table with plain reading, whole fits with
// those of other programs on the same data, and fits of one size with those of another.
//
// Every number is a median. The run also measures how quiet the machine was, since a ratio of two
// disturbed times says little.
package bench

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"slices"
)

// Run takes the requested measurements. It writes only to a temporary folder, which it removes. A run that is
// interrupted returns an error and what it has measured so far.
func Run(ctx context.Context, o Options) (*Report, error) {
	p := fullPlan()
	if o.Quick {
		p = quickPlan()
	}
	return run(ctx, o, p)
}

func run(ctx context.Context, o Options, p plan) (*Report, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	if o.Threads == 0 {
		o.Threads = runtime.GOMAXPROCS(0)
	}
	if o.Log == nil {
		o.Log = func(string, ...any) {}
	}
	dir, err := os.MkdirTemp("", "fsa-bench-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	b := &bencher{Options: o, plan: p, dir: dir, report: &Report{Machine: thisMachine(), Repeats: p.repeats, Threads: o.Threads}}
	b.report.Quiet.Load = loadAverage()
	b.buffer = p.buffer(b.report.Machine)

	for _, s := range taken(o.Only) {
		b.report.parts = append(b.report.parts, s.print)
		if _, err := b.listen(ctx); err != nil {
			return b.report, err
		}
		if err := s.measure(b, ctx); err != nil {
			return b.report, err
		}
	}
	_, err = b.listen(ctx)
	return b.report, err
}

// Validate returns an error if the options are wrong.
func (o *Options) Validate() error {
	if o.Threads < 0 {
		return fmt.Errorf("bench: %d threads: the number must not be negative", o.Threads)
	}
	if o.Table.Path != "" && o.Table.K < 1 {
		return fmt.Errorf("bench: k = %d: give the number of variables of the table to select", o.Table.K)
	}
	if !(o.Scale >= 0 && o.Scale <= 1) {
		return fmt.Errorf("bench: a scale of %v: it must be above 0 and at most 1", o.Scale)
	}
	for _, name := range o.Shapes {
		if !slices.Contains(ShapeNames(), name) {
			return fmt.Errorf("bench: there is no shape %q: it must be one of %v", name, ShapeNames())
		}
	}
	for _, name := range o.Only {
		if !slices.Contains(Measurements(), name) {
			return fmt.Errorf("bench: there is no measurement %q: it must be one of %v", name, Measurements())
		}
	}
	return nil
}

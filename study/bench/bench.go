// Package bench measures how fast fsa is, in numbers that mean something on
// another machine: ratios of times that were taken in the same run. It compares
// a pass over a table with plain reading, whole fits with those of other
// programs on the same data, and fits of one size with those of another.
//
// Every number is a median. How quiet the machine was is measured too, since
// a ratio of two disturbed times says little.
package bench

import (
	"context"
	"os"
	"runtime"
	"slices"
)

// Run takes the measurements that o asks for. It writes to a temporary folder
// only, which it removes.
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
	if len(o.Only) == 0 {
		o.Only = Measurements()
	}
	dir, err := os.MkdirTemp("", "fsa-bench-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	b := &bencher{Options: o, plan: p, dir: dir, report: &Report{Machine: thisMachine(), Repeats: p.repeats, Threads: o.Threads}}
	b.report.Quiet.Load = loadAverage()
	b.buffer = p.buffer(b.report.Machine)

	steps := map[string]func(context.Context) error{Pass: b.pass, Fits: b.fits, Choice: b.choices, Commands: b.command, Scaling: b.scaling, OutOfCore: b.disk, Device: b.device, Live: b.live, Grid: b.onGrid}
	for _, name := range Measurements() {
		step := steps[name]
		if !slices.Contains(o.Only, name) {
			continue
		}
		if _, err := b.listen(ctx); err != nil {
			return nil, err
		}
		if err := step(ctx); err != nil {
			return nil, err
		}
	}
	if _, err := b.listen(ctx); err != nil {
		return nil, err
	}
	return b.report, nil
}

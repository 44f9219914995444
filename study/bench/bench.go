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
	"fmt"
	"os"
	"runtime"
	"slices"
	"time"
)

// The measurements that can be asked for.
const (
	Pass      = "pass"
	Fits      = "fits"
	Choice    = "choice"
	Commands  = "command"
	Scaling   = "scaling"
	OutOfCore = "out-of-core"
	Device    = "device"
	Live      = "live"
	Grid      = "grid"
)

// Measurements lists them in the order in which they are taken.
func Measurements() []string {
	return []string{Pass, Fits, Choice, Commands, Scaling, OutOfCore, Device, Live, Grid}
}

// Options say what to measure. The zero value measures everything that needs
// no other program.
type Options struct {
	// Quick takes smaller tables and fewer repetitions and ends within a
	// minute.
	Quick bool
	// Threads is the number of threads of fsa and of its peers; 0 means one a
	// core.
	Threads int
	// Peers is a Python interpreter that has the peers installed, as
	// scripts/peers/setup.sh makes one; empty means to compare with none.
	Peers string
	// Program is the fsa program, which is run to fit tables in files and one larger than
	// memory; empty means not to measure that.
	Program string
	// Table is measured out of core in place of a table that is made for it.
	Table Table
	// Only lists the measurements to take; empty means all.
	Only []string
	// Log is told what is being measured.
	Log func(format string, a ...any)
}

// Table is a table of one's own, in a file. It is fitted once.
type Table struct {
	Path   string // empty if there is none
	K      int    // variables to select
	Memory int64  // that may be used; 0 means a third of the file
	Polish bool   // what was selected
}

// Validate says what is wrong with the options.
func (o *Options) Validate() error {
	if o.Threads < 0 {
		return fmt.Errorf("bench: %d threads: the number must not be negative", o.Threads)
	}
	if o.Table.Path != "" && o.Table.K < 1 {
		return fmt.Errorf("bench: k = %d: say how many variables of the table to select", o.Table.K)
	}
	for _, name := range o.Only {
		if !slices.Contains(Measurements(), name) {
			return fmt.Errorf("bench: there is no measurement %q: it must be one of %v", name, Measurements())
		}
	}
	return nil
}

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

// bencher is one run.
type bencher struct {
	Options
	plan
	dir    string // for files
	buffer int    // bytes that are read to measure bandwidth
	heard  []float64
	report *Report
}

// timed returns how long f takes, in seconds, without garbage of what ran
// before it.
func timed(f func() error) (float64, error) {
	runtime.GC()
	start := time.Now()
	err := f()
	return time.Since(start).Seconds(), err
}

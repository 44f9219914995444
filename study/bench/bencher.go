package bench

import (
	"fmt"
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

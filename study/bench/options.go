package bench

// The sections that can be requested.
const (
	Pass      = "pass"
	Fits      = "fits"
	Choice    = "choice"
	Commands  = "command"
	Threads   = "threads"
	Scaling   = "scaling"
	OutOfCore = "out-of-core"
	Device    = "device"
	Live      = "live"
	Grid      = "grid"
	Shapes    = "shapes"
)

// Options select the measurements. The zero value measures everything that needs no other program.
type Options struct {
	// Quick uses smaller tables and fewer repetitions and ends within a minute.
	Quick bool
	// Threads is the number of threads of fsa and of its peers; 0 means one per core.
	Threads int
	// Peers is a Python interpreter with the peers, as scripts/peers/setup.sh installs them; empty
	// means none.
	Peers string
	// Program is the fsa program, which fits tables in files and one larger than memory; empty
	// leaves these out.
	Program string
	// Table is a table to be measured out of core, instead of a generated one.
	Table Table
	// Scale is the share of the cells of the largest shapes; 0 means as much as fits on the disk.
	Scale float64
	// Shapes lists the largest shapes to measure, such as 900x860000; empty means all.
	Shapes []string
	// Only lists the measurements to take; empty means all except the shapes.
	Only []string
	// Log is called with the current measurement.
	Log func(format string, a ...any)
}

// Table is a given table in a file. It is fitted once.
type Table struct {
	Path   string // empty if there is none
	K      int    // variables to select
	Memory int64  // memory limit; 0 means a third of the file
	Polish bool   // also polish
}

package bench

import "io"

// Report has the measurements. Those that were not taken are nil.
type Report struct {
	Machine Machine `json:"machine"`
	Quiet   Quiet   `json:"quiet"`
	// Repeats is the number of repetitions. Times are their medians.
	Repeats int `json:"repeats"`
	// Threads is the number of threads, unless stated otherwise.
	Threads int `json:"threads"`

	// Pass is the speed of a fused pass over the speed of reading, by the
	// number of columns; PassOneThread is the same with one thread.
	Pass          map[int]float64 `json:"pass"`
	PassOneThread map[int]float64 `json:"pass_one_thread"`
	// Read is the read that passes are compared with.
	Read []Read `json:"read,omitempty"`

	Fits []Fit `json:"fits"`
	// Choosing is the cost of choosing the size, and Choices are fits beside peers that choose it;
	// both are empty without peers.
	Choosing []Choosing `json:"choosing,omitempty"`
	Choices  []Fit      `json:"choices"`
	// Missing names the peers that were not compared.
	Missing []Missing `json:"missing,omitempty"`

	Commands []Command `json:"commands"`

	Threaded  []Threaded `json:"threaded,omitempty"`
	Scaling   *Scale     `json:"scaling"`
	OutOfCore *Disk      `json:"out_of_core"`
	// Device is nil if there is none.
	Device *OnDevice `json:"device,omitempty"`
	// Watched is nil without a program.
	Watched []Watched `json:"watched,omitempty"`
	// Grids is nil on one core.
	Grids []OnGrid `json:"grids,omitempty"`
	// BigTables is nil unless they were requested by name.
	BigTables []BigTable `json:"big_tables,omitempty"`

	parts []func(*Report, io.Writer) // print the requested sections, in this order
}

// Machine is the machine of the run.
type Machine struct {
	CPU          string `json:"cpu"`
	Cores        int    `json:"cores"`
	MemoryBytes  int    `json:"memory_bytes"` // 0 if unknown
	Caches       Caches `json:"caches"`
	Instructions string `json:"instructions"` // those of the kernels
	Go           string `json:"go"`
	System       string `json:"system"`
}

// Caches are the sizes of the data caches of a core, in bytes; 0 if there is none.
type Caches struct {
	L1 int `json:"l1"`
	L2 int `json:"l2"`
	L3 int `json:"l3"`
}

// Quiet describes how busy the machine was.
type Quiet struct {
	// Load is the load average over 1, 5 and 15 minutes before the run; nil if it is unknown.
	Load []float64 `json:"load"`
	// ReadBytesPerSecond is the median of the read bandwidths measured before,
	// between and after the measurements, with all threads.
	ReadBytesPerSecond float64 `json:"read_bytes_per_second"`
	// Spread is the range of these bandwidths over their median.
	Spread float64 `json:"spread"`
}

// Read is the bandwidth of the best of several ways to read memory.
type Read struct {
	Threads        int     `json:"threads"`
	Reader         string  `json:"reader"`
	BytesPerSecond float64 `json:"bytes_per_second"`
}

// Fit is the fit of one method to tables of one kind.
type Fit struct {
	Task   string `json:"task"`
	N      int    `json:"n"`
	M      int    `json:"m"`
	K      int    `json:"k"`
	Method string `json:"method"`
	// Threads is the allowed number, or 1 for a peer that is faster with one.
	Threads int `json:"threads"`
	// Seconds is the median over tables, or the limit that was exceeded.
	Seconds  float64 `json:"seconds"`
	MoreThan bool    `json:"more_than,omitempty"`
	// DR is the share of tables for which all true variables were selected, PCD the share of true
	// variables selected; nil if no fit ended.
	DR  *float64 `json:"dr"`
	PCD *float64 `json:"pcd"`
	// Selected is the mean number of variables that were selected.
	Selected float64 `json:"selected"`
	// OverRead is the time of the fit divided by the time to read as many bytes, at the bandwidth
	// measured right after it; 0 for peers, for which it is unknown, and for tables that fit into
	// the cache.
	OverRead float64 `json:"over_read,omitempty"`
}

// Choosing is the cost of choosing by cross-validation: the size, the recipe, and lines or curves.
// Ratios are medians over tables of consecutive times.
type Choosing struct {
	Task string `json:"task"`
	N    int    `json:"n"`
	M    int    `json:"m"`
	K    int    `json:"k"` // true variables
	// Ways has the fits that are compared.
	Ways []ChoosingWay `json:"ways"`
	// OpenOverGiven is the time of a fit that chooses its size divided by that with a given size,
	// and ContestOverQuick that of a fit with a given size divided by the same with --quick.
	OpenOverGiven    float64 `json:"open_over_given"`
	ContestOverQuick float64 `json:"contest_over_quick"`
	// CurvesOverLines is the time of the default, which compares curves with straight lines if that
	// is cheap, divided by that of --bins 0, with a given size, and OpenCurvesOverLines the same
	// with an open one.
	CurvesOverLines     float64 `json:"curves_over_lines"`
	OpenCurvesOverLines float64 `json:"open_curves_over_lines"`
}

// ChoosingWay is one way to fit the tables. All numbers but Seconds are means over them.
type ChoosingWay struct {
	Way     string  `json:"way"`
	Seconds float64 `json:"seconds"` // median
	// Recipes is the number of recipes compared at the chosen size; 0 without cross-validation.
	Recipes float64 `json:"recipes"`
	// Reads is the number of cells read, divided by the number of cells of the table.
	Reads float64 `json:"reads"`
	// SizeFound is the share of tables on which the number of selected variables is the true one,
	// and Found the share of true variables that were selected.
	SizeFound float64 `json:"size_found"`
	Found     float64 `json:"found"`
}

// Missing is a peer that was not compared, and why.
type Missing struct {
	Method string `json:"method"`
	Why    string `json:"why"`
}

// Threaded is the speed-up of the fit of a table with more threads.
type Threaded struct {
	N      int  `json:"n"`
	M      int  `json:"m"`
	K      int  `json:"k"`
	Sparse bool `json:"sparse,omitempty"`
	// ReadBytes is the size of the memory that is read beside the fits: that of the table, or less
	// if the table is much larger than all caches.
	ReadBytes int           `json:"read_bytes"`
	Points    []ThreadPoint `json:"points"`
}

// ThreadPoint is the result of a number of threads.
type ThreadPoint struct {
	Threads int `json:"threads"`
	// Seconds is the time of a fit, and FitOver its speed relative to one thread.
	Seconds float64 `json:"seconds"`
	FitOver float64 `json:"fit_over_one"`
	// BytesPerSecond is the rate at which memory is read, and ReadOver that relative to one thread.
	BytesPerSecond float64 `json:"read_bytes_per_second"`
	ReadOver       float64 `json:"read_over_one"`
}

// Scale describes how the time of a fit grows.
type Scale struct {
	// Time is proportional to the power of rows and of columns with these
	// exponents.
	ExponentN float64 `json:"exponent_n"`
	ExponentM float64 `json:"exponent_m"`
	Points    []Point `json:"points"`
}

// Point is the time of a fit.
type Point struct {
	N       int     `json:"n"`
	M       int     `json:"m"`
	Seconds float64 `json:"seconds"`
}

// Disk is the cost of a fit of a table larger than its memory limit.
type Disk struct {
	// ReadBytesPerSecond is the rate of plain reading of the file.
	ReadBytesPerSecond float64 `json:"read_bytes_per_second"`
	// Seconds is the time of the fit.
	Seconds           float64 `json:"seconds"`
	BytesReadOverFile float64 `json:"bytes_read_over_file"`
	PeakOverPromise   float64 `json:"peak_over_promise"`
	// InMemory says that the table was not larger than the limit and was completely in memory, so
	// this is not a fit out of core.
	InMemory bool `json:"in_memory,omitempty"`
	// OverRead is the time of the fit divided by the time to read as many bytes from the disk; 0 if
	// the table was in memory.
	OverRead float64 `json:"over_read,omitempty"`
}

// Command is the cost of a whole command, from the file to the model.
type Command struct {
	Format string `json:"format"`
	N      int    `json:"n"`
	M      int    `json:"m"`
	// FileBytes is the size of the file, and PeakOverNumbers the peak of memory divided by the size
	// of the numbers, at four bytes each; 0 if the system does not report it.
	FileBytes       int64   `json:"file_bytes"`
	PeakOverNumbers float64 `json:"peak_over_numbers"`
	// Seconds is the time of the command, and Read the part for reading.
	Seconds float64 `json:"seconds"`
	Read    float64 `json:"read"`
	// Readers has the times of other programs to read the file, by their names.
	Readers map[string]float64 `json:"readers"`
}

// OnDevice is the speed of a GPU, on tables that are made there.
type OnDevice struct {
	Name               string       `json:"name"`
	CopyBytesPerSecond float64      `json:"copy_bytes_per_second"` // read and written
	Passes             []DevicePass `json:"passes"`
	Steps              []DeviceStep `json:"steps"`
	Fits               []DeviceFit  `json:"fits"`
	FromHost           *HostFit     `json:"from_host"`
}

// DevicePass is a pass over a table, with the sum of the gradient.
type DevicePass struct {
	Storage        string  `json:"storage"`
	N              int64   `json:"n"`
	M              int     `json:"m"`
	BytesPerSecond float64 `json:"bytes_per_second"` // of the table, each cell counted once
	OverCopy       float64 `json:"over_copy"`        // of the rate of a copy
}

// DeviceStep is a step on a minibatch of few columns.
type DeviceStep struct {
	Rows    int64   `json:"rows"`
	M       int     `json:"m"`
	Seconds float64 `json:"seconds"`
}

// DeviceFit is a descent on the paper's equally correlated variables.
type DeviceFit struct {
	Storage string  `json:"storage"`
	N       int64   `json:"n"`
	M       int     `json:"m"`
	K       int     `json:"k"`
	Seconds float64 `json:"seconds"`
	Found   float64 `json:"found"`  // share of the true variables
	Polish  int     `json:"polish"` // rounds of polishing
	Memory  float64 `json:"memory"` // peak memory on the device, divided by the size of the table
}

// HostFit is a whole fit of a table in memory, which it moves to an open device.
type HostFit struct {
	N         int     `json:"n"`
	M         int     `json:"m"`
	K         int     `json:"k"`
	Seconds   float64 `json:"seconds"`
	Processor float64 `json:"processor"` // seconds with two threads
	Same      bool    `json:"same"`      // variables selected
}

// Watched is the cost of watching a fit through its page.
type Watched struct {
	N       int    `json:"n"`
	M       int    `json:"m"`
	K       string `json:"k"` // "open" if cross-validation chooses it
	Repeats int    `json:"repeats"`
	// Seconds is the time of the fit without a page, and Over that with a watched page divided by
	// it. ProcessorOver is the same for the processor time of the whole command, which is disturbed
	// less by others on the machine.
	Seconds       float64 `json:"seconds"`
	Over          float64 `json:"over"`
	ProcessorOver float64 `json:"processor_over"`
}

// OnGrid is the cost of fits of a table on processes of this machine, with one thread and one core
// each.
type OnGrid struct {
	N     int    `json:"n"`
	M     int    `json:"m"`
	K     int    `json:"k"`
	Batch string `json:"batch"`
	// Read is the rate of two readers of memory divided by that of one, in the same run, and Read4
	// that of four; 0 on fewer cores.
	Read  float64 `json:"read_2_over_1"`
	Read4 float64 `json:"read_4_over_1,omitempty"`
	// Ways are one process of two threads without a grid, and grids.
	Ways []GridWay `json:"ways"`
}

// GridWay is one way to fit the table.
type GridWay struct {
	Grid    string `json:"grid"`          // empty without a grid
	MPI     bool   `json:"mpi,omitempty"` // under mpirun, and otherwise over TCP
	Threads int    `json:"threads"`
	// Fit is the time of the whole fit, and Descent that between its first and last epoch, in
	// seconds.
	Fit     float64 `json:"seconds_fit"`
	Descent float64 `json:"seconds_descent"`
	// FitOver and DescentOver are the speed relative to a grid of one process.
	FitOver     float64 `json:"fit_over_one"`
	DescentOver float64 `json:"descent_over_one"`
	// Predicted is the prediction of [grid.Predict] for the descent; 0 without a grid.
	Predicted float64 `json:"seconds_predicted,omitempty"`
	// Sent is the number of bytes that a process sends in the first epoch, by the formula that
	// TestBytes of package grid checks.
	Sent float64 `json:"bytes_sent"`
	// PeakOverPart is the peak of memory of the first process divided by its part of the table.
	PeakOverPart float64 `json:"peak_over_part"`
}

// BigTable is the fit of a table with a shape on which others fail.
type BigTable struct {
	N        int  `json:"n"`
	M        int  `json:"m"`
	K        int  `json:"k"`
	Sparse   bool `json:"sparse,omitempty"`
	Nonzeros int  `json:"nonzeros,omitempty"` // per row
	// Scale is the share of the cells of the table that was made, with Rows rows and Columns
	// columns; 0 if none was made.
	Scale   float64 `json:"scale"`
	Rows    int     `json:"rows,omitempty"`
	Columns int     `json:"columns,omitempty"`
	// TableBytes is the size of the numbers in memory, and FileBytes that of the file.
	TableBytes int64 `json:"table_bytes,omitempty"`
	FileBytes  int64 `json:"file_bytes,omitempty"`
	// Load and Fit are seconds. A table that is larger than memory is read in the fit.
	Load float64 `json:"seconds_load"`
	Fit  float64 `json:"seconds_fit"`
	// PeakBytes is the peak of memory; 0 if the system does not report it.
	PeakBytes int64 `json:"peak_bytes"`
	// BytesRead is the number of bytes of the table that the fit read, in memory or in the file, and
	// FileBytesRead those read from the file; 0 if the table was in memory.
	BytesRead     float64 `json:"bytes_read"`
	FileBytesRead int64   `json:"file_bytes_read,omitempty"`
	// Found is the share of the true variables that were selected.
	Found float64 `json:"found"`
	// Why is the reason if the table was not fitted, or not at its full size.
	Why string `json:"why,omitempty"`
}

package bench

// Report is what was measured. What was not is nil.
type Report struct {
	Machine Machine `json:"machine"`
	Quiet   Quiet   `json:"quiet"`
	// Repeats is the number of times of which medians were taken.
	Repeats int `json:"repeats"`
	// Threads is the number of threads, where nothing else is said.
	Threads int `json:"threads"`

	// Pass is the speed of a fused pass over the speed of reading, by the
	// number of columns; PassOneThread is the same with one thread.
	Pass          map[int]float64 `json:"pass"`
	PassOneThread map[int]float64 `json:"pass_one_thread"`
	// Read is what the passes were compared with.
	Read []Read `json:"read,omitempty"`

	Fits []Fit `json:"fits"`
	// Choices are fits of methods that were not told how many variables to select.
	Choices []Fit `json:"choices"`
	// Missing names the peers that were not compared.
	Missing []Missing `json:"missing,omitempty"`

	Commands []Command `json:"commands"`

	Scaling   *Scale `json:"scaling"`
	OutOfCore *Disk  `json:"out_of_core"`
	// Device is nil where there is none.
	Device *OnDevice `json:"device,omitempty"`
	// Watched is nil where the program was not to be started.
	Watched []Watched `json:"watched,omitempty"`
	// Grids is nil where there is no mpirun.
	Grids []OnGrid `json:"grids,omitempty"`
}

// Machine is what the program ran on.
type Machine struct {
	CPU          string `json:"cpu"`
	Cores        int    `json:"cores"`
	MemoryBytes  int    `json:"memory_bytes"` // 0 if unknown
	Caches       Caches `json:"caches"`
	Instructions string `json:"instructions"` // those of the kernels
	Go           string `json:"go"`
	System       string `json:"system"`
}

// Caches are the sizes of the data caches that a core reaches, in bytes; 0 where there is
// none.
type Caches struct {
	L1 int `json:"l1"`
	L2 int `json:"l2"`
	L3 int `json:"l3"`
}

// Quiet says how much else the machine was doing.
type Quiet struct {
	// Load is the load average over 1, 5 and 15 minutes before the run; nil
	// where it cannot be had.
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
	// Threads is as many as were allowed, or 1 for a peer that is faster so.
	Threads int `json:"threads"`
	// Seconds is the median over tables, or the limit that was exceeded.
	Seconds  float64 `json:"seconds"`
	MoreThan bool    `json:"more_than,omitempty"`
	// DR is the share of tables of which all true variables were selected,
	// PCD the share of true variables selected; nil where no fit ended.
	DR  *float64 `json:"dr"`
	PCD *float64 `json:"pcd"`
	// Selected is the mean number of variables that were selected.
	Selected float64 `json:"selected"`
	// OverRead is the time of the fit over the time it takes to read as many
	// bytes as it did, at the bandwidth measured right after it; 0 for peers,
	// of which it is not known, and for tables that fit the cache.
	OverRead float64 `json:"over_read,omitempty"`
}

// Missing is a peer that was not compared, and why.
type Missing struct {
	Method string `json:"method"`
	Why    string `json:"why"`
}

// Scale says how the time of a fit grows.
type Scale struct {
	// Time is proportional to the power of rows and of columns with these
	// exponents.
	ExponentN float64 `json:"exponent_n"`
	ExponentM float64 `json:"exponent_m"`
	// Threads2Over1 is the speed with two threads over that with one, and
	// Read2Over1 the same of plain reading, on the largest of Threads; nil with
	// a single core.
	Threads2Over1 *float64  `json:"threads_2_over_1"`
	Read2Over1    *float64  `json:"read_2_over_1"`
	Threads       []Threads `json:"threads,omitempty"`
	Points        []Point   `json:"points"`
}

// Threads compares two threads with one.
type Threads struct {
	N    int     `json:"n"`
	M    int     `json:"m"`
	Fit  float64 `json:"fit_2_over_1"`
	Read float64 `json:"read_2_over_1"`
}

// Point is the time of a fit.
type Point struct {
	N       int     `json:"n"`
	M       int     `json:"m"`
	Seconds float64 `json:"seconds"`
}

// Disk says what a fit of a table larger than the memory it may use has cost.
type Disk struct {
	// ReadBytesPerSecond is how fast the file is read plainly.
	ReadBytesPerSecond float64 `json:"read_bytes_per_second"`
	// Seconds is the time of the fit.
	Seconds           float64 `json:"seconds"`
	BytesReadOverFile float64 `json:"bytes_read_over_file"`
	PeakOverPromise   float64 `json:"peak_over_promise"`
	// InMemory says that the table was not larger than that and came into memory
	// as a whole, so that this is no fit out of core.
	InMemory bool `json:"in_memory,omitempty"`
	// OverRead is the time of the fit over the time it takes to read as many
	// bytes from the disk as it did; 0 if the table was in memory.
	OverRead float64 `json:"over_read,omitempty"`
}

// Command says what a whole command costs, from the file to the model.
type Command struct {
	Format string `json:"format"`
	N      int    `json:"n"`
	M      int    `json:"m"`
	// FileBytes is the size of the file, and PeakOverNumbers the peak of memory over that
	// of the numbers, at four bytes each; 0 where the system does not tell.
	FileBytes       int64   `json:"file_bytes"`
	PeakOverNumbers float64 `json:"peak_over_numbers"`
	// Seconds is the time of the command, of which Read is for reading.
	Seconds float64 `json:"seconds"`
	Read    float64 `json:"read"`
	// Readers is how long other programs take to read the file, by their names.
	Readers map[string]float64 `json:"readers"`
}

// OnDevice is how fast a GPU is, on tables that are made there.
type OnDevice struct {
	Name               string       `json:"name"`
	CopyBytesPerSecond float64      `json:"copy_bytes_per_second"` // read and written
	Passes             []DevicePass `json:"passes"`
	Steps              []DeviceStep `json:"steps"`
	Fits               []DeviceFit  `json:"fits"`
	FromHost           *HostFit     `json:"from_host"`
}

// DevicePass is a pass over a table, with the gradient added up.
type DevicePass struct {
	Storage        string  `json:"storage"`
	N              int64   `json:"n"`
	M              int     `json:"m"`
	BytesPerSecond float64 `json:"bytes_per_second"` // of the table, each counted once
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
	Memory  float64 `json:"memory"` // most that was in use on the device, over the size of the table
}

// HostFit is a whole fit of a table in memory, which it brings to the device, once devices are open.
type HostFit struct {
	N         int     `json:"n"`
	M         int     `json:"m"`
	K         int     `json:"k"`
	Seconds   float64 `json:"seconds"`
	Processor float64 `json:"processor"` // seconds by two threads
	Same      bool    `json:"same"`      // variables selected
}

// Watched says what it costs a fit to be looked at through its page while it works.
type Watched struct {
	N       int    `json:"n"`
	M       int    `json:"m"`
	K       string `json:"k"` // "open" where validation chooses it
	Repeats int    `json:"repeats"`
	// Seconds is the time of the fit without a page, and Over that with a page which somebody
	// looks at over that without. ProcessorOver is the same of the time of the processors for
	// the whole command, which others on the machine disturb less.
	Seconds       float64 `json:"seconds"`
	Over          float64 `json:"over"`
	ProcessorOver float64 `json:"processor_over"`
}

// OnGrid says what fits of a table cost that is spread over processes of this machine, one thread
// and one core each.
type OnGrid struct {
	N     int    `json:"n"`
	M     int    `json:"m"`
	K     int    `json:"k"`
	Batch string `json:"batch"`
	// Read is the rate of two readers of memory over that of one, in the same run.
	Read float64 `json:"read_2_over_1"`
	// Ways are one process of two threads without a grid, and grids.
	Ways []GridWay `json:"ways"`
}

// GridWay is one way to fit the table.
type GridWay struct {
	Grid    string `json:"grid"` // empty without
	Threads int    `json:"threads"`
	// Fit is the time of the whole fit and Descent that between its first and last epoch, in seconds.
	Fit     float64 `json:"seconds_fit"`
	Descent float64 `json:"seconds_descent"`
	// FitOver and DescentOver are the speed over that of a grid of one process.
	FitOver     float64 `json:"fit_over_one"`
	DescentOver float64 `json:"descent_over_one"`
	// Predicted is what [grid.Predict] says of the descent; 0 without a grid.
	Predicted float64 `json:"seconds_predicted,omitempty"`
	// Sent is how many bytes a process sends in a first epoch, by the formula that TestBytes of package grid checks.
	Sent float64 `json:"bytes_sent"`
	// PeakOverPart is the peak of memory of the first process over its part of the table.
	PeakOverPart float64 `json:"peak_over_part"`
}

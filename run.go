package fsa

import (
	"io"
	"time"

	"fsa/anneal"
	"fsa/internal/checkpoint"
	"fsa/internal/fit"
)

// Run describes where a fit runs, who observes it and when it ends. The zero value uses all cores
// and has no observers and no time limit.
type Run struct {
	// Threads is the number of threads; 0 means one per core. The model does not depend on it.
	Threads int
	// Device is where the descents run, one of [DeviceNames]: the processor, "cpu" or ""; another
	// device; or "auto", which takes a device if one is available and the table is large. Another
	// device may select other variables in close calls.
	Device string
	// DeviceMemory is the number of bytes that may be used on the device; 0 means all that are free.
	DeviceMemory int64
	// Discard says that the caller does not need the dataset any more. It may be overwritten, and
	// its memory is released while variables are dropped.
	Discard bool

	// Observe is called after every epoch.
	Observe func(Progress)
	// Step is called with the steps of cross-validation, and Count with the progress of other stages
	// without epochs, such as "half samples" of stability. Both are called by one thread at a time.
	Step  func(Step)
	Count func(stage string, done, total int)
	// Curve is called with the points of the curve of error against size while the folds of
	// cross-validation fill it. It is called by one thread at a time.
	Curve func(CurvePoint)

	// Stop is called after every epoch of the descent. Once it returns true, the K strongest
	// variables are kept and fitted, and the search ends. Nil means never. It does not stop
	// cross-validation. If several processes learn together, all of them need one, and that of
	// the first process decides.
	Stop func() bool
	// Deadline is when the fit has to end, if it is not zero. It then returns a model of the
	// strongest variables that are left, fitted to its optimum.
	Deadline time.Time
	// Record is the progress of an earlier fit of the same data with the same options, or empty.
	// The fit continues from it and adds its own progress. The model is the same to the last
	// byte. Nil keeps no record.
	Record *Record
	part   string // name of this fit in the record, if the record holds several
}

// Record is the progress of a fit; see [Run.Record]. The zero value is an empty record.
// It may be written while the fit runs.
type Record checkpoint.Record

// ErrRecord is wrapped by errors about a record: its file is damaged, or it belongs to another fit.
var ErrRecord = checkpoint.ErrFile

// ReadRecord reads a record that [Record.WriteTo] wrote.
func ReadRecord(r io.Reader) (*Record, error) {
	record, err := checkpoint.Read(r)
	return (*Record)(record), err
}

// WriteTo writes the current state of the record.
func (r *Record) WriteTo(w io.Writer) (int64, error) { return (*checkpoint.Record)(r).WriteTo(w) }

// Changes returns the number of changes so far. While it stays the same, there is nothing new to
// write.
func (r *Record) Changes() int { return (*checkpoint.Record)(r).Changes() }

// Values of Run.Device besides the names of devices.
const (
	DeviceCPU  = fit.DeviceCPU
	DeviceAuto = fit.DeviceAuto
)

// DeviceNames lists the values of Run.Device.
func DeviceNames() []string { return fit.DeviceNames() }

// Progress describes a fit after an epoch.
type Progress struct {
	anneal.Epoch
	Epochs int     // total number of epochs
	Passes float64 // reads of the whole table so far
	Done   float64 // approximate share of the work that is done
	// Variable returns the first variable of the dataset in group g of Epoch.Alive.
	Variable func(g int) int
}

// Step is a step of the comparison of recipes by cross-validation.
type Step struct {
	// Part is what is compared: recipes, interactions, sizes, improvements, swaps or smaller sizes.
	Part  string
	Share float64 // about what share of the part is done; it never decreases within the part
	Doing string  // what is tried, in words
}

// CurvePoint is a point of the curve of error against size. Folds fill it one by one.
type CurvePoint struct {
	First   bool   // first point of a new curve
	Measure string // the measure that is averaged
	Size    int    // number of variables; 0 is the null model
	Folds   int    // number of folds that are done
	Of      int    // number of all folds
	Mean    float64
	SE      float64 // standard error of the mean, as of one repeat; 0 with one fold
}

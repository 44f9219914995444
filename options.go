package fsa

import (
	"fmt"
	"io"
	"runtime"
	"time"

	"fsa/anneal"
	"fsa/data"
	"fsa/internal/checkpoint"
	"fsa/loss"
	"fsa/model"
)

// Options say what to select and how to learn. The zero value of every field is a good
// default.
type Options struct {
	// K is the number of variables to select; with Groups, of groups. Auto lets
	// cross-validation choose it among Sizes by the rule Choose.
	K int
	// Sizes are those that are compared where K is Auto, 0 being the null model; nil means
	// all up to 100, but for few rows.
	Sizes []int
	// Choose is the rule by which a size is chosen, one of [validate.RuleNames]; "" means
	// paired: the smallest size whose error is above the lowest by at most two standard
	// errors of the difference.
	Choose string
	// Measure names what is compared, one of [model.MeasureNames]; "" means the loss.
	Measure string
	// Folds is the number of folds of cross-validation; 0 means 10 where K is Auto, and
	// else as many as the choice of a ridge needs. Classes are spread evenly over folds;
	// rows of a query, and those of a group of [data.Target], stay together.
	Folds int
	// Repeats is how often rows are dealt into folds anew; 0 means once.
	Repeats int
	// Ordered says that rows stand in the order of time: folds learn from earlier rows only.
	Ordered bool
	// FoldOf gives the fold of each row, where folds are not to be dealt.
	FoldOf []float64
	// CrossValidate asks for cross-validation also where there is nothing to choose by it,
	// to say how good the model is on rows that it was not learned from. So do Measure,
	// Folds, Repeats, Ordered and FoldOf.
	CrossValidate bool

	// Calibrate makes probabilities come true: it fits those of out-of-fold decision
	// values, and gives them to losses that have none.
	Calibrate bool
	// Threshold says how the decision value is chosen, by out-of-fold ones, above which the
	// last of two classes is predicted: f1, balanced, or cost=FP:FN, where FP is what a false
	// positive costs and FN a false negative; "" means 0, which is a probability of one half.
	Threshold string
	// Stability is the number of complementary pairs of half samples on which is selected
	// and learned again, to say how sure the selection is; 0 means none.
	Stability int

	// LossName names the loss; [model.LossNames] lists them. "auto", also "", looks at
	// the response: queries mean rank, two values or texts logistic, more texts
	// multinomial, else squared.
	LossName string
	// Loss is a loss of your own. It is given the response as it stands.
	Loss loss.Loss
	// Huber is the half width h of the rounded corner of the svm loss; 0
	// means 0.5.
	Huber float64

	// Bins is the number of bins of a piecewise-linear response to each variable, and None
	// means linear responses. Auto compares lines with curves where a contest is held.
	Bins int
	// Spacing says how wide bins are; "auto" is the zero value.
	Spacing data.Spacing
	// Scale says how numbers are brought to a common scale; "auto" is the zero value.
	Scale data.Scale
	// Storage says in how many bits the numbers of a dense table are kept while
	// the model is learned, with linear responses. Fewer bits are faster where the
	// table is large, and may choose other variables. "float32" is the zero value.
	Storage data.Storage

	// Force names variables that must stay. They count among the K.
	Force []string
	// Groups lists variables that stay or go together; one that is not listed
	// is a group of its own.
	Groups [][]string

	// Positive names the one of two classes that is the positive one. Empty means the last
	// in the order of the alphabet, or the greater number.
	Positive string
	// ClassWeights multiplies the weights of the rows of a class, by its name.
	ClassWeights map[string]float64
	// Balanced gives every class the same weight in all.
	Balanced bool

	// Mu, Eta, Iterations, WarmUp, Momentum, Schedule and Tolerance are those of
	// [anneal.Settings]. What is Auto, the zero value, is decided by the data; [Plan] says
	// how. Momentum and Tolerance may be None.
	Mu         float64
	Eta        float64
	Iterations int
	WarmUp     int
	Momentum   float64
	Schedule   anneal.Schedule
	Tolerance  float64

	// Polish lets variables that were dropped compete once more with those
	// that were chosen, as long as that lowers the loss. It keeps the whole
	// table until then.
	Polish bool

	// Quick leaves out validation: nothing is chosen by rows that were not learned from. An
	// open size is chosen by an information criterion where the loss is a likelihood.
	Quick bool

	// Batch is the number of rows a step looks at, a minibatch, or AllRows; Auto means
	// all of them where there are few and a sample where there are many. With
	// minibatches, an epoch is one walk through all rows, cut into random samples.
	Batch int

	// Ridge is λ of the ridge penalty λ‖β‖² on the mean loss, or None; Auto lets the
	// data decide.
	Ridge float64
	// CurvePriors are the strengths of priors on piecewise-linear responses, by the
	// names of [prior.Curves].
	CurvePriors map[string]float64

	// Seed chooses the random order of rows, where there is one.
	Seed uint64
	// Threads is the number of threads; 0 means one a core. The model does
	// not depend on it.
	Threads int
	// Device is what the descents run on, one of [DeviceNames]: the processor, "cpu", also
	// "", another device, or "auto", which takes one if there is one and the table is
	// large. Another device may choose other variables where it is a close call.
	Device string
	// DeviceMemory is how many bytes may be used there; 0 means all that are free.
	DeviceMemory int64
	// Discard says that the dataset is not needed any more: what it holds may be
	// overwritten, and its memory is given back while variables are dropped.
	Discard bool
	// Observe is told of every epoch.
	Observe func(Progress)
	// Stop is asked after every epoch of the descent; once it says yes, the K strongest
	// variables are kept and learned, and nothing more is searched. Nil means never.
	// Cross-validation before it is not stopped. Where several processes learn together, all of them need
	// one, and that of the first decides.
	Stop func() bool
	// Count is told how much of a stage that has no epochs to tell of is done: "folds" of
	// cross-validation, "half samples" of stability. It is called by one thread at a time.
	Count func(stage string, done, total int)
	// Curve is told of the points of the curve of error against size while the folds of
	// cross-validation fill it. It is called by one thread at a time.
	Curve func(CurvePoint)
	// Record is what an earlier fit of the same data with the same options has done, or
	// empty: the fit goes on from it, and notes there what it does. The model is the same
	// to the last byte. Nil keeps none.
	Record *Record
	part   string // by which the record knows this fit, where it is one of several
	// Deadline is when the fit has to end, if it is not zero: then with a model of the
	// strongest variables that are left, learned to their optimum.
	Deadline time.Time
}

// Record is what a fit has done so far; see [Options.Record]. The zero value is an empty one.
// It may be written while the fit works.
type Record checkpoint.Record

// ErrRecord is wrapped by errors that blame a record: its file, or that it is not one of this fit.
var ErrRecord = checkpoint.ErrFile

// ReadRecord reads what [Record.WriteTo] has written.
func ReadRecord(r io.Reader) (*Record, error) {
	record, err := checkpoint.Read(r)
	return (*Record)(record), err
}

// WriteTo writes the record as it is now.
func (r *Record) WriteTo(w io.Writer) (int64, error) { return (*checkpoint.Record)(r).WriteTo(w) }

// Changes counts how often something was noted: while it stays the same, there is nothing
// new to write.
func (r *Record) Changes() int { return (*checkpoint.Record)(r).Changes() }

// Auto is the zero value of every setting that the data may decide. None switches off
// Ridge, Momentum or Tolerance, and a Batch of AllRows lets every step look at all rows.
const (
	Auto    = 0
	None    = -1
	AllRows = -1
)

// defaultRule chooses an open size out of fold, and quickRule without folds
// (evidence.md#the-size).
const (
	defaultRule = "paired"
	quickRule   = "ebic"
)

// Progress is what is known after an epoch.
type Progress struct {
	anneal.Epoch
	Epochs int     // in all
	Passes float64 // reads of the whole table so far
	Done   float64 // share of the work that is done, about
	// Variable returns the variable of the dataset that group g of
	// Epoch.Alive stands for, the first one if there are several.
	Variable func(g int) int
}

// CurvePoint is a point of the curve of error against size, as far as folds have filled it.
type CurvePoint struct {
	First   bool   // the first one of another curve
	Measure string // what the mean is of
	Size    int    // number of variables; 0 is the null model
	Folds   int    // that have learned this size,
	Of      int    // of all of them
	Mean    float64
	SE      float64 // standard error of the mean, as of one repeat; 0 with one fold
}

// ErrOptions is wrapped by errors that blame the options.
var ErrOptions = model.ErrOptions

func optionError(format string, a ...any) error {
	return fmt.Errorf("%w: %s", ErrOptions, fmt.Sprintf(format, a...))
}

// MaxIterations bounds Options.Iterations and WarmUp.
const MaxIterations = 10_000_000

// asksValidation reports whether somebody wants to know what cross-validation says, even
// if there is nothing to choose by it.
func (o *Options) asksValidation() bool {
	return o.CrossValidate || o.Calibrate || o.Threshold != "" || o.Measure != "" || o.Folds > 0 || o.Repeats > 0 || o.Ordered || o.FoldOf != nil
}

// plain returns the options with zero values in the place of their names.
func (o Options) plain() Options {
	o.Spacing, o.Scale, o.Storage = o.Spacing.Plain(), o.Scale.Plain(), o.Storage.Plain()
	return o
}

// withDefaults fills in what can be without the data.
func (o Options) withDefaults() Options {
	o = o.plain()
	if o.Threads == 0 {
		o.Threads = runtime.GOMAXPROCS(0)
	}
	return o
}

package cuda

import (
	"fsa/anneal"
	"fsa/internal/objective"
)

// Objective is an objective of package objective whose data are on a device.
type Objective struct {
	d     *Device
	table *table // present table, perhaps compacted
	owned bool   // not used by other objectives
	// stream is the source of the rows while the table is not on the device; otherwise it is nil.
	stream *stream
	meter  *objective.Meter

	order   pointer // rows in the order of the batches; 0 if they are stored in that order
	y, w    pointer // targets and weights of the rows; a w of 0 means weights of 1
	batches []batch
	final   int
	cells   float64 // cells of the whole table

	kind        int32
	huber, bend float64 // bend: bound on the second derivative of the loss
	outputs     int
	ridge       float64
	free        int
	offset      bool // columns have offsets

	layout    anneal.Layout
	groups    int
	first     []int32 // index of the first column of each group, and the number of columns; nil if each group has one
	column    []int32 // index of each column among the coefficients of the table
	vars      int     // number of active variables of the table
	ranks     []float64
	alive     []int // original numbers of the active groups; nil while all are active
	now, next vectors
	trail     pointer
	grad      pointer
	direction pointer // vector of power iterations, or coefficients of Eval
	strength  pointer
	list      pointer
	spans     pointer // copy of first on the device, if groups have several columns
	scaled    bool    // whether b and the constant agree with the coefficients
	taken     int     // number of steps of the last epoch
	power     anneal.Power
	momentum  bool
	wasted    float64 // passes over dropped columns since the table was compacted

	work  work
	stats []float64 // buffer for statistics of the device
}

// batch is a range of rows in the order of the batches.
type batch struct {
	first, rows int64
	weight      float64
	sample      sample
}

// sample describes the rows of a batch on which the Hessian bound is measured.
type sample struct {
	every, rows int64
	weight      float64
}

// vectors holds the vectors that are compacted when groups are dropped.
type vectors struct{ beta, velocity, scale, offset, rank, column pointer }

// work holds the buffers and the plans of passes.
type work struct {
	plans    map[int64]passPlan // plan of a pass, by its number of rows
	b        pointer            // scaled coefficients
	constant pointer
	g        pointer
	slope    pointer
	loss     pointer // parts of the loss, followed by the statistics of an update
	z, r     pointer
	pace     pointer // counter of the clusters
	updates  int     // blocks of an update
	losses   int     // parts of the loss
	short    shortWork
}

// shortWork is what the kernel of short steps needs.
type shortWork struct {
	kernel     string // empty if steps are not short
	shape      shape
	list, told pointer
}

var (
	_ anneal.Resident = (*Objective)(nil)
	_ anneal.Curved   = (*Objective)(nil)

	_ objective.Device    = (*Device)(nil)
	_ objective.Refinable = (*Objective)(nil)
)

func (v *vectors) all() []pointer {
	return []pointer{v.beta, v.velocity, v.scale, v.offset, v.rank, v.column}
}

// join makes one batch of all rows.
func (o *Objective) join() {
	var all batch
	for _, b := range o.batches {
		all.rows += b.rows
		all.weight += b.weight
	}
	all.sample = sample{every: 1, rows: all.rows, weight: all.weight}
	o.batches = []batch{all}
}

// Layout implements [anneal.Objective].
func (o *Objective) Layout() anneal.Layout { return o.layout }

// Batches implements [anneal.Objective].
func (o *Objective) Batches() int { return len(o.batches) }

// Close frees the memory of the objective.
func (o *Objective) Close() {
	o.d.Lock()
	defer o.d.Unlock()
	o.close()
}

func (o *Objective) close() {
	d := o.d
	if o.stream != nil {
		o.stream.stop(d)
	}
	o.unprepare()
	o.leave()
	d.drop(o.order, o.y, o.w, o.trail, o.grad, o.direction, o.strength, o.list, o.spans)
	d.drop(o.now.all()...)
	d.drop(o.next.all()...)
	*o = Objective{d: d}
}

// leave stops using the table, which other objectives may still use.
func (o *Objective) leave() {
	switch {
	case o.table == nil:
	case o.owned:
		o.d.drop(o.table.x)
		if o.table.sparse != nil {
			o.d.drop(o.table.sparse.args.all()...)
		}
	default:
		o.table.users--
	}
}

func (o *Objective) unprepare() {
	w := &o.work
	o.d.drop(w.b, w.constant, w.g, w.slope, w.loss, w.z, w.r, w.pace, w.short.list, w.short.told)
	*w = work{}
}

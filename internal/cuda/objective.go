package cuda

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"fsa/anneal"
	"fsa/internal/objective"
	"fsa/loss"
)

// Objective is an objective of package objective whose numbers are on a device.
type Objective struct {
	d     *Device
	table *table // as it is now
	owned bool   // nobody else uses it
	// stream is where rows come from while the table is not on the device; else nil.
	stream *stream
	meter  *objective.Meter

	order   pointer // of the rows, batch after batch; 0 if they are in that order
	y, w    pointer // by the number of a row; a w of 0 means weights of 1
	batches []batch
	final   int
	cells   float64 // of the whole table

	kind        int32
	huber, bend float64 // bend: bound on the second derivative of the loss
	outputs     int
	ridge       float64
	free        int
	offset      bool // columns have one

	layout    anneal.Layout
	groups    int
	first     []int32 // where the columns of each group begin, and their number; nil if each has one
	column    []int32 // where the coefficients of each are among those of the table
	vars      int     // variables of the table that live
	ranks     []float64
	alive     []int // original numbers; nil while none is gone
	now, next vectors
	trail     pointer
	grad      pointer
	direction pointer // of power iterations, and coefficients of Eval
	strength  pointer
	list      pointer
	spans     pointer // first, where groups have several columns
	scaled    bool    // b and the constant are those of the coefficients
	taken     int     // steps of the last epoch
	power     anneal.Power
	momentum  bool
	wasted    float64 // passes over dead columns since the table was compacted

	work  work
	stats []float64 // room to download them
}

// batch is some rows, by their place in the order.
type batch struct {
	first, rows int64
	weight      float64
	sample      sample
}

// sample is rows of a batch that the Hessian bound is measured on.
type sample struct {
	every, rows int64
	weight      float64
}

// vectors are those that shrink with the groups.
type vectors struct{ beta, velocity, scale, offset, rank, column pointer }

// work is room for a pass, and how it is done.
type work struct {
	ways     map[int64]way // by the number of rows
	b        pointer       // scaled coefficients
	constant pointer
	g        pointer
	slope    pointer
	loss     pointer // parts of the loss, and behind them what an update says
	z, r     pointer
	pace     pointer // what clusters count
	updates  int     // blocks of an update
	losses   int     // parts of the loss
	short    shortWork
}

var (
	_ anneal.Resident = (*Objective)(nil)
	_ anneal.Curved   = (*Objective)(nil)

	_ objective.Device    = (*Device)(nil)
	_ objective.Refinable = (*Objective)(nil)
)

// kindOf returns the number of a loss, the width of its corner and the bound on its second
// derivative.
func kindOf(l loss.Loss) (kind int32, huber, bend float64, err error) {
	d := make([]float64, 1)
	l.Curvature(d, loss.Target{Y: []float64{1}})
	switch l := l.(type) {
	case loss.Squared:
		return kindSquared, 0, d[0], nil
	case loss.Logistic:
		return kindLogistic, 0, d[0], nil
	case loss.Huber:
		return kindHuber, cmp.Or(l.Delta, 1), d[0], nil
	case loss.SVM:
		return kindSVM, 1 / (2 * d[0]), d[0], nil
	case loss.Lorenz:
		return kindLorenz, 0, d[0], nil
	case loss.Multinomial:
		return kindMultinomial, 0, d[0], nil
	default:
		return 0, 0, 0, fmt.Errorf("%w: the loss %T has no kernel", ErrUnsupported, l)
	}
}

// Place brings an objective that was not used yet to the device. Close gives back what it
// takes there.
func (d *Device) Place(ctx context.Context, ob *objective.Objective) (objective.Placed, error) {
	o, err := d.objective(ctx, ob)
	if err != nil {
		return nil, err
	}
	return o, nil
}

func (d *Device) objective(ctx context.Context, ob *objective.Objective) (*Objective, error) {
	p, err := ob.Parts()
	if err == nil {
		err = ob.Numbers()
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %v", ErrUnsupported, err)
	}
	d.Lock()
	defer d.Unlock()
	if x, ok := p.X.(listed); ok {
		d.forget()
		return d.sparse(ctx, &p, x)
	}
	o, err := d.resident(ctx, &p)
	if errors.Is(err, ErrMemory) {
		d.forget()
		o, err = d.streamed(ctx, &p)
	}
	return o, err
}

// newObjective returns one that has no table yet.
func (d *Device) newObjective(p *objective.Parts) (*Objective, error) {
	o := &Objective{d: d, final: p.Final, ridge: p.Ridge, free: p.Free, outputs: p.Loss.Outputs(), meter: p.Meter}
	var err error
	o.kind, o.huber, o.bend, err = kindOf(p.Loss)
	return o, err
}

// resident returns an objective whose table is on the device.
func (d *Device) resident(ctx context.Context, p *objective.Parts) (*Objective, error) {
	o, err := d.newObjective(p)
	if err != nil {
		return nil, err
	}
	if o.table, err = d.table(ctx, p.X); err != nil {
		return nil, err
	}
	o.table.users++
	if err = o.begun(p, o.table.places(p.X.Widths(), p.Columns)); err == nil {
		err = o.prepare()
	}
	if err != nil {
		o.close()
		return nil, err
	}
	return o, nil
}

// begun makes an objective with a table ready for use.
func (o *Objective) begun(p *objective.Parts, places []int32) error {
	o.cells = float64(o.table.rows) * float64(o.table.cols)
	o.number(p, places)
	return o.place(p)
}

// place uploads what belongs to rows and columns.
func (o *Objective) place(p *objective.Parts) error {
	d := o.d
	order, err := o.deal(p), error(nil)
	if o.stream != nil {
		o.stream.order = order
	} else if s := o.table.sparse; s != nil {
		s.order = order
		if err := o.placeRows(p, order); err != nil {
			return err
		}
		if err := o.orderRows(); err != nil {
			return err
		}
	} else if err := o.placeRows(p, order); err != nil {
		return err
	}
	scale := make([]float64, len(o.column))
	var offset []float64
	if o.offset = p.Offset != nil; o.offset {
		offset = make([]float64, len(o.column))
	}
	for j, v := range p.Columns {
		scale[j] = p.Scale[v]
		if o.offset {
			offset[j] = p.Offset[v]
		}
	}
	for _, v := range []*vectors{&o.now, &o.next} {
		if err := v.make(o); err != nil {
			return err
		}
	}
	n := int64(o.layout.Len())
	for _, p := range []*pointer{&o.trail, &o.grad, &o.direction, &o.strength} {
		if *p, err = d.make(max(n, int64(o.groups)), 8); err != nil {
			return err
		}
	}
	if o.list, err = d.make(int64(max(o.groups, len(o.column))), 4); err != nil {
		return err
	}
	if o.first != nil {
		if o.spans, err = copied(d, o.first); err != nil {
			return err
		}
	}
	for to, from := range map[pointer][]byte{o.now.scale: bytesOf(scale), o.now.column: bytesOf(o.column), o.now.offset: bytesOf(offset)} {
		if err := d.upload(to, from); err != nil {
			return err
		}
	}
	return nil
}

// placeRows uploads what belongs to rows of a table that is on the device.
func (o *Objective) placeRows(p *objective.Parts, order []int32) (err error) {
	if o.y == 0 {
		if o.y, err = copied(o.d, p.Y); err != nil {
			return err
		}
	}
	if p.Weight != nil {
		if o.w, err = copied(o.d, p.Weight); err != nil {
			return err
		}
	}
	if order != nil {
		o.order, err = copied(o.d, order)
	}
	return err
}

func (v *vectors) make(o *Objective) error {
	n, m := int64(o.layout.Len()), int64(len(o.column))
	for _, p := range []struct {
		to    *pointer
		count int64
		size  int
	}{{&v.beta, n, 8}, {&v.velocity, n, 8}, {&v.scale, m, 8}, {&v.offset, m, 8}, {&v.rank, int64(o.groups), 8}, {&v.column, m, 4}} {
		var err error
		if *p.to, err = o.d.make(p.count, p.size); err != nil {
			return err
		}
	}
	return nil
}

func (v *vectors) all() []pointer {
	return []pointer{v.beta, v.velocity, v.scale, v.offset, v.rank, v.column}
}

// deal lists the rows of the batches, in order. It returns nil if they stand so.
func (o *Objective) deal(p *objective.Parts) []int32 {
	weightOf := func(i int) float64 {
		if p.Weight == nil {
			return 1
		}
		return p.Weight[i]
	}
	sorted, count := true, 0
	for _, runs := range p.Batches {
		b := batch{first: int64(count)}
		for _, run := range runs {
			sorted = sorted && run[0] == count
			count += run[1] - run[0]
			for i := run[0]; i < run[1]; i++ {
				b.weight += weightOf(i)
			}
		}
		b.rows = int64(count) - b.first
		b.sample = sample{every: 1, rows: b.rows, weight: b.weight}
		o.batches = append(o.batches, b)
	}
	if len(o.batches) == 1 && o.table.sparse == nil {
		o.batches[0].sample = o.sampled(o.batches[0], weightOf)
	}
	if sorted {
		return nil
	}
	order := make([]int32, 0, count)
	for _, runs := range p.Batches {
		for _, run := range runs {
			for i := run[0]; i < run[1]; i++ {
				order = append(order, int32(i))
			}
		}
	}
	return order
}

// The Hessian bound of a table of more than so many cells is measured on a sample, one
// row in curvedShare at least.
const (
	curvedCells = 1 << 30
	curvedShare = 8
)

// sampled returns the sample of a batch of all rows.
func (o *Objective) sampled(b batch, weightOf func(i int) float64) sample {
	s := sample{every: min(max(int64(o.cells)/curvedCells, 1), curvedShare)}
	s.rows = (b.rows + s.every - 1) / s.every
	for i := int64(0); i < b.rows; i += s.every {
		s.weight += weightOf(int(b.first + i))
	}
	return s
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

// Close gives back the memory of the objective.
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

// leave gives the table up, which others may still use.
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

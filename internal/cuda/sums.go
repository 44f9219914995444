package cuda

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"fsa/internal/objective"
)

// mostUpdates is how many blocks an update has for each multiprocessor, at most.
const mostUpdates = 2

// prepare makes room for passes over the table as it is, and chooses how they are done.
func (o *Objective) prepare() error {
	d, w := o.d, &o.work
	o.unprepare()
	*w = work{ways: map[int64]way{}}
	w.updates = max(min((len(o.column)*o.outputs+31)/32, mostUpdates*d.info().Multiprocessors), 1)
	parts, slopes, chunk, margins := 1, 1, int64(1), int64(1)
	total := int64(0)
	for _, b := range o.batches {
		total += b.rows
		for _, rows := range []int64{b.rows, b.sample.rows} {
			if err := o.plan(rows, &parts, &slopes, &chunk, &margins); err != nil {
				return err
			}
		}
	}
	if err := o.plan(total, &parts, &slopes, &chunk, &margins); err != nil { // once batches are joined
		return err
	}
	w.losses = slopes
	width := o.table.width()
	for _, p := range []struct {
		to    *pointer
		count int64
		size  int
	}{
		{&w.b, int64(o.outputs) * width, 4}, {&w.constant, int64(w.updates * o.outputs), 8},
		{&w.g, int64(parts*o.outputs) * width, 4}, {&w.slope, int64(slopes * o.outputs), 8},
		{&w.loss, int64(w.losses + 3*w.updates), 8}, {&w.z, margins * int64(o.outputs), 4}, {&w.r, chunk * int64(o.outputs), 4}, {&w.pace, 1, 4},
	} {
		var err error
		if *p.to, err = d.make(p.count, p.size); err != nil {
			return err
		}
	}
	o.scaled = false
	if err := d.zero(w.b, int64(o.outputs)*width*4); err != nil {
		return err
	}
	return o.prepareShort()
}

// plan chooses how to pass over so many rows, and notes what room that takes.
func (o *Objective) plan(rows int64, parts, slopes *int, chunk, margins *int64) error {
	if o.stream != nil {
		rows = min(rows, o.stream.rows)
	}
	if _, ok := o.work.ways[rows]; ok {
		return nil
	}
	way, err := o.d.wayOf(o.table, o.outputs, rows)
	if err != nil {
		return err
	}
	o.work.ways[rows] = way
	g, s := way.parts()
	*parts, *slopes = max(*parts, g), max(*slopes, s)
	*chunk, *margins = max(*chunk, way.chunk), max(*margins, way.chunk*int64(way.strips))
	return nil
}

func (o *Objective) unprepare() {
	w := &o.work
	o.d.drop(w.b, w.constant, w.g, w.slope, w.loss, w.z, w.r, w.pace, w.short.list, w.short.told)
	*w = work{}
}

// begin sets all statistics to zero.
func (o *Objective) begin() error {
	return o.d.zero(o.work.loss, int64(o.work.losses+3*o.work.updates)*8)
}

// told is what kernels have told since begin.
type told struct {
	sum            float64 // of the loss, with the priors
	moved, largest float64
}

// told waits for the kernels.
func (o *Objective) told() (told, error) {
	n := o.work.losses + 3*o.work.updates
	if cap(o.stats) < n {
		o.stats = make([]float64, n)
	}
	s := o.stats[:n]
	if err := o.d.download(bytesOf(s), o.work.loss); err != nil {
		return told{}, err
	}
	var t told
	for _, v := range s[:o.work.losses] {
		t.sum += v
	}
	for b := s[o.work.losses:]; len(b) > 0; b = b[3:] {
		t.sum += b[0]
		t.moved, t.largest = math.Max(t.moved, b[1]), max(t.largest, b[2]) // NaN stays
	}
	return t, nil
}

// run starts a pass over some rows of the order.
func (o *Objective) run(ctx context.Context, first, rows, every int64, kind int32) (*way, error) {
	o.count(rows)
	if o.stream != nil {
		return o.stream.pass(ctx, o, first, rows, every, kind)
	}
	if o.table.sparse != nil {
		return o.table.sparse.pass(o, first, rows, kind)
	}
	way := o.work.ways[rows]
	return &way, o.d.pass(&way, o.passArgs(first, rows, every, kind))
}

// count notes that so many rows are read.
func (o *Objective) count(rows int64) {
	o.meter.Cells += float64(rows) * float64(o.table.cols) * o.table.share()
	o.wasted += float64(rows) / float64(max(o.table.rows, 1)) * float64(o.table.cols-o.vars) / float64(o.table.cols)
}

func (o *Objective) passArgs(first, rows, every int64, kind int32) passArgs {
	w := &o.work
	return passArgs{
		X: o.table.x, Order: o.order, Y: o.y, W: o.w, B: w.b, Constant: w.constant, G: w.g, Slope: w.slope, Loss: w.loss, Z: w.z, R: w.r, Pace: w.pace,
		First: first, Rows: rows, Every: every, Stride: o.table.stride, Width: o.table.width(), Huber: o.huber, Bend: o.bend,
		Knots: int32(o.table.knots), Bins: int32(o.table.bins), Digits: int32(o.table.digits),
		Kind: kind, Outputs: int32(o.outputs), Constants: int32(w.updates), Values: 1,
	}
}

// updateArgs completes the arguments of an update after rows of some weight.
func (o *Objective) updateArgs(a updateArgs, weight float64) updateArgs {
	w := &o.work
	a.Scale, a.Column, a.B, a.Constant, a.G, a.Slope = o.now.scale, o.now.column, w.b, w.constant, w.g, w.slope
	if o.offset {
		a.Offset = o.now.offset
	}
	a.Grad, a.Trail, a.Stats = o.grad, o.trail, w.loss+pointer(8*w.losses)
	a.Stride, a.Ridge = o.table.width(), 2*o.ridge*weight
	a.Groups, a.Outputs, a.Free = int32(len(o.column)), int32(o.outputs), int32(o.free)
	return a
}

// update starts what follows a pass, for coefficients of which only those of the descent
// have a velocity.
func (o *Objective) update(a updateArgs, weight float64, after *way) error {
	a = o.updateArgs(a, weight)
	if after != nil {
		parts, slopes := after.parts()
		a.Parts, a.Slopes = int32(parts), int32(slopes)
		a.Flags |= updateGradient
	}
	return o.d.launch("vector", "update", shape{grid: [3]int{o.work.updates}, block: 256}, &a)
}

// scale makes b and the constant those of the coefficients.
func (o *Objective) scale() error {
	if o.scaled {
		return nil
	}
	o.scaled = true
	return o.update(updateArgs{Beta: o.now.beta}, 0, nil)
}

// Eval implements [anneal.Objective].
func (o *Objective) Eval(ctx context.Context, batch int, grad, beta []float64) (sum, weight float64, err error) {
	o.d.Lock()
	defer o.d.Unlock()
	b := o.batches[batch]
	t, err := o.at(ctx, grad, beta, b.first, b.rows, 1, o.kind, b.weight)
	return t.sum, b.weight, err
}

// Curvature implements [anneal.Curved].
func (o *Objective) Curvature(ctx context.Context, batch int, dst, v []float64) (float64, error) {
	o.d.Lock()
	defer o.d.Unlock()
	b := o.batches[batch]
	s := b.sample
	_, err := o.at(ctx, dst, v, b.first, s.rows, s.every, kindBend, s.weight)
	return s.weight, err
}

// mostJitter is what may be added to the diagonal of a Hessian, as a share of its largest number: products are sums of
// float32, so that collinear columns may look as if they curved the other way.
const mostJitter = 1e-5

// Hessian implements [objective.Refinable].
func (o *Objective) Hessian(ctx context.Context) (*mat.Cholesky, bool, error) {
	return objective.Hessian(ctx, o, mostJitter)
}

// at sets grad to the gradient at coefficients that are not those of the descent.
func (o *Objective) at(ctx context.Context, grad, beta []float64, first, rows, every int64, kind int32, weight float64) (told, error) {
	if err := o.ready(ctx); err != nil {
		return told{}, err
	}
	if err := o.d.upload(o.direction, bytesOf(o.there(beta))); err != nil {
		return told{}, err
	}
	if err := o.bendOrEval(ctx, first, rows, every, kind, weight); err != nil {
		return told{}, err
	}
	if err := o.d.download(bytesOf(grad), o.grad); err != nil {
		return told{}, err
	}
	o.here(grad)
	return o.told()
}

// bendOrEval leaves the gradient at o.direction, or Hv of it, in o.grad.
func (o *Objective) bendOrEval(ctx context.Context, first, rows, every int64, kind int32, weight float64) error {
	o.scaled = false
	if err := o.update(updateArgs{Beta: o.direction}, 0, nil); err != nil {
		return err
	}
	if err := o.begin(); err != nil {
		return err
	}
	way, err := o.run(ctx, first, rows, every, kind)
	if err != nil {
		return err
	}
	return o.update(updateArgs{Beta: o.direction, Flags: updateSave}, weight, way)
}

// ready compacts the table if it is time.
func (o *Objective) ready(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return o.compact(ctx)
}

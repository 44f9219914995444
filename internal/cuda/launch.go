package cuda

// told holds the statistics that the kernels computed since begin.
type told struct {
	sum            float64 // loss with the priors
	moved, largest float64
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

// updateArgs completes the arguments of an update after a pass over rows of the given weight.
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

// count adds the cells of a pass to the meter.
func (o *Objective) count(rows int64) {
	o.meter.Cells += float64(rows) * float64(o.table.cols) * o.table.share()
	o.wasted += float64(rows) / float64(max(o.table.rows, 1)) * float64(o.table.cols-o.vars) / float64(o.table.cols)
}

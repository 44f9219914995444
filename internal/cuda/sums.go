package cuda

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"fsa/internal/objective"
)

// begin sets all statistics to zero.
func (o *Objective) begin() error {
	return o.d.zero(o.work.loss, int64(o.work.losses+3*o.work.updates)*8)
}

// told waits for the kernels and returns their statistics.
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
func (o *Objective) run(ctx context.Context, first, rows, every int64, kind int32) (*passPlan, error) {
	o.count(rows)
	if o.stream != nil {
		return o.stream.pass(ctx, o, first, rows, every, kind)
	}
	if o.table.sparse != nil {
		return o.table.sparse.pass(o, first, rows, kind)
	}
	passPlan := o.work.plans[rows]
	return &passPlan, o.d.pass(&passPlan, o.passArgs(first, rows, every, kind))
}

// update starts the update after a pass; coefficients other than those of the descent have no
// velocity.
func (o *Objective) update(a updateArgs, weight float64, after *passPlan) error {
	a = o.updateArgs(a, weight)
	if after != nil {
		parts, slopes := after.parts()
		a.Parts, a.Slopes = int32(parts), int32(slopes)
		a.Flags |= updateGradient
	}
	return o.d.launch("vector", "update", shape{grid: [3]int{o.work.updates}, block: 256}, &a)
}

// scale computes b and the constant from the coefficients.
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

// mostJitter bounds what may be added to the diagonal of a Hessian, as a share of its largest
// number: products are sums of float32, so the Hessian of collinear columns may appear to have
// negative curvature.
const mostJitter = 1e-5

// Hessian implements [objective.Refinable].
func (o *Objective) Hessian(ctx context.Context) (*mat.Cholesky, bool, error) {
	return objective.Hessian(ctx, o, mostJitter)
}

// at sets grad to the gradient at coefficients other than those of the descent.
func (o *Objective) at(ctx context.Context, grad, beta []float64, first, rows, every int64, kind int32, weight float64) (told, error) {
	if err := o.ready(ctx); err != nil {
		return told{}, err
	}
	if err := o.d.upload(o.direction, bytesOf(o.toDevice(beta))); err != nil {
		return told{}, err
	}
	if err := o.bendOrEval(ctx, first, rows, every, kind, weight); err != nil {
		return told{}, err
	}
	if err := o.d.download(bytesOf(grad), o.grad); err != nil {
		return told{}, err
	}
	o.fromDevice(grad)
	return o.told()
}

// bendOrEval stores the gradient at o.direction, or Hv of it, in o.grad.
func (o *Objective) bendOrEval(ctx context.Context, first, rows, every int64, kind int32, weight float64) error {
	o.scaled = false
	if err := o.update(updateArgs{Beta: o.direction}, 0, nil); err != nil {
		return err
	}
	if err := o.begin(); err != nil {
		return err
	}
	passPlan, err := o.run(ctx, first, rows, every, kind)
	if err != nil {
		return err
	}
	return o.update(updateArgs{Beta: o.direction, Flags: updateSave}, weight, passPlan)
}

// ready compacts the table if this is due.
func (o *Objective) ready(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return o.compact(ctx)
}

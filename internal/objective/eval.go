package objective

import (
	"context"

	"fsa/anneal"
	"fsa/internal/matrix"
	"fsa/prior"
)

var _ anneal.Curved = (*Objective)(nil)

// Layout implements [anneal.Objective].
func (ob *Objective) Layout() anneal.Layout { return ob.layout }

// Batches implements [anneal.Objective].
func (ob *Objective) Batches() int { return len(ob.rows.parts) }

// Keep implements [anneal.Objective]. Dropped columns stay in storage for a while; see compact.
func (ob *Objective) Keep(ctx context.Context, list []int) error {
	if ob.pending != nil {
		return ob.lay(ctx, list)
	}
	ob.keep(list)
	ob.join()
	return nil
}

// Eval implements [anneal.Objective].
func (ob *Objective) Eval(ctx context.Context, batch int, grad, beta []float64) (sum, weight float64, err error) {
	return ob.eval(ctx, batch, grad, beta, ob.ridge)
}

// Mean returns the mean of the objective over all rows.
func (ob *Objective) Mean(ctx context.Context, beta []float64) (float64, error) {
	sum, weight, err := ob.Eval(ctx, 0, make([]float64, len(beta)), beta)
	return sum / weight, err
}

// MeanWithoutRidge returns the mean of the objective without the ridge penalty.
func (ob *Objective) MeanWithoutRidge(ctx context.Context, beta []float64) (float64, error) {
	sum, weight, err := ob.eval(ctx, 0, make([]float64, len(beta)), beta, prior.Ridge{})
	return sum / weight, err
}

func (ob *Objective) eval(ctx context.Context, batch int, grad, beta []float64, ridge prior.Ridge) (float64, float64, error) {
	if err := ob.compact(ctx); err != nil {
		return 0, 0, err
	}
	s, err := ob.sum(ctx, ob.shards(batch), ob.gradient(ob.scatter(beta)))
	if err != nil {
		return 0, 0, err
	}
	return ob.gradientAt(grad, beta, s, ridge), s.weight, nil
}

// gradient returns the model whose sums give the gradient. constant is added to the margins.
func (ob *Objective) gradient(constant []float64) model {
	return model{ob, constant, func(w *worker, b span) (float64, float64) { return ob.loss.Eval(w.r, w.z, ob.rows.target(b)) }}
}

// gradientAt sets grad to the gradient at beta, given the sums over rows, and returns the value at beta.
func (ob *Objective) gradientAt(grad, beta []float64, s *sums, ridge prior.Ridge) float64 {
	ob.gather(grad, s)
	return s.sum + s.weight*ob.addPriors(grad, beta, s.weight, ridge)
}

// addPriors adds scale times the gradient of the priors and returns their value.
func (ob *Objective) addPriors(grad, beta []float64, scale float64, ridge prior.Ridge) float64 {
	end := len(beta) - ob.layout.Free
	value := 0.0
	if ridge.Lambda > 0 {
		value = ridge.Eval(grad[:end], beta[:end], scale)
	}
	if len(ob.curve) > 0 && ob.bins > 0 {
		knots := ob.bins + 1
		ob.each(func(v, _, at, _, _ int) {
			if v < ob.numbers {
				value += ob.curve.Eval(grad[at:at+knots], beta[at:at+knots], scale)
			}
		})
	}
	ob.categories(func(at int, p prior.Ridge) {
		value += p.Eval(grad[at:at+1], beta[at:at+1], scale)
	})
	return value
}

// Curvature implements [anneal.Curved]. It uses a sample of the rows of a large table: the curvature of
// fewer rows is rather larger than that of all rows.
func (ob *Objective) Curvature(ctx context.Context, batch int, dst, v []float64) (float64, error) {
	if err := ob.compact(ctx); err != nil {
		return 0, err
	}
	s, err := ob.sum(ctx, ob.sample(batch), ob.bound(ob.scatter(v)))
	if err != nil {
		return 0, err
	}
	ob.bent(dst, v, s)
	return s.weight, nil
}

// sample returns the shards from which the Hessian bound is computed.
func (ob *Objective) sample(batch int) []shard {
	shards := ob.shards(batch)
	switch {
	case len(ob.rows.parts) > 1:
		return shards
	case ob.rows.together():
		if ob.apart == nil {
			apart := *ob.rows
			apart.query = nil
			ob.apart = apart.shards(shardRows(ob.x), ob.x.BlockRows())[0]
		}
		shards = ob.apart
	}
	return every(min(max(ob.x.Cells()/curvedCells, 1), curvedShare), shards)
}

// bound returns the model whose sums give the Hessian bound times a vector. constant is added to the
// margins.
func (ob *Objective) bound(constant []float64) model {
	steep := ob.together()
	return model{ob, constant, func(w *worker, b span) (float64, float64) {
		var weight float64
		if steep == nil {
			weight = ob.loss.Curvature(w.d, ob.rows.target(b))
		} else {
			copy(w.d, steep.d[b.lo:b.hi])
			weight = steep.of(b)
		}
		for c := range ob.outputs {
			for i, d := range w.d {
				w.r[c*len(w.d)+i] = d * w.z[c*len(w.d)+i]
			}
		}
		return 0, weight
	}}
}

// together returns the Hessian bound of all rows if the loss compares rows of the whole table, which are then one block. The
// bound does not depend on the margins, so it is computed once, and products with it need neither all rows nor one block.
func (ob *Objective) together() *steepness {
	if ob.steep == nil && ob.rows.together() {
		ob.steep = &steepness{d: make([]float64, len(ob.rows.y))}
		ob.steep.total = ob.loss.Curvature(ob.steep.d, ob.rows.target(span{0, len(ob.rows.y)}))
		for _, v := range ob.steep.d {
			ob.steep.sum += v
		}
	}
	return ob.steep
}

// bent sets dst to the Hessian bound times v, given the sums over rows.
func (ob *Objective) bent(dst, v []float64, s *sums) {
	ob.gather(dst, s)
	bound := ob.ridge.Curvature()
	if ob.bins > 0 {
		bound += ob.curve.Curvature()
	}
	for i := range len(dst) - ob.layout.Free {
		dst[i] += s.weight * bound * v[i]
	}
	ob.categories(func(at int, p prior.Ridge) { dst[at] += s.weight * p.Curvature() * v[at] })
}

// every returns list[0], list[n], list[2n] and so on.
func every[T any](n int, list []T) []T {
	var some []T
	for i := 0; i < len(list); i += n {
		some = append(some, list[i])
	}
	return some
}

// Decisions returns the decision values of all rows in their original order, row after row.
func (ob *Objective) Decisions(ctx context.Context, beta []float64) ([]float64, error) {
	if _, cols := ob.x.Dims(); matrix.FreeDrop(ob.x) || 2*ob.alive <= cols {
		if err := ob.compact(ctx); err != nil {
			return nil, err
		}
	}
	constant := ob.scatter(beta)
	rows, _ := ob.x.Dims()
	all := make([]float64, rows*ob.outputs)
	var w worker
	for lo := 0; lo < rows; lo += 1024 {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		hi := min(lo+1024, rows)
		x, err := ob.x.Slice(ctx, lo, hi)
		if err != nil {
			return nil, err
		}
		w.resize(hi-lo, ob.outputs)
		ob.margins(&w, x, constant, true)
		matrix.Release(x)
		for i, z := range w.z {
			c, row := i/(hi-lo), lo+i%(hi-lo)
			if ob.rows.from != nil {
				row = ob.rows.from[row]
			}
			all[row*ob.outputs+c] = z
		}
	}
	return all, nil
}

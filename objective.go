package fsa

import (
	"context"
	"slices"

	"fsa/anneal"
	"fsa/data"
	"fsa/internal/matrix"
	"fsa/loss"
	"fsa/prior"
)

// objective joins a design, a loss and priors into what annealing minimises:
// the mean loss plus the priors. Coefficients are ordered by group; within a
// group come the columns of its variables, once for each output of the loss.
type objective struct {
	design  *data.Design
	loss    loss.Loss
	shrink  prior.Shrink
	shape   prior.Sum // on the knots of a response
	level   float64   // strength of the prior on the levels of texts; see levels
	rows    *rowPlan
	pool    *pool
	visited float64 // cells read so far
	final   int     // groups that shall stay: once no others are left, a step looks at all rows

	groups  groups // alive, as variables of the stored matrix x
	x       matrix.Matrix
	owned   bool      // nobody else uses x
	cells   int       // stored in x at the start
	first   columns   // at the start
	alive   int       // columns of x that belong to living groups
	wasted  float64   // passes over dead columns since x was compacted
	columns columns   // of the variables of x
	numbers int       // variables of x that are numbers; they come first
	scale   []float64 // of the columns of x,
	offset  []float64 // and nil if all are zero

	layout  anneal.Layout
	outputs int
	place   []int     // of each coefficient in beta
	beta    []float64 // scaled coefficients by output and column of x
	nothing bool      // all of them are zero, as they are at the start
	work    [][]shard // by batch; nil when x is new
	ranges  []uint32  // of columns that threads share out; nil when x is new
}

var _ anneal.Curved = (*objective)(nil)

// objective returns what the search minimises. There is an intercept, but where
// rows are only compared with each other.
func (s *search) objective() *objective {
	d := s.design
	ob := &objective{
		design: d, loss: s.resp.loss, outputs: s.resp.loss.Outputs(),
		shrink: prior.Shrink{Lambda: max(s.Shrink, 0)},
		groups: s.groups, final: s.K,
		x: d.X, owned: s.Discard, cells: s.cells,
		scale: d.Scale, offset: d.Offset, numbers: d.Numbers,
		pool: &pool{threads: s.Threads},
	}
	if len(ob.groups.vars) < len(d.Variables) { // the others go at once, and these get new numbers
		ob.groups.vars = slices.Clone(ob.groups.vars)
	}
	if s.Smooth > 0 {
		ob.shape = append(ob.shape, prior.Smooth{C: s.Smooth})
	}
	if s.Variation > 0 {
		ob.shape = append(ob.shape, prior.Variation{Q: s.Variation})
	}
	if s.resp.task != Ranking {
		ob.layout.Free = ob.outputs
	}
	piece, mixed := pieceRows(d.X, s.Batch)
	ob.rows = newRowPlan(s.resp.target, s.Batch, piece, mixed, s.Seed)
	if s.groups.count() <= s.K {
		ob.rows.join() // nothing is to be chosen
	}
	if d.Numbers < len(d.Variables) && s.Shrink >= 0 {
		ob.level = ob.levelStrength()
	}
	ob.arrange()
	ob.first = ob.columns
	return ob
}

// pieceRows returns how many rows a batch takes in a run, and whether runs are
// mixed. What is best taken in order is, a batch at a time, in whole blocks. Else a
// run is what is read well at once, but short enough that a batch is a sample.
func pieceRows(x matrix.Matrix, batch int) (rows int, mixed bool) {
	block := x.BlockRows()
	if matrix.Sequential(x) {
		return max((batch+block-1)/block, 1) * block, false
	}
	const pieces = 16 // of a batch, at least
	return max(1, min(block, batch/pieces)), true
}

// arrange derives the layout from the groups and the stored matrix.
func (ob *objective) arrange() {
	_, cols := ob.x.Dims()
	ob.columns = columnsOf(ob.x)
	if ob.columns == nil && ob.groups.first == nil && ob.outputs == 1 { // a coefficient for each group
		ob.place = ob.groups.vars
		ob.layout = anneal.Uniform(len(ob.place), 1, ob.layout.Free)
	} else {
		ob.place = make([]int, 0, ob.outputs*cols)
		offsets := make([]int, 1, ob.groups.count()+1)
		for j := range ob.groups.count() {
			for c := range ob.outputs {
				for _, v := range ob.groups.of(j) {
					lo, hi := ob.columns.of(v)
					for p := lo; p < hi; p++ {
						ob.place = append(ob.place, c*cols+p)
					}
				}
			}
			offsets = append(offsets, len(ob.place))
		}
		ob.layout = anneal.Grouped(offsets, ob.layout.Free)
	}
	ob.alive = len(ob.place) / ob.outputs
	if len(ob.beta) != ob.outputs*cols {
		ob.beta = make([]float64, ob.outputs*cols)
	}
	clear(ob.beta) // of those that are gone
}

// columns holds the first column of each variable of a matrix, and their number;
// nil if every variable has one.
type columns []int

func columnsOf(x matrix.Matrix) columns {
	widths := x.Widths()
	if widths == nil {
		return nil
	}
	first := make(columns, len(widths)+1)
	for v, w := range widths {
		first[v+1] = first[v] + w
	}
	return first
}

// of returns the columns of variable v.
func (c columns) of(v int) (lo, hi int) {
	if c == nil {
		return v, v + 1
	}
	return c[v], c[v+1]
}

// Layout implements [anneal.Objective].
func (ob *objective) Layout() anneal.Layout { return ob.layout }

// Batches implements [anneal.Objective].
func (ob *objective) Batches() int { return len(ob.rows.parts) }

// Keep implements [anneal.Objective]. Storage keeps dead columns for a while;
// see compact.
func (ob *objective) Keep(_ context.Context, list []int) error {
	ob.groups = ob.groups.pick(list)
	ob.arrange()
	if len(list) <= ob.final {
		ob.rows.join()
		ob.work = nil
	}
	return nil
}

// each calls f for the coefficients of every living variable and output:
// their place in the layout and the columns of x they belong to.
func (ob *objective) each(f func(variable, output, at, lo, hi int)) {
	at := 0
	for j := range ob.groups.count() {
		for c := range ob.outputs {
			for _, v := range ob.groups.of(j) {
				lo, hi := ob.columns.of(v)
				f(v, c, at, lo, hi)
				at += hi - lo
			}
		}
	}
}

// scatter brings coefficients to the columns of x: beta gets the scaled ones,
// and what is returned, one number an output, is to be added to every margin.
func (ob *objective) scatter(coef []float64) []float64 {
	constant := make([]float64, ob.outputs)
	copy(constant, coef[len(ob.place):])
	cols := len(ob.beta) / ob.outputs
	parts := make([]struct {
		constant []float64
		moved    bool
	}, (len(ob.place)+vectorPart-1)/vectorPart)
	ob.pool.spread(len(ob.place), func(part, lo, hi int) {
		constant, moved := make([]float64, ob.outputs), false
		for i, p := range ob.place[lo:hi] {
			b, c := coef[lo+i], 0
			if ob.outputs > 1 {
				c, p = p/cols, p%cols
			}
			moved = moved || b != 0
			ob.beta[c*cols+p] = ob.scale[p] * b
			if ob.offset != nil {
				constant[c] += ob.offset[p] * b
			}
		}
		parts[part].constant, parts[part].moved = constant, moved
	})
	ob.nothing = true
	for _, p := range parts {
		ob.nothing = ob.nothing && !p.moved
		for c, v := range p.constant {
			constant[c] += v
		}
	}
	return constant
}

// gather brings sums over the columns of x back to coefficients.
func (ob *objective) gather(dst []float64, s *sums) {
	cols := len(ob.beta) / ob.outputs
	ob.pool.spread(len(ob.place), func(_, lo, hi int) {
		to := dst[lo:hi]
		for i, p := range ob.place[lo:hi] {
			g, c := s.g[p], 0
			if ob.outputs > 1 {
				c, p = p/cols, p%cols
			}
			g *= ob.scale[p]
			if ob.offset != nil {
				g += ob.offset[p] * s.slope[c]
			}
			to[i] = g
		}
	})
	copy(dst[len(ob.place):], s.slope[:ob.layout.Free])
}

// shards returns the work of a batch.
func (ob *objective) shards(batch int) []shard {
	if ob.work == nil {
		ob.work = ob.rows.shards(shardRows(ob.x), ob.x.BlockRows())
	}
	return ob.work[batch]
}

// Eval implements [anneal.Objective].
func (ob *objective) Eval(ctx context.Context, batch int, grad, beta []float64) (float64, float64, error) {
	if err := ob.compact(ctx); err != nil {
		return 0, 0, err
	}
	constant := ob.scatter(beta)
	s, err := ob.sum(ctx, ob.shards(batch), constant, func(w *worker, t loss.Target) (float64, float64) {
		return ob.loss.Eval(w.r, w.z, t)
	})
	if err != nil {
		return 0, 0, err
	}
	ob.gather(grad, s)
	return s.sum + s.weight*ob.addPriors(grad, beta, s.weight), s.weight, nil
}

// addPriors adds scale times the gradient of the priors and returns their value.
func (ob *objective) addPriors(grad, beta []float64, scale float64) float64 {
	end := len(beta) - ob.layout.Free
	value := 0.0
	if ob.shrink.Lambda > 0 {
		value = ob.shrink.Eval(grad[:end], beta[:end], scale)
	}
	if len(ob.shape) > 0 && ob.design.Bins > 0 {
		knots := ob.design.Bins + 1
		ob.each(func(v, _, at, _, _ int) {
			if v < ob.numbers {
				value += ob.shape.Eval(grad[at:at+knots], beta[at:at+knots], scale)
			}
		})
	}
	ob.levels(func(at int, p prior.Shrink) {
		value += p.Eval(grad[at:at+1], beta[at:at+1], scale)
	})
	return value
}

// Curvature implements [anneal.Curved]. A sample of the rows serves where
// there are many: fewer rows are rather more curved than all of them.
func (ob *objective) Curvature(ctx context.Context, batch int, dst, v []float64) (float64, error) {
	if err := ob.compact(ctx); err != nil {
		return 0, err
	}
	constant := ob.scatter(v)
	shards := ob.shards(batch)
	if len(ob.rows.parts) == 1 {
		shards = every(min(max(ob.x.Cells()/curvedCells, 1), curvedShare), shards)
	}
	s, err := ob.sum(ctx, shards, constant, func(w *worker, t loss.Target) (float64, float64) {
		weight := ob.loss.Curvature(w.d, t)
		for c := range ob.outputs {
			for i, d := range w.d {
				w.r[c*len(w.d)+i] = d * w.z[c*len(w.d)+i]
			}
		}
		return 0, weight
	})
	if err != nil {
		return 0, err
	}
	ob.gather(dst, s)
	bound := ob.shrink.Curvature()
	if ob.design.Bins > 0 {
		bound += ob.shape.Curvature()
	}
	for i := range len(dst) - ob.layout.Free {
		dst[i] += s.weight * bound * v[i]
	}
	ob.levels(func(at int, p prior.Shrink) { dst[at] += s.weight * p.Curvature() * v[at] })
	return s.weight, nil
}

// every returns list[0], list[n], list[2n] and so on.
func every[T any](n int, list []T) []T {
	var some []T
	for i := 0; i < len(list); i += n {
		some = append(some, list[i])
	}
	return some
}

const (
	curvedCells = 1 << 24 // cells above which curvature is measured on a sample
	curvedShare = 8       // one row of so many is in it, at least
)

// passes returns how often the whole table was read so far.
func (ob *objective) passes() float64 {
	return ob.visited / float64(max(ob.cells, 1))
}

// decisions returns the margins of all rows, row after row, as they were at first.
func (ob *objective) decisions(ctx context.Context, beta []float64) ([]float64, error) {
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
		ob.margins(&w, x, constant)
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

package objective

import (
	"fsa/anneal"
	"fsa/internal/matrix"
	"fsa/loss"
	"fsa/prior"
)

// Objective is the function that annealing minimises, made of a matrix, a loss and priors. Coefficients
// are ordered by group; within a group come the columns of its variables, once for each output of the
// loss.
type Objective struct {
	loss     loss.Loss
	ridge    prior.Ridge
	curve    prior.Sum
	category []float64 // strength of the prior on the categories of each variable of x that has some; see categories
	bins     int
	rows     *rowPlan
	pool     *pool
	meter    *Meter
	final    int // number of groups to keep

	groups  Groups // remaining groups, as variables of the stored matrix x
	x       matrix.Matrix
	owned   bool      // nobody else uses x
	cells   int       // cells of x at the start
	first   columns   // columns of the variables at the start
	alive   int       // number of columns of x that belong to remaining groups
	wasted  float64   // passes over dropped columns since x was compacted
	columns columns   // columns of the variables of x
	numbers int       // number of numeric variables of x, which come first
	scale   []float64 // scale of each column of x
	offset  []float64 // offset of each column of x; nil if all are zero

	layout  anneal.Layout
	outputs int
	place   []int     // index of each coefficient in beta
	beta    []float64 // scaled coefficients by output and column of x
	null    bool      // whether all of beta is zero, as at the start
	work    [][]shard // shards of each batch; nil when x is new
	apart   []shard   // shards of rows that the loss compares with each other, for the Hessian bound; nil when x is new
	steep   *steepness
	ranges  []uint32 // ranges of columns for the threads; nil when x is new

	number    []int    // original number of each remaining group, if tracked
	compacted []int    // groups that were left when x was last compacted
	pending   *Storage // storage order to restore before x is used
}

// Meter counts the cells that were read, over all objectives that share it.
type Meter struct{ Cells float64 }

// arrange sets the layout from the groups and the stored matrix.
func (ob *Objective) arrange() {
	_, cols := ob.x.Dims()
	ob.columns = columnsOf(ob.x)
	if ob.columns == nil && ob.groups.first == nil && ob.outputs == 1 { // a coefficient for each group
		ob.place = ob.groups.vars
		ob.layout = anneal.Uniform(len(ob.place), 1, ob.layout.Free)
	} else {
		ob.place = make([]int, 0, ob.outputs*cols)
		offsets := make([]int, 1, ob.groups.Count()+1)
		for j := range ob.groups.Count() {
			for c := range ob.outputs {
				for _, v := range ob.groups.Of(j) {
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
	clear(ob.beta) // also of dropped columns
}

// columns holds the first column of each variable of a matrix, and the number of columns; nil if every
// variable has one column.
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

// keep drops all groups except the listed ones.
func (ob *Objective) keep(list []int) {
	ob.groups = ob.groups.Pick(list)
	if ob.number != nil {
		number := make([]int, len(list))
		for i, g := range list {
			number[i] = ob.number[g]
		}
		ob.number = number
	}
	ob.arrange()
}

// join makes one batch of all rows once no more groups will be dropped.
func (ob *Objective) join() {
	if ob.groups.Count() <= ob.final {
		ob.rows.join()
		ob.work, ob.apart = nil, nil
	}
}

// each calls f for every remaining variable and output, with the place of the coefficients in the layout
// and their columns of x.
func (ob *Objective) each(f func(variable, output, at, lo, hi int)) {
	at := 0
	for j := range ob.groups.Count() {
		for c := range ob.outputs {
			for _, v := range ob.groups.Of(j) {
				lo, hi := ob.columns.of(v)
				f(v, c, at, lo, hi)
				at += hi - lo
			}
		}
	}
}

// scatter sets beta to the coefficients of the columns of x, scaled. It returns the constants to add to
// the margins, one for each output.
func (ob *Objective) scatter(coef []float64) []float64 {
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
	ob.null = true
	for _, p := range parts {
		ob.null = ob.null && !p.moved
		for c, v := range p.constant {
			constant[c] += v
		}
	}
	return constant
}

// gather sets dst to the derivatives by the coefficients, given the sums over the columns of x.
func (ob *Objective) gather(dst []float64, s *sums) {
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

// shards returns the shards of a batch.
func (ob *Objective) shards(batch int) []shard {
	if ob.work == nil {
		ob.work = ob.rows.shards(shardRows(ob.x), ob.x.BlockRows())
	}
	return ob.work[batch]
}

// First returns the range of the columns of variable v of the original X.
func (ob *Objective) First(v int) (lo, hi int) { return ob.first.of(v) }

package grid

import (
	"context"
	"slices"

	"fsa/anneal"
	"fsa/internal/objective"
	"fsa/loss"
	"fsa/prior"
)

// Objective is an objective of package objective whose table is spread over a grid. The columns of
// a group are in one slice, and have a coefficient for each output. All processes call its methods
// together.
type Objective struct {
	grid    *Grid
	table   *Matrix
	cut     Cut
	loss    loss.Loss
	outputs int
	y, w    []float64 // of all rows; a nil w stands for ones
	ridge   float64
	curve   prior.Sum // on the values at the knots of each curve
	knots   int       // of a curve with priors
	curved  []bool    // whether a curve with priors begins at a column of the table
	final   int
	meter   *objective.Meter

	first   int // shard of this process
	shards  []shard
	slices  []*slice
	batches []batch
	runs    [][][2]int // of all rows, by batch

	layout  anneal.Layout
	single  bool  // every group is a column
	living  []int // number of groups of each slice, including those of other processes
	columns []int // coefficients of these groups
	rank    anneal.Rank
	free    vectors // coefficients that belong to no group, which all processes hold
	power   anneal.Power
	taken   int  // steps of the last epoch
	owned   bool // the tiles of the table are no longer needed elsewhere; the table keeps those that are left
	once    bool // a pass reads tiles once
	buffers buffers

	momentum bool

	lay    []int // groups that the next Load compacts columns to; nil for none
	groups int   // at the start
}

// slice holds the variables of some columns of this process.
type slice struct {
	number        int
	original      []int     // number of each living group at the start
	lying         []int     // the same for the groups whose columns the tiles hold
	must          []bool    // whether it must stay
	first         []int     // where its columns begin, and where those of the last one end
	from          []int     // each of these columns in the table,
	column        []int     // and in the tiles
	vars          []int     // variables of the table that the tiles hold, ascending
	scale, offset []float64 // of the columns
	penalty       []float64 // on the columns, besides the ridge; nil for none
	at, width     []int     // see coefficient
	stored        int       // columns of the tiles
	vectors
	spread []float64 // scaled coefficients by output and stored column
}

// vectors holds numbers for some coefficients.
type vectors struct{ beta, velocity, trail, grad, direction []float64 }

func newVectors(n int) vectors {
	return vectors{make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)}
}

func (v *vectors) each(f func(*[]float64)) {
	for _, p := range []*[]float64{&v.beta, &v.velocity, &v.trail, &v.grad, &v.direction} {
		f(p)
	}
}

// batch is a set of rows.
type batch struct {
	runs [][][2]int // of this process, by shard, counted from its first row
	rows int        // of all processes
}

var (
	_ anneal.Resident  = (*Objective)(nil)
	_ anneal.Curved    = (*Objective)(nil)
	_ objective.Placed = (*Objective)(nil)
	_ objective.Stored = (*Objective)(nil)
)

// settle decides whether a pass reads tiles once. It then keeps gradients of all shards until their
// units are known. It therefore reads twice if those gradients would take more than half the memory
// of dense tiles, as in wide sparse tables. The fitted model does not depend on it.
func (o *Objective) settle() {
	cells, sums := 0, 0
	for i := range o.shards {
		for c, s := range o.slices {
			if len(s.column) > 0 {
				cells += o.shards[i].tiles[c].x.Cells()
				sums += o.outputs * s.stored
			}
		}
	}
	o.once = o.grid.Columns == 1 && 4*sums <= cells
}

// batch makes batches of runs of rows of the table.
func (o *Objective) batch(batches [][][2]int) {
	o.runs, o.batches = batches, nil
	for _, runs := range batches {
		o.batches = append(o.batches, o.batchOf(runs))
	}
}

// arrange decides where the coefficients of the columns are: group after group, and within a group
// those of its columns for each output.
func (s *slice) arrange(outputs int) {
	s.at, s.width = s.at[:0], s.width[:0]
	for g := range s.original {
		lo, hi := s.first[g], s.first[g+1]
		for j := lo; j < hi; j++ {
			s.at, s.width = append(s.at, outputs*lo+j-lo), append(s.width, hi-lo)
		}
	}
}

// coefficient returns the place of the coefficient of a column for an output in the vectors.
func (s *slice) coefficient(column, output int) int { return s.at[column] + output*s.width[column] }

// lie records that the tiles hold only the living columns, which belong to the given variables.
func (s *slice) lie(vars []int, outputs int) {
	s.vars, s.stored, s.lying = vars, len(s.column), slices.Clone(s.original)
	s.spread = sized(s.spread, outputs*s.stored)
	clear(s.spread)
	columns := slices.Sorted(slices.Values(s.from))
	for j, from := range s.from {
		s.column[j], _ = slices.BinarySearch(columns, from)
	}
}

// batchOf returns the batch of some runs of rows of the table.
func (o *Objective) batchOf(runs [][2]int) batch {
	b := batch{runs: make([][][2]int, len(o.shards))}
	for _, run := range runs {
		b.rows += run[1] - run[0]
	}
	for s, sh := range o.shards {
		for _, run := range runs {
			if lo, hi := max(run[0], sh.lo), min(run[1], sh.hi); lo < hi {
				b.runs[s] = append(b.runs[s], [2]int{lo - sh.lo, hi - sh.lo})
			}
		}
	}
	return b
}

// Layout implements [anneal.Objective].
func (o *Objective) Layout() anneal.Layout { return o.layout }

// Batches implements [anneal.Objective].
func (o *Objective) Batches() int { return len(o.batches) }

// Close implements [objective.Placed].
func (o *Objective) Close() { o.shards, o.slices, o.buffers = nil, nil, buffers{} }

// sliceCount returns the number of slices of process p of a row of the grid, and shardCount the
// number of shards of process p of a column.
func (o *Objective) sliceCount(p int) int {
	lo, hi := share(len(o.cut.Slices)-1, p, o.grid.Columns)
	return hi - lo
}

func (o *Objective) shardCount(p int) int {
	lo, hi := share(len(o.cut.Shards)-1, p, o.grid.Rows)
	return hi - lo
}

// groupsOf returns the number of living groups that process p of a row of the grid holds, and
// coefficientsOf the number of coefficients.
func (o *Objective) groupsOf(p int) int { return o.sumOf(o.living, p) }

func (o *Objective) coefficientsOf(p int) int { return o.outputs * o.sumOf(o.columns, p) }

// sumOf returns the sum of the numbers of the slices of process p of a row of the grid.
func (o *Objective) sumOf(numbers []int, p int) int {
	lo, hi := share(len(o.cut.Slices)-1, p, o.grid.Columns)
	n := 0
	for _, v := range numbers[lo:hi] {
		n += v
	}
	return n
}

// whole returns a vector of all coefficients, gathered from all processes, with the free ones.
func (o *Objective) whole(ctx context.Context, of func(*vectors) []float64) ([]float64, error) {
	var mine []float64
	for _, s := range o.slices {
		mine = append(mine, of(&s.vectors)...)
	}
	all, err := gatherAlong(ctx, o.grid.row, o.coefficientsOf, mine)
	return append(all, of(&o.free)...), err
}

// hand sets the part of a vector that this process holds from a vector of all coefficients.
func (o *Objective) hand(v []float64, of func(*vectors) []float64) {
	at := 0
	for c := range o.slices[0].number {
		at += o.outputs * o.columns[c]
	}
	for _, s := range o.slices {
		at += copy(of(&s.vectors), v[at:])
	}
	copy(of(&o.free), v[len(v)-o.layout.Free:])
}

// The vectors of a descent.
func beta(v *vectors) []float64      { return v.beta }
func trail(v *vectors) []float64     { return v.trail }
func velocity(v *vectors) []float64  { return v.velocity }
func grad(v *vectors) []float64      { return v.grad }
func direction(v *vectors) []float64 { return v.direction }

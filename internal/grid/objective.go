package grid

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sort"

	"fsa/anneal"
	"fsa/internal/objective"
	"fsa/loss"
)

// ErrUnsupported says that something cannot be learned on a grid.
var ErrUnsupported = errors.New("grid: this cannot be learned on a grid, only on one machine")

// Objective is an objective of package objective whose table is spread over a grid. The columns of a group are
// in one slice, and have a coefficient for each output. All processes call its methods together.
type Objective struct {
	grid    *Grid
	table   *Matrix
	cut     Cut
	loss    loss.Loss
	outputs int
	y, w    []float64 // of all rows; a nil w is 1
	ridge   float64
	final   int
	meter   *objective.Meter

	first   int // shard of this process
	shards  []shard
	slices  []*slice
	batches []batch
	runs    [][][2]int // of all rows, by batch

	layout  anneal.Layout
	single  bool  // every group is a column
	living  []int // groups of every slice, also those of others
	columns []int // of these groups
	rank    anneal.Rank
	free    vectors // coefficients that belong to no group, which all processes hold
	power   anneal.Power
	taken   int  // steps of the last epoch
	owned   bool // nobody needs the tiles of the table any more; those that are left are still its own
	once    bool // a pass reads tiles once
	rooms   rooms

	momentum bool

	lay    []int // groups that columns are to be compacted to by the next Load; nil for none
	groups int   // at the start
}

// shard is some rows of this process.
type shard struct {
	lo, hi int
	tiles  []tile // by slice
}

// slice is the variables of some columns of this process.
type slice struct {
	number        int
	original      []int     // number of each living group at the start
	lying         []int     // the same of those whose columns the tiles were compacted to
	must          []bool    // whether it has to stay
	first         []int     // where its columns begin, and where those of the last one end
	from          []int     // each of these columns in the table,
	column        []int     // and in the tiles
	vars          []int     // variables of the table that the tiles have, ascending
	scale, offset []float64 // of the columns
	penalty       []float64 // on the columns, besides the ridge; nil for none
	at, width     []int     // see coefficient
	stored        int       // columns of the tiles
	vectors
	spread []float64 // scaled coefficients by output and stored column
}

// vectors are numbers for some coefficients.
type vectors struct{ beta, velocity, trail, grad, direction []float64 }

func newVectors(n int) vectors {
	return vectors{make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)}
}

func (v *vectors) each(f func(*[]float64)) {
	for _, p := range []*[]float64{&v.beta, &v.velocity, &v.trail, &v.grad, &v.direction} {
		f(p)
	}
}

// batch is some rows.
type batch struct {
	runs [][][2]int // of this process, by shard, counted from its first row
	rows int        // of all processes
}

var (
	_ anneal.Resident  = (*Objective)(nil)
	_ anneal.Curved    = (*Objective)(nil)
	_ objective.Placed = (*Objective)(nil)
	_ objective.Stored = (*Objective)(nil)
	_ objective.Device = (*Matrix)(nil)

	_ objective.Together = (*Matrix)(nil)
)

// Place implements [objective.Device]: an objective of this table is computed where the
// table is.
func (m *Matrix) Place(ctx context.Context, ob *objective.Objective) (objective.Placed, error) {
	p, err := ob.Parts()
	if err != nil {
		return nil, fmt.Errorf("%w: %v", ErrUnsupported, err)
	}
	on, ok := p.X.(*Matrix)
	if !ok || on.grid != m.grid {
		return nil, fmt.Errorf("%w: its table is elsewhere", ErrUnsupported)
	}
	m = on
	if most := mostSelected / m.rows; p.Final > most {
		return nil, fmt.Errorf("grid: %d columns of %d rows that are selected do not fit into every process: select at most %d", p.Final, m.rows, most)
	}
	if !m.whole(&p) {
		return nil, fmt.Errorf("%w: columns of a group are in several slices, or groups are not in the order of the slices", ErrUnsupported)
	}
	return m.place(&p), ctx.Err()
}

// whole reports whether each group is in one slice, and groups are in the order of these.
func (m *Matrix) whole(p *objective.Parts) bool {
	before := 0
	for j := range p.Groups() {
		lo, hi := p.Span(j)
		for i, column := range p.Columns[lo:hi] {
			c := m.sliceOf(column)
			if c < before || i > 0 && c != before {
				return false
			}
			before = c
		}
	}
	return true
}

// sliceOf returns the slice that has a column.
func (m *Matrix) sliceOf(column int) int {
	return sort.Search(len(m.cut.Slices)-1, func(c int) bool { return m.column(m.cut.Slices[c+1]) > column })
}

// place returns the objective of some parts.
func (m *Matrix) place(p *objective.Parts) *Objective {
	o := &Objective{
		grid: m.grid, table: m, cut: m.cut, loss: p.Loss, outputs: p.Loss.Outputs(), y: p.Y, w: p.Weight, ridge: p.Ridge, final: p.Final, meter: p.Meter,
		first: m.shards[0], single: p.First == nil, free: newVectors(p.Free), groups: p.Groups(), owned: p.Owned,
	}
	if o.layout = anneal.Uniform(o.groups, o.outputs, p.Free); !o.single {
		offsets := make([]int, len(p.First))
		for j, at := range p.First {
			offsets[j] = o.outputs * at
		}
		o.layout = anneal.Grouped(offsets, p.Free)
	}
	for c, group := 0, 0; c < len(m.cut.Slices)-1; c++ {
		first, end := group, m.column(m.cut.Slices[c+1])
		begin, _ := p.Span(first)
		for ; group < o.groups; group++ {
			if lo, _ := p.Span(group); p.Columns[lo] >= end {
				break
			}
		}
		behind, _ := p.Span(group)
		o.living, o.columns = append(o.living, group-first), append(o.columns, behind-begin)
		if c >= m.slices[0] && c < m.slices[1] {
			o.slices = append(o.slices, m.newSlice(c, first, group, p))
		}
	}
	measured := m.measured()
	for s, tiles := range m.tiles {
		sh := shard{lo: m.cut.Shards[m.shards[0]+s], hi: m.cut.Shards[m.shards[0]+s+1]}
		for c, x := range tiles {
			sl := o.slices[c]
			if sl.stored = 0; x != nil {
				_, sl.stored = x.Dims()
			}
			sl.spread = make([]float64, o.outputs*sl.stored)
		}
		sh.tiles = slices.Clone(measured[s])
		for c := range sh.tiles {
			sh.tiles[c].own = p.Owned
		}
		o.shards = append(o.shards, sh)
	}
	o.settle()
	o.batch(p.Batches)
	return o
}

// settle decides whether a pass reads tiles once. Gradients of all shards are kept then until their units are known: not where that
// would take more than half of what dense tiles do, as in sparse tables that are wide. What is learned does not depend on it.
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

// newSlice returns a slice of the groups from one on and before another.
func (m *Matrix) newSlice(number, from, to int, p *objective.Parts) *slice {
	begin, _ := p.Span(from)
	end, _ := p.Span(to)
	s := &slice{number: number, vectors: newVectors((end - begin) * p.Loss.Outputs()), must: make([]bool, to-from), first: []int{0}}
	for j := from; j < to; j++ {
		_, hi := p.Span(j)
		s.original, s.first = append(s.original, j), append(s.first, hi-begin)
	}
	s.vars = m.tiled(number - m.slices[0])
	at := make([]int, len(s.vars)+1) // first column of each in the tiles
	for k, v := range s.vars {
		at[k+1] = at[k] + m.column(v+1) - m.column(v)
	}
	for _, j := range p.Columns[begin:end] {
		v := m.variable(j)
		k, found := slices.BinarySearch(s.vars, v)
		if !found {
			panic(errDropped)
		}
		s.from, s.column = append(s.from, j), append(s.column, at[k]+j-m.column(v))
		s.scale = append(s.scale, p.Scale[j])
		offset := 0.0
		if p.Offset != nil {
			offset = p.Offset[j]
		}
		s.offset = append(s.offset, offset)
		if p.Penalty != nil {
			s.penalty = append(s.penalty, p.Penalty[j])
		}
	}
	s.arrange(p.Loss.Outputs())
	s.lying = slices.Clone(s.original)
	return s
}

// arrange finds out where the coefficients of the columns are: group after group, and in a group those of its columns for
// each output.
func (s *slice) arrange(outputs int) {
	s.at, s.width = s.at[:0], s.width[:0]
	for g := range s.original {
		lo, hi := s.first[g], s.first[g+1]
		for j := lo; j < hi; j++ {
			s.at, s.width = append(s.at, outputs*lo+j-lo), append(s.width, hi-lo)
		}
	}
}

// coefficient returns where that of a column for an output is in the vectors.
func (s *slice) coefficient(column, output int) int { return s.at[column] + output*s.width[column] }

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
func (o *Objective) Close() { o.shards, o.slices, o.rooms = nil, nil, rooms{} }

// Close implements [objective.Device]. The table stays.
func (m *Matrix) Close() {}

// sliceCount returns how many slices process p of a row of the grid has, and shardCount how
// many shards process p of a column has.
func (o *Objective) sliceCount(p int) int {
	lo, hi := share(len(o.cut.Slices)-1, p, o.grid.Columns)
	return hi - lo
}

func (o *Objective) shardCount(p int) int {
	lo, hi := share(len(o.cut.Shards)-1, p, o.grid.Rows)
	return hi - lo
}

// groupsOf returns how many living groups process p of a row of the grid has, and coefficientsOf how many
// coefficients.
func (o *Objective) groupsOf(p int) int { return o.sumOf(o.living, p) }

func (o *Objective) coefficientsOf(p int) int { return o.outputs * o.sumOf(o.columns, p) }

// sumOf returns the sum of the numbers that the slices of process p of a row of the grid have.
func (o *Objective) sumOf(numbers []int, p int) int {
	lo, hi := share(len(o.cut.Slices)-1, p, o.grid.Columns)
	n := 0
	for _, v := range numbers[lo:hi] {
		n += v
	}
	return n
}

// whole returns what all processes have of a vector of coefficients, with the free ones.
func (o *Objective) whole(ctx context.Context, of func(*vectors) []float64) ([]float64, error) {
	var mine []float64
	for _, s := range o.slices {
		mine = append(mine, of(&s.vectors)...)
	}
	all, err := gatherAlong(ctx, o.grid.row, o.coefficientsOf, mine)
	return append(all, of(&o.free)...), err
}

// hand sets what this process has of a vector of all coefficients.
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

// The vectors that there are.
func beta(v *vectors) []float64      { return v.beta }
func trail(v *vectors) []float64     { return v.trail }
func velocity(v *vectors) []float64  { return v.velocity }
func grad(v *vectors) []float64      { return v.grad }
func direction(v *vectors) []float64 { return v.direction }

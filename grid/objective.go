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
	cut     Cut
	loss    loss.Loss
	outputs int
	y, w    []float64 // of all rows; a nil w is 1
	ridge   float64
	final   int
	cells   int // of the whole table
	meter   *objective.Meter

	first   int // shard of this process
	shards  []shard
	slices  []*slice
	batches []batch

	layout  anneal.Layout
	single  bool  // every group is a column
	living  []int // groups of every slice, also those of others
	columns []int // of these groups
	rank    anneal.Rank
	free    vectors // coefficients that belong to no group, which all processes hold
	power   anneal.Power
	taken   int // steps of the last epoch

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
	column        []int     // in the tiles
	variable      []int     // of the tiles, to which the column belongs
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
		grid: m.grid, cut: m.cut, loss: p.Loss, outputs: p.Loss.Outputs(), y: p.Y, w: p.Weight, ridge: p.Ridge, final: p.Final, cells: m.Cells(), meter: p.Meter,
		first: m.shards[0], single: p.First == nil, free: newVectors(p.Free), groups: p.Groups(),
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
			_, sl.stored = x.Dims()
			sl.spread = make([]float64, o.outputs*sl.stored)
		}
		sh.tiles = slices.Clone(measured[s])
		o.shards = append(o.shards, sh)
	}
	for _, runs := range p.Batches {
		o.batches = append(o.batches, o.batch(runs))
	}
	return o
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
	variable, column := m.cut.Slices[number], m.column(m.cut.Slices[number]) // the first ones
	for _, j := range p.Columns[begin:end] {
		v := variable + sort.Search(m.cut.Slices[number+1]-variable, func(v int) bool { return m.column(variable+v+1) > j })
		s.column, s.variable = append(s.column, j-column), append(s.variable, v-variable)
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

// measured returns the tiles of this process. They are measured once, and not where nothing is learned.
func (m *Matrix) measured() [][]tile {
	if m.norms == nil {
		for _, tiles := range m.tiles {
			var of []tile
			for _, x := range tiles {
				of = append(of, measured(x))
			}
			m.norms = append(m.norms, of)
		}
	}
	return m.norms
}

// batch returns the batch of some runs of rows of the table.
func (o *Objective) batch(runs [][2]int) batch {
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
func (o *Objective) Close() { o.shards, o.slices = nil, nil }

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
func velocity(v *vectors) []float64  { return v.velocity }
func grad(v *vectors) []float64      { return v.grad }
func direction(v *vectors) []float64 { return v.direction }

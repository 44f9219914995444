package grid

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"fsa/anneal"
	"fsa/internal/objective"
	"fsa/loss"
)

// ErrUnsupported says that something cannot be learned on a grid.
var ErrUnsupported = errors.New("grid: this cannot be learned on a grid, only on one machine")

// Objective is an objective of package objective whose table is spread over a grid. Group j
// has a coefficient for each output. All processes call its methods together.
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
	runs    [][][2]int // of all rows, by batch

	layout anneal.Layout
	living []int // groups of every slice, also those of others
	rank   anneal.Rank
	free   vectors // coefficients that belong to no group, which all processes hold
	power  anneal.Power
	taken  int     // steps of the last epoch
	home   *Matrix // whose tiles are these; nil where it needs them again
	once   bool    // a pass reads tiles once
	sparse bool
	rooms  rooms

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
	original      []int // number of each living group at the start
	lying         []int // the same of those whose columns the tiles were compacted to
	column        []int // its column in the tiles
	stored        int   // columns of the tiles
	scale, offset []float64
	must          []bool // whether it has to stay
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
	if err == nil {
		err = p.Single()
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %v", ErrUnsupported, err)
	}
	if on, ok := p.X.(*Matrix); !ok || on.grid != m.grid {
		return nil, fmt.Errorf("%w: its table is elsewhere", ErrUnsupported)
	} else if !slices.IsSorted(p.Columns) {
		return nil, fmt.Errorf("%w: variables are not in the order of the columns", ErrUnsupported)
	} else {
		m = on
	}
	if most := mostSelected / m.rows; p.Final > most {
		return nil, fmt.Errorf("grid: %d columns of %d rows that are selected do not fit into every process: select at most %d", p.Final, m.rows, most)
	}
	return m.place(&p), ctx.Err()
}

// place returns the objective of some parts.
func (m *Matrix) place(p *objective.Parts) *Objective {
	o := &Objective{
		grid: m.grid, cut: m.cut, loss: p.Loss, outputs: p.Loss.Outputs(), y: p.Y, w: p.Weight, ridge: p.Ridge, final: p.Final, cells: m.Cells(), meter: p.Meter,
		first: m.shards[0], layout: anneal.Uniform(len(p.Columns), p.Loss.Outputs(), p.Free), free: newVectors(p.Free), groups: len(p.Columns),
		once: m.grid.Columns == 1, sparse: m.IsSparse(),
	}
	o.living = make([]int, len(m.cut.Slices)-1)
	for c := range o.living {
		lo, _ := slices.BinarySearch(p.Columns, m.cut.Slices[c])
		hi, _ := slices.BinarySearch(p.Columns, m.cut.Slices[c+1])
		o.living[c] = hi - lo
		if c >= m.slices[0] && c < m.slices[1] {
			o.slices = append(o.slices, m.newSlice(c, lo, p, p.Columns[lo:hi]))
		}
	}
	if p.Owned {
		o.home = m
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
		for c := range sh.tiles {
			sh.tiles[c].own = p.Owned
		}
		o.shards = append(o.shards, sh)
	}
	o.arrange(p.Batches)
	return o
}

// arrange makes batches of runs of rows of the table.
func (o *Objective) arrange(batches [][][2]int) {
	o.runs, o.batches = batches, nil
	for _, runs := range batches {
		o.batches = append(o.batches, o.batch(runs))
	}
}

// newSlice returns a slice of groups that are numbered from first on, and whose columns are listed.
func (m *Matrix) newSlice(number, first int, p *objective.Parts, columns []int) *slice {
	s := &slice{number: number, vectors: newVectors(len(columns) * p.Loss.Outputs())}
	for i, j := range columns {
		s.original = append(s.original, first+i)
		s.column = append(s.column, m.position(number-m.slices[0], j))
		s.scale = append(s.scale, p.Scale[j])
		offset := 0.0
		if p.Offset != nil {
			offset = p.Offset[j]
		}
		s.offset = append(s.offset, offset)
	}
	s.must = make([]bool, len(columns))
	s.lying = slices.Clone(s.original)
	return s
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

// groupsOf returns how many living groups process p of a row of the grid has.
func (o *Objective) groupsOf(p int) int {
	lo, hi := share(len(o.cut.Slices)-1, p, o.grid.Columns)
	n := 0
	for _, living := range o.living[lo:hi] {
		n += living
	}
	return n
}

// whole returns what all processes have of a vector of coefficients, with the free ones.
func (o *Objective) whole(ctx context.Context, of func(*vectors) []float64) ([]float64, error) {
	var mine []float64
	for _, s := range o.slices {
		mine = append(mine, of(&s.vectors)...)
	}
	all, err := gatherAlong(ctx, o.grid.row, func(p int) int { return o.outputs * o.groupsOf(p) }, mine)
	return append(all, of(&o.free)...), err
}

// hand sets what this process has of a vector of all coefficients.
func (o *Objective) hand(v []float64, of func(*vectors) []float64) {
	at := 0
	for c := range o.slices[0].number {
		at += o.outputs * o.living[c]
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

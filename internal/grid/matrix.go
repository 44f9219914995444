package grid

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"

	"fsa/internal/matrix"
	"fsa/internal/parallel"
)

// Matrix is a table that is spread over a grid. All processes hold one, and call its methods
// together.
type Matrix struct {
	grid       *Grid
	rows, cols int
	cut        Cut
	shards     [2]int // first and last of this process
	slices     [2]int
	first      []int    // first column of each variable, and the number of columns; nil if each variable has one
	bins       int      // of each variable; 0 for linear terms
	zero       []uint16 // code of a zero of each variable of a sparse table in bins
	bytes      int      // bytes of a rounded dense cell; 0 for cells stored as float32
	sparse     bool
	text       bool              // variables are categorical
	parts      [2]*Matrix        // numbers and texts, if it has both
	cells      int               // stored cells of all processes
	tiles      [][]matrix.Normed // of this process, by shard and slice
	norms      [][]tile          // the same with their bounds; nil until these are needed
	left       [][]int           // variables in the tiles of each slice of this process once some were dropped; a nil list means all
}

var _ matrix.Numbers = (*Matrix)(nil)

// NewMatrix returns a dense table of zeros, of which each process sets its own rows.
func NewMatrix(g *Grid, cut Cut) (*Matrix, error) {
	return newMatrix(g, cut, func(n, w int) matrix.Normed { return matrix.MakeDense(n, w) })
}

// NewSparse returns a sparse table with the given number of cells in all, to which each process
// adds its own rows.
func NewSparse(g *Grid, cut Cut, cells int) (*Matrix, error) {
	m, err := newMatrix(g, cut, func(_, w int) matrix.Normed { return matrix.NewSparse(w) })
	if err != nil {
		return nil, err
	}
	m.sparse, m.cells = true, cells
	return m, nil
}

// newMatrix returns a table of tiles, each made by the given function for its number of rows and
// columns.
func newMatrix(g *Grid, cut Cut, tile func(rows, cols int) matrix.Normed) (*Matrix, error) {
	if _, _, _, _, err := g.Part(cut); err != nil {
		return nil, err
	}
	rows, cols := cut.dims()
	m := &Matrix{grid: g, rows: rows, cols: cols, cells: rows * cols, cut: cut}
	m.shards[0], m.shards[1] = share(len(m.cut.Shards)-1, g.at[0], g.Rows)
	m.slices[0], m.slices[1] = share(len(m.cut.Slices)-1, g.at[1], g.Columns)
	m.left = make([][]int, m.slices[1]-m.slices[0])
	for s := m.shards[0]; s < m.shards[1]; s++ {
		var tiles []matrix.Normed
		for c := m.slices[0]; c < m.slices[1]; c++ {
			tiles = append(tiles, tile(m.cut.Shards[s+1]-m.cut.Shards[s], m.cut.Slices[c+1]-m.cut.Slices[c]))
		}
		m.tiles = append(m.tiles, tiles)
	}
	return m, nil
}

// Set sets the cells of a row in the columns of this process. Rows of different shards may be set
// at the same time, but one goroutine is enough for most tables.
func (m *Matrix) Set(row int, cells []float32) {
	s := m.shardOf(row)
	for c, t := range m.tiles[s] {
		n := m.cut.Slices[m.slices[0]+c+1] - m.cut.Slices[m.slices[0]+c]
		copy(t.(*matrix.Dense).Row(row-m.cut.Shards[m.shards[0]+s]), cells[:n])
		cells = cells[n:]
	}
}

// Add adds the next row of this process to a sparse table. The row has the given number; its cells
// are given by ascending columns, counted from the first one of this process, and by their numbers.
func (m *Matrix) Add(row int, index []uint32, value []float32) {
	s := m.shardOf(row)
	first := m.cut.Slices[m.slices[0]]
	var room []uint32
	for c, t := range m.tiles[s] {
		lo, hi := uint32(m.cut.Slices[m.slices[0]+c]-first), uint32(m.cut.Slices[m.slices[0]+c+1]-first)
		n, _ := slices.BinarySearch(index, hi)
		room = room[:0]
		for _, j := range index[:n] {
			room = append(room, j-lo)
		}
		t.(*matrix.Sparse).Add(room, value[:n])
		index, value = index[n:], value[n:]
	}
	if row+1 == m.cut.Shards[m.shards[0]+s+1] {
		for _, t := range m.tiles[s] {
			t.(*matrix.Sparse).Trim()
		}
	}
}

// shardOf returns the shard of this process that contains a row.
func (m *Matrix) shardOf(row int) int {
	s := 0
	for m.cut.Shards[m.shards[0]+s+1] <= row {
		s++
	}
	return s
}

// Dims implements [matrix.Matrix]: it returns the size of the whole table.
func (m *Matrix) Dims() (rows, cols int) { return m.rows, m.cols }

// Widths implements [matrix.Matrix].
func (m *Matrix) Widths() []int {
	if m.first == nil {
		return nil
	}
	widths := make([]int, len(m.first)-1)
	for v := range widths {
		widths[v] = m.first[v+1] - m.first[v]
	}
	return widths
}

// column returns the first column of a variable.
func (m *Matrix) column(variable int) int {
	if m.first == nil {
		return variable
	}
	return m.first[variable]
}

// variable returns the variable that a column belongs to.
func (m *Matrix) variable(column int) int {
	if m.first == nil {
		return column
	}
	return sort.Search(len(m.first)-1, func(v int) bool { return m.first[v+1] > column })
}

// variables returns the variables that the given ascending columns belong to.
func (m *Matrix) variables(columns []int) []int {
	vars := make([]int, 0, len(columns)) // not nil, even if there are none
	for _, j := range columns {
		vars = append(vars, m.variable(j))
	}
	return slices.Compact(vars)
}

// tiled returns the variables in the tiles of a slice of this process.
func (m *Matrix) tiled(c int) []int {
	if m.left[c] != nil {
		return m.left[c]
	}
	lo, hi := m.cut.Slices[m.slices[0]+c], m.cut.Slices[m.slices[0]+c+1]
	all := make([]int, hi-lo)
	for v := range all {
		all[v] = lo + v
	}
	return all
}

// dropped records that the tiles of a slice of this process were replaced by tiles with fewer
// variables.
func (m *Matrix) dropped(c int, vars []int, of []shard) {
	m.left[c], m.norms = vars, nil
	for s := range of {
		m.tiles[s][c] = of[s].tiles[c].x
	}
}

// derived returns a table like this one without tiles, which the caller adds.
func (m *Matrix) derived() Matrix {
	to := *m
	to.tiles, to.norms, to.left = nil, nil, slices.Clone(m.left)
	return to
}

// Cells implements [matrix.Matrix].
func (m *Matrix) Cells() int { return m.cells }

// BlockRows implements [matrix.Matrix].
func (m *Matrix) BlockRows() int { return matrix.BlockRows(4 * m.cells / max(m.rows, 1)) }

// FreeDrop reports that variables are best dropped at once: in the end, the remaining ones are
// gathered on every process.
func (m *Matrix) FreeDrop() bool { return true }

// Elsewhere reports that numbers are held by other processes.
func (m *Matrix) Elsewhere() bool { return true }

// Explain describes how the table is spread, and what an epoch of the given number of steps sends.
func (m *Matrix) Explain(steps int) [][3]string {
	g := m.grid
	rows, columns := 0, 0 // of the largest part
	for p := range g.Rows {
		s, t := share(len(m.cut.Shards)-1, p, g.Rows)
		rows = max(rows, m.cut.Shards[t]-m.cut.Shards[s])
	}
	for p := range g.Columns {
		columns = max(columns, m.columnsOf(p))
	}
	cell, what := float64(cmp.Or(m.bytes, 4)), "columns"
	if m.bins > 0 {
		cell, what = 2, "variables in bins"
	}
	numbers, of := cell*float64(rows)*float64(columns), fmt.Sprintf("%d rows of %d %s, the largest part", rows, columns, what)
	if m.sparse {
		numbers, of = (cell+4)*float64(m.cells)/float64(g.Rows*g.Columns), fmt.Sprintf("about, of %d cells in all", m.cells)
	}
	mega := func(bytes float64) string { return fmt.Sprintf("%.4g MB", bytes/1e6) }
	return [][3]string{
		{"grid", fmt.Sprintf("%d×%d", g.Rows, g.Columns), fmt.Sprintf("%d processes; rows times columns of blocks", g.Rows*g.Columns)},
		{"table per process", mega(numbers), of},
		{"sent in the first epoch", mega(Moved(g.Rows, g.Columns, m.rows, steps*m.cols)), fmt.Sprintf("by each process, in %d steps; less in later epochs, when variables were dropped", steps)},
	}
}

// errSpread is the error of an operation that a table spread over a grid does not support.
var errSpread = errors.New("grid: this needs the whole table in one process: fit without --grid")

const errDropped = "grid: a variable was dropped from a table that was released"

// Slice implements [matrix.Matrix]: it always fails, because no process holds rows of the whole
// table.
func (m *Matrix) Slice(context.Context, int, int) (matrix.Rows, error) { return nil, errSpread }

// IsSparse implements [matrix.Numbers].
func (m *Matrix) IsSparse() bool { return m.sparse }

// Fill implements [matrix.Numbers].
func (m *Matrix) Fill(ctx context.Context, with []float32, discard bool) (matrix.Matrix, error) {
	to := m.derived()
	for _, tiles := range m.tiles {
		var filled []matrix.Normed
		for c, t := range tiles {
			if _, w := t.Dims(); w == 0 {
				filled = append(filled, t)
				continue
			}
			f, err := t.(matrix.Numbers).Fill(ctx, with[m.cut.Slices[m.slices[0]+c]:m.cut.Slices[m.slices[0]+c+1]], discard)
			if err != nil {
				return nil, err
			}
			filled = append(filled, f.(matrix.Normed))
		}
		to.tiles = append(to.tiles, filled)
	}
	return &to, nil
}

// Measure implements [matrix.Numbers]. Each column has units of its own, which depend on its
// largest number.
func (m *Matrix) Measure(ctx context.Context, all []matrix.Moments, weight func(row int) float64) error {
	first := m.cut.Slices[m.slices[0]]
	width := m.cut.Slices[m.slices[1]] - first
	parts := make([][]matrix.Moments, len(m.tiles)) // by shard
	heaviest := 0.0                                 // shard
	once := !m.sparse                               // every row counts once
	for s := range len(m.cut.Shards) - 1 {
		sum := 0.0
		for i := m.cut.Shards[s]; i < m.cut.Shards[s+1]; i++ {
			w := weight(i)
			sum += w
			once = once && w == 1
		}
		heaviest = max(heaviest, sum)
	}
	if err := parallel.Do(ctx, 0, len(m.tiles), func(_, s int) error {
		parts[s] = make([]matrix.Moments, width)
		for c, t := range m.tiles[s] {
			lo := m.cut.Slices[m.slices[0]+c] - first
			_, n := t.Dims()
			if err := t.(matrix.Numbers).Measure(ctx, parts[s][lo:lo+n], func(i int) float64 { return weight(m.cut.Shards[m.shards[0]+s] + i) }); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		return err
	}
	if once {
		m.remember(parts)
	}
	mine := make([]matrix.Moments, width)
	for j := range mine {
		for s := range parts {
			mine[j] = joined(mine[j], parts[s][j])
		}
	}
	ends, err := m.ends(ctx, mine)
	if err != nil {
		return err
	}
	const kinds = 6
	units := func(j int) [4]unit {
		size := max(math.Abs(float64(ends[j].Min)), math.Abs(float64(ends[j].Max)))
		n := len(m.cut.Shards) - 1
		return [4]unit{unitFor(heaviest*size, n), unitFor(heaviest*size*size, n), unitFor(heaviest, n), unitFor(heaviest, n)}
	}
	sums := make([]int64, kinds*width)
	for j := range width {
		u, to := units(j), sums[kinds*j:kinds*(j+1)]
		for s := range parts {
			p := &parts[s][j]
			for q, v := range [4]float64{p.Sum, p.Squares, p.Weight, p.MissingWeight} {
				u[q].add(to[q:q+1], []float64{v})
			}
			to[4] += int64(p.Missing)
			to[5] += int64(p.Weighted)
		}
	}
	if len(sums) > 0 {
		if err := m.grid.column.Sum(sums); err != nil {
			return err
		}
	}
	flat := make([]float64, 0, 8*width)
	for j := range width {
		u, from := units(j), sums[kinds*j:]
		for q := range u {
			flat = append(flat, u[q].value(from[q]))
		}
		flat = append(flat, float64(from[4]), float64(from[5]), float64(ends[j].Min), float64(ends[j].Max))
	}
	flat, err = gatherAlong(ctx, m.grid.row, func(p int) int { return 8 * m.columnsOf(p) }, flat)
	if err != nil {
		return err
	}
	for j := range all {
		f := flat[8*j:]
		all[j] = matrix.Moments{Sum: f[0], Squares: f[1], Weight: f[2], MissingWeight: f[3], Missing: uint32(f[4]), Weighted: uint32(f[5]), Min: float32(f[6]), Max: float32(f[7])}
	}
	return nil
}

// remember keeps the moments of dense tiles, by shard and column, for the fit.
func (m *Matrix) remember(parts [][]matrix.Moments) {
	norms := make([][]tile, len(m.tiles))
	for s, tiles := range m.tiles {
		from := 0
		for _, x := range tiles {
			d, ok := x.(*matrix.Dense)
			if !ok {
				return
			}
			_, n := d.Dims()
			norms[s] = append(norms[s], denseTile(d, parts[s][from:from+n]))
			from += n
		}
	}
	m.norms = norms
}

// columnsOf returns the number of variables that process p of a row of the grid holds; without bins
// these are columns.
func (m *Matrix) columnsOf(p int) int {
	u, v := share(len(m.cut.Slices)-1, p, m.grid.Columns)
	return m.cut.Slices[v] - m.cut.Slices[u]
}

// joined returns the outermost numbers of both ranges.
func joined(a, b matrix.Moments) matrix.Moments {
	switch {
	case b.Weight == 0:
		return a
	case a.Weight == 0:
		return b
	}
	a.Min, a.Max, a.Weight = min(a.Min, b.Min), max(a.Max, b.Max), 1
	return a
}

// ends returns the smallest and largest numbers of the columns of this process, over all rows.
func (m *Matrix) ends(ctx context.Context, mine []matrix.Moments) ([]matrix.Moments, error) {
	var flat []float64
	for _, p := range mine {
		flat = append(flat, float64(p.Min), float64(p.Max), p.Weight)
	}
	flat, err := gatherAlong(ctx, m.grid.column, func(int) int { return 3 * len(mine) }, flat)
	if err != nil {
		return nil, err
	}
	ends := make([]matrix.Moments, len(mine))
	for r := range m.grid.Rows {
		for j := range ends {
			f := flat[3*(r*len(mine)+j):]
			ends[j] = joined(ends[j], matrix.Moments{Min: float32(f[0]), Max: float32(f[1]), Weight: f[2]})
		}
	}
	return ends, nil
}

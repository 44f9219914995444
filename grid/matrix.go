package grid

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"fsa/internal/matrix"
	"fsa/internal/parallel"
)

// Matrix is a table that is spread over a grid. All processes hold it, and call its methods
// together.
type Matrix struct {
	grid       *Grid
	rows, cols int
	cut        Cut
	shards     [2]int // first and last of this process
	slices     [2]int
	tiles      [][]*matrix.Dense // of this process, by shard and slice
	norms      [][]tile          // the same with their norms; nil until these are needed
	left       [][]int           // columns of each slice of this process that were not dropped; a nil list means all
}

var _ matrix.Numbers = (*Matrix)(nil)

// NewMatrix returns a table of zeros, of which each process sets its own rows.
func NewMatrix(g *Grid, rows, cols int) (*Matrix, error) {
	if _, _, _, _, err := g.Part(rows, cols); err != nil {
		return nil, err
	}
	m := &Matrix{grid: g, rows: rows, cols: cols, cut: NewCut(rows, cols)}
	m.shards[0], m.shards[1] = share(len(m.cut.Shards)-1, g.at[0], g.Rows)
	m.slices[0], m.slices[1] = share(len(m.cut.Slices)-1, g.at[1], g.Columns)
	m.left = make([][]int, m.slices[1]-m.slices[0])
	for s := m.shards[0]; s < m.shards[1]; s++ {
		var tiles []*matrix.Dense
		for c := m.slices[0]; c < m.slices[1]; c++ {
			n, w := m.cut.Shards[s+1]-m.cut.Shards[s], m.cut.Slices[c+1]-m.cut.Slices[c]
			tiles = append(tiles, matrix.NewDense(n, w, make([]float32, n*w)))
		}
		m.tiles = append(m.tiles, tiles)
	}
	return m, nil
}

// Set sets what a row of this process has in the columns of this process. Rows of different shards may
// be set at the same time, but one goroutine is enough for most.
func (m *Matrix) Set(row int, cells []float32) {
	s := 0
	for m.cut.Shards[m.shards[0]+s+1] <= row {
		s++
	}
	for c, t := range m.tiles[s] {
		n := m.cut.Slices[m.slices[0]+c+1] - m.cut.Slices[m.slices[0]+c]
		copy(t.Row(row-m.cut.Shards[m.shards[0]+s]), cells[:n])
		cells = cells[n:]
	}
}

// position returns where column j is in the tiles of a slice of this process.
func (m *Matrix) position(c, j int) int {
	at := j - m.cut.Slices[m.slices[0]+c]
	if m.left[c] == nil {
		return at
	}
	at, found := slices.BinarySearch(m.left[c], at)
	if !found {
		panic(fmt.Sprintf("grid: column %d was dropped from a table that was said to be needed no more", j))
	}
	return at
}

// dropped says that of the tiles of a slice only some columns are left.
func (m *Matrix) dropped(c int, columns []int) {
	left := make([]int, len(columns)) // not nil, also without any
	for k, j := range columns {
		if left[k] = j; m.left[c] != nil {
			left[k] = m.left[c][j]
		}
	}
	m.left[c], m.norms = left, nil
}

// Dims implements [matrix.Matrix]: those of the whole table.
func (m *Matrix) Dims() (rows, cols int) { return m.rows, m.cols }

// Widths implements [matrix.Matrix].
func (m *Matrix) Widths() []int { return nil }

// Cells implements [matrix.Matrix].
func (m *Matrix) Cells() int { return m.rows * m.cols }

// BlockRows implements [matrix.Matrix].
func (m *Matrix) BlockRows() int { return matrix.BlockRows(4 * m.cols) }

// FreeDrop says that variables are best dropped at once: what is left of them when all
// others are gone is brought to every process.
func (m *Matrix) FreeDrop() bool { return true }

// Elsewhere says that numbers are with other processes.
func (m *Matrix) Elsewhere() bool { return true }

// Explain says how the table is spread, and what an epoch of so many steps sends.
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
	mega := func(bytes float64) string { return fmt.Sprintf("%.4g MB", bytes/1e6) }
	return [][3]string{
		{"grid", fmt.Sprintf("%d×%d", g.Rows, g.Columns), fmt.Sprintf("%d processes; rows times columns of blocks", g.Rows*g.Columns)},
		{"numbers of a process", mega(4 * float64(rows) * float64(columns)), fmt.Sprintf("%d rows of %d columns, the largest part", rows, columns)},
		{"sent in a first epoch", mega(Moved(g.Rows, g.Columns, m.rows, steps*m.cols)), fmt.Sprintf("by each process, in %d steps; gradients become shorter as variables go", steps)},
	}
}

// errSpread says that something cannot be done here.
var errSpread = errors.New("grid: the table is spread over several processes, and this needs all of it in one: fit without --grid")

// Slice implements [matrix.Matrix]: rows of the whole table cannot be had.
func (m *Matrix) Slice(context.Context, int, int) (matrix.Rows, error) { return nil, errSpread }

// mostSelected is how many cells may be brought to every process at once.
const mostSelected = 1 << 33

// Select implements [matrix.Matrix]: it brings some columns to every process.
func (m *Matrix) Select(ctx context.Context, rows, vars []int) (matrix.Matrix, error) {
	if vars == nil || m.rows*len(vars) > mostSelected {
		return nil, errSpread
	}
	// What each process has of the columns, and where it goes.
	columnsOf := func(at int) (list []int, first int) {
		u, v := share(len(m.cut.Slices)-1, at, m.grid.Columns)
		lo, hi := m.cut.Slices[u], m.cut.Slices[v]
		for i, j := range vars {
			if j >= lo && j < hi {
				if list == nil {
					first = i
				}
				list = append(list, j)
			}
		}
		return list, first
	}
	rowsOf := func(at int) (lo, hi int) {
		s, t := share(len(m.cut.Shards)-1, at, m.grid.Rows)
		return m.cut.Shards[s], m.cut.Shards[t]
	}
	list, _ := columnsOf(m.grid.at[1])
	var mine []float32
	for s, tiles := range m.tiles {
		for i := range m.cut.Shards[m.shards[0]+s+1] - m.cut.Shards[m.shards[0]+s] {
			for _, j := range list {
				c := 0
				for m.cut.Slices[m.slices[0]+c+1] <= j {
					c++
				}
				mine = append(mine, tiles[c].Row(i)[m.position(c, j)])
			}
		}
	}
	all, err := gatherAlong(ctx, m.grid.world, func(p int) int {
		list, _ := columnsOf(p % m.grid.Columns)
		lo, hi := rowsOf(p / m.grid.Columns)
		return (hi - lo) * len(list)
	}, mine)
	if err != nil {
		return nil, err
	}
	x := make([]float32, m.rows*len(vars))
	for p := range m.grid.Rows * m.grid.Columns {
		list, first := columnsOf(p % m.grid.Columns)
		lo, hi := rowsOf(p / m.grid.Columns)
		for i := lo; i < hi; i++ {
			n := copy(x[i*len(vars)+first:], all[:len(list)])
			all = all[n:]
		}
	}
	d := matrix.NewDense(m.rows, len(vars), x)
	if rows == nil {
		return d, nil
	}
	return d.Select(ctx, rows, nil)
}

// IsSparse implements [matrix.Numbers].
func (m *Matrix) IsSparse() bool { return false }

// Fill implements [matrix.Numbers].
func (m *Matrix) Fill(ctx context.Context, with []float32, discard bool) (matrix.Matrix, error) {
	to := *m
	to.tiles, to.norms = nil, nil
	for _, tiles := range m.tiles {
		var filled []*matrix.Dense
		for c, t := range tiles {
			f, err := t.Fill(ctx, with[m.cut.Slices[m.slices[0]+c]:m.cut.Slices[m.slices[0]+c+1]], discard)
			if err != nil {
				return nil, err
			}
			filled = append(filled, f.(*matrix.Dense))
		}
		to.tiles = append(to.tiles, filled)
	}
	return &to, nil
}

// Measure implements [matrix.Numbers]. Each column has units of its own, which its largest
// number decides.
func (m *Matrix) Measure(ctx context.Context, all []matrix.Moments, weight func(row int) float64) error {
	first := m.cut.Slices[m.slices[0]]
	width := m.cut.Slices[m.slices[1]] - first
	parts := make([][]matrix.Moments, len(m.tiles)) // by shard
	heaviest := 0.0                                 // shard
	for s := range len(m.cut.Shards) - 1 {
		sum := 0.0
		for i := m.cut.Shards[s]; i < m.cut.Shards[s+1]; i++ {
			sum += weight(i)
		}
		heaviest = max(heaviest, sum)
	}
	if err := parallel.Do(ctx, 0, len(m.tiles), func(_, s int) error {
		parts[s] = make([]matrix.Moments, width)
		for c, t := range m.tiles[s] {
			lo := m.cut.Slices[m.slices[0]+c] - first
			_, n := t.Dims()
			if err := t.Measure(ctx, parts[s][lo:lo+n], func(i int) float64 { return weight(m.cut.Shards[m.shards[0]+s] + i) }); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		return err
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
	if err := m.grid.column.Sum(sums); err != nil {
		return err
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

// columnsOf returns how many columns process p of a row of the grid has.
func (m *Matrix) columnsOf(p int) int {
	u, v := share(len(m.cut.Slices)-1, p, m.grid.Columns)
	return m.cut.Slices[v] - m.cut.Slices[u]
}

// joined returns the outermost numbers of both.
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

// ends returns the outermost numbers of the columns of this process, in all rows.
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

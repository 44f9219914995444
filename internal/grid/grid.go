// Package grid spreads a table over the processes of a job: a grid of blocks of rows and
// of columns, one block to a process. Each multiplies its own block; what travels are
// vectors,
//
//	z = Xβ     summed along a row of the grid
//	g = Xᵀr    summed along a column of it
//
// and coefficients are where their columns are. All processes do the same in the same
// order, and come to the same model to the last bit, whatever the shape of the grid:
//
// The table is cut into tiles, by rules that know its size only, and a process has some of them.
// What a tile adds to a sum is found by one thread in a fixed order and rounded to a
// multiple of a unit that all agree on. Such multiples are integers, which add up to the
// same whatever the order. A few numbers a tile, such as its loss, travel as they are and
// are added in the order of the tiles.
package grid

import (
	"context"
	"fmt"
	"math"
	"slices"

	"fsa/internal/collective"
)

// Grid is how processes are arranged. Process p is in row p/Columns and column p%Columns.
type Grid struct {
	Rows, Columns int

	world  collective.Comm
	row    collective.Comm // those that have the same rows of the table
	column collective.Comm // those that have the same columns of the table
	at     [2]int          // row and column of this process
}

// New arranges all processes of a job as a grid.
func New(world collective.Comm, rows, columns int) (*Grid, error) {
	if rows < 1 || columns < 1 || rows*columns != world.Size() {
		return nil, fmt.Errorf("grid: %d×%d is a grid for %d processes, and there are %d: start as many, or let the grid be chosen with --grid auto", rows, columns, rows*columns, world.Size())
	}
	g := &Grid{Rows: rows, Columns: columns, world: world, at: [2]int{world.Rank() / columns, world.Rank() % columns}}
	var err error
	if g.row, err = world.Split(g.at[0]); err != nil {
		return nil, err
	}
	g.column, err = world.Split(g.at[1])
	return g, err
}

// World returns all processes.
func (g *Grid) World() collective.Comm { return g.world }

// Close takes the arrangement apart.
func (g *Grid) Close() error {
	if err := g.row.Close(); err != nil {
		return err
	}
	return g.column.Close()
}

// Shape chooses the grid of so many processes that should be fastest for a table of so many bytes. A process reads its part once in a
// pass where the grid has one column, and else twice. Where there are C columns of the grid, each process sends and receives about its
// share of z, rows/R numbers, and with R rows its share of the gradient, columns/C numbers; a dimension of 1 sends nothing.
func Shape(processes int, cut Cut, bytes float64) (r, c int) {
	const readPerSent = 8 // bytes that memory is read by while a network sends one
	rows, columns := cut.dims()
	least := math.Inf(1)
	for tried := 1; tried <= processes; tried++ {
		other := processes / tried
		if tried*other != processes || tried > len(cut.Shards)-1 || other > len(cut.Slices)-1 {
			continue
		}
		read := bytes / float64(processes)
		if other > 1 {
			read *= 2
		}
		if cost := read + readPerSent*Moved(tried, other, rows, columns); cost < least {
			least, r, c = cost, tried, other
		}
	}
	return r, c
}

// Moved returns how many bytes a process sends in a pass over the table, about.
func Moved(r, c, rows, columns int) float64 {
	return 8 * (sent(c)*float64(rows)/float64(r) + sent(r)*float64(columns)/float64(c))
}

// sent returns how many times a vector a process sends while it is summed over n of them, about.
func sent(n int) float64 { return 2 * float64(n-1) / float64(n) }

// Cut is how a table is cut into tiles: shards of rows and slices of columns. It depends on
// the size of the table and groups of columns alone, and blocks of the grid end where they do.
type Cut struct {
	Shards, Slices []int // where each begins, and the last one ends
}

// More tiles could serve more processes, but their sums have to be rounded and added up. When most columns of a wide
// slice are gone, a few are left that are still multiplied together.
const (
	mostShards  = 256  // of a table,
	fewShards   = 16   // as many where there are few rows,
	shardRows   = 1024 // and else one for so many
	mostSlices  = 64
	fewSlices   = 4
	sliceColumn = 4096
)

// NewCut cuts a table.
func NewCut(rows, columns int) Cut {
	return Cut{Shards: Cut{}.rows(rows), Slices: Cut{}.columns(columns)}
}

func (Cut) rows(n int) []int { return cut(n, max(min(n/shardRows, mostShards), min(n, fewShards))) }

func (Cut) columns(n int) []int {
	return cut(n, max(min(n/sliceColumn, mostSlices), min(n, fewSlices)))
}

// Whole returns a cut in which columns from one on and before another are in one slice: one that would end between them ends
// behind them. Slices of which nothing is left are none.
func (c Cut) Whole(from, to int) Cut {
	whole := Cut{Shards: c.Shards}
	for _, at := range c.Slices {
		if from < at && at < to {
			at = to
		}
		whole.Slices = append(whole.Slices, at)
	}
	whole.Slices = slices.Compact(whole.Slices)
	return whole
}

// Apart returns the same cut for the first so many columns alone, and for the others alone: some slices have none of them.
func (c Cut) Apart(columns int) (first, others Cut) {
	first.Shards, others.Shards = c.Shards, c.Shards
	for _, at := range c.Slices {
		first.Slices, others.Slices = append(first.Slices, min(at, columns)), append(others.Slices, max(at-columns, 0))
	}
	return first, others
}

// dims returns how many rows and columns the table has.
func (c Cut) dims() (rows, columns int) {
	return c.Shards[len(c.Shards)-1], c.Slices[len(c.Slices)-1]
}

// cut returns where parts of 0 to n−1 begin and end.
func cut(n, parts int) []int {
	at := make([]int, parts+1)
	for i := range at {
		at[i] = i * n / parts
	}
	return at
}

// share returns the part of n things that the i-th of m processes has.
func share(n, i, m int) (lo, hi int) { return i * n / m, (i + 1) * n / m }

// RowParts returns where the rows of each of so many processes begin, and those of the last one end, in a
// grid of one column. There are fewer processes where rows are few.
func RowParts(rows, processes int) []int {
	shards := Cut{}.rows(rows)
	n := min(processes, len(shards)-1)
	parts := make([]int, n+1)
	for p := range n {
		from, to := share(len(shards)-1, p, n)
		parts[p], parts[p+1] = shards[from], shards[to]
	}
	return parts
}

// Part returns the rows and columns of a table that this process has.
func (g *Grid) Part(c Cut) (fromRow, toRow, fromColumn, toColumn int, err error) {
	if shards, slices := len(c.Shards)-1, len(c.Slices)-1; g.Rows > shards || g.Columns > slices {
		rows, columns := c.dims()
		return 0, 0, 0, 0, fmt.Errorf("grid: %d×%d is too fine for %d rows of %d columns: at most %d×%d", g.Rows, g.Columns, rows, columns, shards, slices)
	}
	s, t := share(len(c.Shards)-1, g.at[0], g.Rows)
	u, v := share(len(c.Slices)-1, g.at[1], g.Columns)
	return c.Shards[s], c.Shards[t], c.Slices[u], c.Slices[v], nil
}

// Extremes returns the least and the greatest number of every column of a table, of which this process
// knows those of its own rows and columns; low is above high where it knows none.
func (g *Grid) Extremes(ctx context.Context, c Cut, low, high []float64) (allLow, allHigh []float64, err error) {
	n := len(low)
	both, err := gatherAlong(ctx, g.column, func(int) int { return 2 * n }, slices.Concat(low, high))
	if err != nil {
		return nil, nil, err
	}
	mine := slices.Clone(both[:2*n])
	for ; len(both) > 0; both = both[2*n:] {
		for j := range n {
			mine[j], mine[n+j] = min(mine[j], both[j]), max(mine[n+j], both[n+j])
		}
	}
	width := func(p int) int {
		u, v := share(len(c.Slices)-1, p, g.Columns)
		return c.Slices[v] - c.Slices[u]
	}
	if allLow, err = gatherAlong(ctx, g.row, width, mine[:n]); err != nil {
		return nil, nil, err
	}
	allHigh, err = gatherAlong(ctx, g.row, width, mine[n:])
	return allLow, allHigh, err
}

// gatherAlong returns what the processes along a row or column have, one after another; process p
// has count(p) numbers.
func gatherAlong[T uint16 | uint32 | float32 | float64 | int64](ctx context.Context, c collective.Comm, count func(p int) int, mine []T) ([]T, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if c.Size() == 1 {
		return mine, nil
	}
	size := len(collective.Bytes(make([]T, 1)))
	counts, total := make([]int, c.Size()), 0
	for p := range counts {
		counts[p] = size * count(p)
		total += count(p)
	}
	all := make([]T, total)
	return all, c.Gather(collective.Bytes(all), counts, collective.Bytes(mine))
}

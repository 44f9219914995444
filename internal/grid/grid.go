// Package grid spreads a table over the processes of a job: a grid of blocks of rows and of
// columns, one block for each process. Each process multiplies its own block. What processes send
// each other are vectors,
//
//	z = Xβ     summed along a row of the grid
//	g = Xᵀr    summed along a column of it
//
// and each coefficient is held by the processes that hold its column. All processes do the same in
// the same order, and arrive at the same model to the last bit, whatever the shape of the grid:
//
// The table is cut into tiles by rules that depend on its size alone, and each process holds some
// of the tiles. One thread computes what a tile adds to a sum, in a fixed order, and rounds it to a
// multiple of a unit that all processes agree on. Such multiples are integers, whose sum is the
// same in any order. A few numbers per tile, such as its loss, are sent as they are and are added
// in the order of the tiles.
package grid

import (
	"context"
	"fmt"
	"math"
	"slices"

	"fsa/internal/collective"
)

// Grid is the arrangement of the processes. Process p is in row p/Columns and column p%Columns.
type Grid struct {
	Rows, Columns int

	world  collective.Comm
	row    collective.Comm // processes with the same rows of the table
	column collective.Comm // processes with the same columns of the table
	at     [2]int          // row and column of this process
}

// New arranges all processes of a job as a grid.
func New(world collective.Comm, rows, columns int) (*Grid, error) {
	if rows < 1 || columns < 1 || rows*columns != world.Size() {
		return nil, fmt.Errorf("grid: a grid of %d×%d needs %d processes, and there are %d: start as many, or give --grid auto", rows, columns, rows*columns, world.Size())
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

// Close frees the communicators of the rows and columns.
func (g *Grid) Close() error {
	if err := g.row.Close(); err != nil {
		return err
	}
	return g.column.Close()
}

// Shape chooses the grid that should be fastest for a table of the given number of bytes. In each
// pass, a process reads its part once if the grid has one column, and twice otherwise. With C
// columns of the grid, each process sends and receives about its share of z, rows/R numbers, and
// with R rows its share of the gradient, columns/C numbers; a dimension of 1 sends nothing.
func Shape(processes int, cut Cut, bytes float64) (r, c int) {
	const readPerSent = 8 // bytes that are read from memory in the time a network sends one
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

// Moved returns roughly how many bytes a process sends in a pass over the table.
func Moved(r, c, rows, columns int) float64 {
	return 8 * (sent(c)*float64(rows)/float64(r) + sent(r)*float64(columns)/float64(c))
}

// sent returns roughly how many times its length in numbers a process sends while a vector is
// summed over n processes.
func sent(n int) float64 { return 2 * float64(n-1) / float64(n) }

// Cut describes how a table is cut into tiles: shards of rows and slices of columns. It depends on
// the size of the table and on groups of columns alone; blocks of the grid end at boundaries of
// tiles.
type Cut struct {
	Shards, Slices []int // where each begins, and where the last one ends
}

// With more tiles, more processes could take part, but the sums of tiles have to be rounded and
// added up. A wide slice that has lost most of its columns still multiplies the few that are left
// together.
const (
	mostShards  = 256  // of a table,
	fewShards   = 16   // minimum for a table with few rows,
	shardRows   = 1024 // otherwise one shard for this many rows
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

// Whole returns a cut that has columns from to to−1 in one slice: a slice that would end between
// them ends behind them. Empty slices are dropped.
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

// Apart returns the same cut for the first columns alone, and for all others alone: some slices are
// then empty.
func (c Cut) Apart(columns int) (first, others Cut) {
	first.Shards, others.Shards = c.Shards, c.Shards
	for _, at := range c.Slices {
		first.Slices, others.Slices = append(first.Slices, min(at, columns)), append(others.Slices, max(at-columns, 0))
	}
	return first, others
}

// dims returns the number of rows and columns of the table.
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

// share returns the part of n things that belongs to the i-th of m processes.
func share(n, i, m int) (lo, hi int) { return i * n / m, (i + 1) * n / m }

// RowParts returns where the rows of each process begin, and where those of the last one end, in a
// grid of one column. It uses fewer processes if there are few rows.
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

// Part returns the rows and columns of a table that this process holds.
func (g *Grid) Part(c Cut) (fromRow, toRow, fromColumn, toColumn int, err error) {
	if shards, slices := len(c.Shards)-1, len(c.Slices)-1; g.Rows > shards || g.Columns > slices {
		rows, columns := c.dims()
		return 0, 0, 0, 0, fmt.Errorf("grid: %d×%d is too fine for %d rows of %d columns: at most %d×%d", g.Rows, g.Columns, rows, columns, shards, slices)
	}
	s, t := share(len(c.Shards)-1, g.at[0], g.Rows)
	u, v := share(len(c.Slices)-1, g.at[1], g.Columns)
	return c.Shards[s], c.Shards[t], c.Slices[u], c.Slices[v], nil
}

// Extremes returns the smallest and the largest number of every column of a table, given those of
// the rows and columns of this process; low is above high where a process has no number.
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

// gatherAlong returns the numbers of all processes along a row or column, one process after
// another; process p has count(p) numbers.
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

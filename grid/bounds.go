package grid

import (
	"context"
	"math"

	"fsa/internal/matrix"
	"fsa/internal/parallel"
)

// tile is what a shard has in the living columns of a slice. Row and column bound what it can add to a sum: the length
// of a row, of each column of which the largest number counts, and that of the longest column.
type tile struct {
	x           *matrix.Dense
	own         bool // nobody else uses x
	row, column float64
	columns     []extent
}

// extent is how large the numbers of a column of a tile are.
type extent struct {
	most    float32 // largest number without its sign
	squares float64 // sum of squares
}

// measured returns the tiles of this process. They are measured once, and not where nothing is learned.
func (m *Matrix) measured() [][]tile {
	if m.norms == nil {
		m.norms = make([][]tile, len(m.tiles))
		parallel.Each(len(m.tiles), func(s int) {
			for _, x := range m.tiles[s] {
				m.norms[s] = append(m.norms[s], measured(x))
			}
		})
	}
	return m.norms
}

// measured returns the tile of some numbers.
func measured(x *matrix.Dense) tile {
	_, cols := x.Dims()
	moments, columns := make([]matrix.Moments, cols), make([]extent, cols)
	_ = x.Measure(context.Background(), moments, func(int) float64 { return 1 }) // numbers in memory cannot fail
	for j, m := range moments {
		columns[j] = extent{most: max(-m.Min, m.Max), squares: m.Squares}
	}
	t := tile{x: x, columns: columns}
	t.bound()
	return t
}

// bound derives the bounds from the columns.
func (t *tile) bound() {
	row, column := 0.0, 0.0
	for _, c := range t.columns {
		row += float64(c.most) * float64(c.most)
		column = max(column, c.squares)
	}
	t.row, t.column = math.Sqrt(row), math.Sqrt(column)
}

// keep drops every column but the given ones, ascending, where they are if nobody else uses them.
func (t *tile) keep(ctx context.Context, columns []int) error {
	if t.own && t.x != nil {
		t.x.Shrink(columns)
	}
	if len(columns) == 0 {
		*t = tile{}
		return nil
	}
	if !t.own {
		x, err := t.x.Select(ctx, nil, columns)
		if err != nil {
			return err
		}
		t.x, t.own = x.(*matrix.Dense), true
	}
	left := make([]extent, len(columns)) // others may use those that there were
	for k, j := range columns {
		left[k] = t.columns[j]
	}
	t.columns = left
	t.bound()
	return nil
}

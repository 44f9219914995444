package grid

import (
	"context"
	"math"

	"fsa/internal/matrix"
)

// tile holds the cells of a shard in the living columns of a slice, however they are stored. Row
// and column bound what the tile can add to a sum: they are the length of the longest row, and that
// of the longest column.
type tile struct {
	x           matrix.Normed // nil if no columns are left
	own         bool          // x is used by nothing else
	row, column float64
	columns     []extent // of a dense tile, from which the bounds follow when columns are dropped; nil for others, which are measured again
}

// extent says how large the numbers of a column of a tile are.
type extent struct {
	most    float32 // largest absolute value
	squares float64 // sum of squares
}

// shard is some rows of this process.
type shard struct {
	lo, hi int
	tiles  []tile // by slice
}

// measured returns the tile of some numbers.
func measured(x matrix.Normed) tile {
	d, ok := x.(*matrix.Dense)
	if !ok {
		t := tile{x: x}
		t.bound()
		return t
	}
	_, cols := d.Dims()
	moments := make([]matrix.Moments, cols)
	_ = d.Measure(context.Background(), moments, func(int) float64 { return 1 }) // numbers in memory cannot fail
	return denseTile(d, moments)
}

// denseTile returns the tile of dense numbers, given the moments of their columns, in which every
// row counts once.
func denseTile(x matrix.Normed, moments []matrix.Moments) tile {
	t := tile{x: x, columns: make([]extent, len(moments))}
	for j, m := range moments {
		t.columns[j] = extent{most: max(-m.Min, m.Max), squares: m.Squares}
	}
	t.bound()
	return t
}

// bound computes the bounds. The bound on a row of a dense tile uses the largest number of each
// column.
func (t *tile) bound() {
	switch {
	case t.x == nil:
		t.row, t.column = 0, 0
	case t.columns == nil:
		t.row, t.column = t.x.Norms()
	default:
		row, column := 0.0, 0.0
		for _, c := range t.columns {
			row += float64(c.most) * float64(c.most)
			column = max(column, c.squares)
		}
		t.row, t.column = math.Sqrt(row), math.Sqrt(column)
	}
}

// keep drops all variables except the given ascending ones: in place if nothing else uses the tile
// and its storage allows it.
func (t *tile) keep(ctx context.Context, vars []int) error {
	if x, ok := t.x.(matrix.Shrinker); ok && t.own {
		x.Shrink(vars)
	} else if len(vars) > 0 {
		some, err := t.x.Select(ctx, nil, vars)
		if err != nil {
			return err
		}
		t.x, t.own = some.(matrix.Normed), true
	}
	if len(vars) == 0 {
		*t = tile{}
		return nil
	}
	if t.columns != nil {
		left := make([]extent, len(vars)) // other objectives may use the old tile
		for k, j := range vars {
			left[k] = t.columns[j]
		}
		t.columns = left
	}
	t.bound()
	return nil
}

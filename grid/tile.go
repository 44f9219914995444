package grid

import (
	"context"

	"fsa/internal/matrix"
)

// tile is what a shard has in the living columns of a slice, dense or sparse. Norms bound what it can add
// to a sum.
type tile struct {
	x           matrix.Normed
	row, column float64 // norm of the longest
}

// measured returns the tile of some numbers.
func measured(x matrix.Normed) tile {
	t := tile{x: x}
	t.row, t.column = x.Norms()
	return t
}

// picked returns some columns of a tile, ascending, with their zeros.
func picked(ctx context.Context, x matrix.Matrix, columns []int) (*matrix.Dense, error) {
	some, err := x.Select(ctx, nil, columns)
	if err != nil {
		return nil, err
	}
	if s, ok := some.(*matrix.Sparse); ok {
		return s.Dense(), nil
	}
	return some.(*matrix.Dense), nil
}

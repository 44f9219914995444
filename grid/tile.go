package grid

import (
	"context"

	"fsa/internal/matrix"
)

// tile is what a shard has in the living columns of a slice, however these are stored. Norms bound what it can add
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

// picked returns some variables of a tile, ascending: sparse ones with their zeros, rounded ones as float32.
func picked(ctx context.Context, x matrix.Matrix, vars []int) (matrix.Matrix, error) {
	some, err := x.Select(ctx, nil, vars)
	if err != nil {
		return nil, err
	}
	switch s := some.(type) {
	case interface{ Dense() *matrix.Dense }:
		return s.Dense(), nil
	case *matrix.SparseBinned:
		return s.Dense(), nil
	}
	return some, nil
}

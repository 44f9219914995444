package data

import (
	"context"
	"errors"

	"fsa/internal/matrix"
)

// ErrNoVectors says that a design holds something else than numbers in memory.
var ErrNoVectors = errors.New("data: single rows and columns can be had of numbers in memory only, not of texts, bins or a table in a file")

// ByRow returns the rows of a design of linear responses.
func (g *Design) ByRow(ctx context.Context) (*matrix.Vectors, error) {
	if x, ok := g.X.(matrix.ByRow); ok {
		return x.Vectors(g.Scale, g.Offset), ctx.Err()
	}
	return nil, ErrNoVectors
}

// ByColumn returns the columns of a design of linear responses.
func (g *Design) ByColumn(ctx context.Context) (*matrix.Vectors, error) {
	rows, err := g.ByRow(ctx)
	if err != nil {
		return nil, err
	}
	return rows.Transposed(), ctx.Err()
}

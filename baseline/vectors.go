package baseline

import (
	"context"
	"errors"

	"fsa/data"
	"fsa/internal/matrix"
)

// errNoVectors is returned if a design has anything other than numbers in memory.
var errNoVectors = errors.New("baseline: single rows and columns are available only for numbers in memory, not for texts, bins or a table in a file")

// rowsOfDesign returns the rows of a design of linear responses.
func rowsOfDesign(ctx context.Context, g *data.Design) (*matrix.Vectors, error) {
	if x, ok := g.X.(matrix.ByRow); ok {
		return x.Vectors(g.Scale, g.Offset), ctx.Err()
	}
	return nil, errNoVectors
}

// columnsOfDesign returns the columns of a design of linear responses.
func columnsOfDesign(ctx context.Context, g *data.Design) (*matrix.Vectors, error) {
	rows, err := rowsOfDesign(ctx, g)
	if err != nil {
		return nil, err
	}
	return rows.Transposed(), ctx.Err()
}

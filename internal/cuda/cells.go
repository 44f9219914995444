package cuda

import (
	"context"
	"fmt"
	"slices"

	"fsa/internal/matrix"
)

// codes is the format of piecewise-linear terms: a variable is a code of 16 bits, and has a
// coefficient for each of its knots.
const codes matrix.Format = 100

// scattered is the format of sparse tables. Their rows have as many coefficients as those of
// float32.
const scattered matrix.Format = 101

// sizeOf is the number of bytes of a cell, by format.
var sizeOf = map[matrix.Format]int{matrix.Float32: 4, matrix.BFloat16: 2, matrix.Int8: 1, codes: 2, scattered: 4}

// cells is a matrix whose rows can be uploaded to the device.
type cells struct {
	matrix.Matrix
	cellFormat
	vars int // stored columns
	copy func(vars []int) func(ctx context.Context, dst []byte, stride, lo, hi int) error
}

// cellFormat describes what a cell stands for.
type cellFormat struct {
	format       matrix.Format
	knots        int // coefficients of a variable on the device: 1 for linear terms
	bins, digits int // of codes
}

// mostKnots is the number of knots of a variable that fit into the shared memory of a block.
const mostKnots = 256

// newCells returns the cells of a matrix, or an error if the device does not support its storage.
func newCells(x matrix.Matrix) (*cells, error) {
	c := &cells{Matrix: x, vars: matrix.Variables(x)}
	switch x := x.(type) {
	case matrix.Plain:
		c.cellFormat, c.copy = cellFormat{format: x.Format(), knots: 1}, x.Copy
	case matrix.Coded:
		bins, digits := x.Codes()
		c.cellFormat, c.copy = cellFormat{codes, bins + 2, bins, digits}, x.CopyCodes // plus one for missing numbers
		if c.knots > mostKnots {
			return nil, fmt.Errorf("%w: %d bins are more than %d", ErrUnsupported, bins, mostKnots-2)
		}
	default:
		return nil, fmt.Errorf("%w: the storage of the table is none of float32, bfloat16, int8, bins and sparse", ErrUnsupported)
	}
	return c, nil
}

// places returns the places of columns among the coefficients of all variables, given the number of
// columns of each variable; nil means one each.
func (c cellFormat) places(widths, columns []int) []int32 {
	to := make([]int32, len(columns))
	if widths == nil {
		for i, column := range columns {
			to[i] = int32(column)
		}
		return to
	}
	first := make([]int, len(widths)+1)
	for v, w := range widths {
		first[v+1] = first[v] + w
	}
	for i, column := range columns {
		v, found := slices.BinarySearch(first, column)
		if !found {
			v--
		}
		to[i] = int32(v*c.knots + column - first[v])
	}
	return to
}

package cuda

import (
	"context"
	"fmt"
	"slices"

	"fsa/internal/matrix"
)

// codes is the format of piecewise-linear responses: a variable is a code of 16 bits, and has a
// coefficient for each of its knots.
const codes matrix.Format = 100

// scattered is the format of sparse tables. Their rows have as many coefficients as those of float32.
const scattered matrix.Format = 101

// sizeOf is how many bytes a cell has, by format.
var sizeOf = map[matrix.Format]int{matrix.Float32: 4, matrix.BFloat16: 2, matrix.Int8: 1, codes: 2, scattered: 4}

// cells are those of a matrix whose rows can be brought to the device.
type cells struct {
	matrix.Matrix
	cellFormat
	vars int // stored columns
	copy func(vars []int) func(ctx context.Context, dst []byte, stride, lo, hi int) error
}

// cellFormat says what a cell stands for.
type cellFormat struct {
	format       matrix.Format
	knots        int // coefficients of a variable on the device: 1 if it is linear
	bins, digits int // of codes
}

// mostKnots is how many knots of a variable fit into the shared memory of a block.
const mostKnots = 256

// newCells returns the cells of a matrix, or says why it has none that the device knows.
func newCells(x matrix.Matrix) (*cells, error) {
	c := &cells{Matrix: x, vars: matrix.Variables(x)}
	switch x := x.(type) {
	case matrix.Plain:
		c.cellFormat, c.copy = cellFormat{format: x.Format(), knots: 1}, x.Copy
	case matrix.Coded:
		bins, digits := x.Codes()
		c.cellFormat, c.copy = cellFormat{codes, bins + 2, bins, digits}, x.CopyCodes // one for missing numbers
		if c.knots > mostKnots {
			return nil, fmt.Errorf("%w: %d bins are more than %d", ErrUnsupported, bins, mostKnots-2)
		}
	default:
		return nil, fmt.Errorf("%w: the table is of another storage than float32, bfloat16, int8, bins and sparse numbers", ErrUnsupported)
	}
	return c, nil
}

// places returns where the coefficients of columns are among those of all variables, which have so many
// columns each, nil meaning one.
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

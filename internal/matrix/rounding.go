package matrix

import (
	"context"
	"math"
)

// Rounder is implemented by Numbers that can be stored in fewer bits, before or after missing
// values are filled.
type Rounder interface {
	Numbers
	// BFloat16 returns the matrix of cells between −2 and 2 in the upper half of a
	// float32. With discard, the numbers are released while they are rounded.
	BFloat16(ctx context.Context, codes []Coding, discard bool) (Matrix, error)
	// Int8 returns the matrix of cells that are integers from −127 to 127.
	Int8(ctx context.Context, codes []Coding, discard bool) (Matrix, error)
}

// Coding describes how the stored numbers of a column are converted to cells.
type Coding struct {
	Zero    float32 // the number whose cell is zero
	PerUnit float32 // change of the cell per unit of the number
}

// cell returns the cell of a number, clipped to −top and top. Numbers beyond are in rows without a
// weight, which do not count in the range of a column.
func (c Coding) cell(v, top float32) float32 {
	cell := (v - c.Zero) * c.PerUnit
	if cell > top {
		return top
	}
	if cell < -top {
		return -top
	}
	return cell
}

// nearest rounds a small number to the nearest integer.
func nearest(v float32) int8 {
	const integer = 0x1.8p23 // numbers of this size are integers, and their low bits are the integer
	return int8(math.Float32bits(v + integer))
}

package data

import (
	"fmt"
	"math"
)

// OffsetOf returns the offset given by a cell of the offset column: the cell itself, or the
// logarithm of an exposure.
func OffsetOf(cell float64, exposure bool) (float64, *Error) {
	if !exposure {
		return cell, checkOffset(cell)
	}
	switch {
	case math.IsNaN(cell):
		return 0, &Error{Msg: "the exposure is missing: every row needs one; correct the cell, or remove the row"}
	case !(cell > 0) || math.IsInf(cell, 1):
		return 0, &Error{Msg: fmt.Sprintf("the exposure is %v: it must be positive and finite; correct the cell, or remove the row", cell)}
	}
	return math.Log(cell), nil
}

// checkOffset returns an error if an offset is missing or infinite.
func checkOffset(v float64) *Error {
	switch {
	case math.IsNaN(v):
		return &Error{Msg: "the offset is missing: every row needs one; correct the cell, or remove the row"}
	case math.IsInf(v, 0):
		return &Error{Msg: fmt.Sprintf("the offset is %v: it must be finite; if the column holds exposures, give --exposure instead of --offset", v)}
	}
	return nil
}

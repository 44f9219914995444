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
		return 0, &Error{Msg: "the exposure is missing or no number: every row needs one; correct the cell, or remove the row"}
	case !(cell > 0) || math.IsInf(cell, 1):
		return 0, &Error{Msg: fmt.Sprintf("the exposure is %v: it must be positive and finite; correct the cell, or remove the row", cell)}
	}
	return math.Log(cell), nil
}

// checkOffset returns an error if an offset is missing or infinite.
func checkOffset(v float64) *Error {
	switch {
	case math.IsNaN(v):
		return &Error{Msg: "the offset is missing or no number: every row needs one; correct the cell, or remove the row"}
	case math.IsInf(v, 0):
		return &Error{Msg: fmt.Sprintf("the offset is %v: it must be finite; if the column holds exposures, give --exposure instead of --offset", v)}
	}
	return nil
}

// offsets returns the offsets given by a vector.
func (r *Roles) offsets(v *Vector) ([]float64, error) {
	if v.Categories != nil {
		return nil, &Error{File: v.Name, Msg: r.offsetWord() + "s must be numbers"}
	}
	out := make([]float64, len(v.Values))
	for i, cell := range v.Values {
		o, err := OffsetOf(cell, r.Exposure)
		if err != nil {
			err.File, err.Row = v.Name, i+1
			return nil, err
		}
		out[i] = o
	}
	return out, nil
}

// offsetWord returns the word for the content of the offset column.
func (r *Roles) offsetWord() string {
	if r.Exposure {
		return "exposure"
	}
	return "offset"
}

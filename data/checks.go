package data

import (
	"fmt"
	"math"
)

// checkWeight returns an error if a weight is invalid.
func checkWeight(w float64) *Error {
	switch {
	case math.IsNaN(w):
		return &Error{Msg: "the weight is missing or no number: every row needs one; 0 leaves a row out"}
	case math.IsInf(w, 0) || w < 0:
		return &Error{Msg: fmt.Sprintf("the weight is %v: it must be a finite number and not negative", w)}
	}
	return nil
}

// checkGroup returns an error if the group of a row is missing.
func checkGroup(v float64) *Error {
	if math.IsNaN(v) {
		return &Error{Msg: "the group is missing: every row needs one"}
	}
	return nil
}

// checkQuery returns an error unless a number identifies a query.
func checkQuery(v float64) *Error {
	if math.IsNaN(v) {
		return &Error{Msg: "the query is missing: every row needs one"}
	}
	if v != math.Trunc(v) {
		return &Error{Msg: fmt.Sprintf("%v cannot be a query: it must be a whole number or a text", v)}
	}
	if math.Abs(v) >= 1<<53 { // above this, neighbouring integers are not distinguishable
		return &Error{Msg: fmt.Sprintf("the query %.0f is too large to be distinguished from others: it must be below 2^53, or a text (--categorical turns a column into texts)", v)}
	}
	return nil
}

// checkResponse returns an error if a response is missing or infinite.
func checkResponse(y float64) *Error {
	if math.IsNaN(y) {
		return &Error{Msg: "the target is missing: every row needs one (--skip-missing-target leaves such rows out)"}
	}
	if math.IsInf(y, 0) {
		return &Error{Msg: "the target is infinite: every row needs a finite one"}
	}
	return nil
}

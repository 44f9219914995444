package data

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// eventOf returns 1 or 0 for a cell of the event column, or NaN if it is neither. Texts may be
// words such as yes and no.
func eventOf(cell float64, texts []string) float64 {
	if texts == nil || cell != cell {
		return cell
	}
	switch word := strings.ToLower(texts[int(cell)]); {
	case slices.Contains([]string{"true", "yes", "1", "t", "y"}, word):
		return 1
	case slices.Contains([]string{"false", "no", "0", "f", "n"}, word):
		return 0
	}
	return math.Inf(1)
}

// checkEvent returns an error unless a number says whether a row had the event.
func checkEvent(v float64) *Error {
	switch {
	case math.IsNaN(v):
		return &Error{Msg: "the event is missing: every row needs 1 if it had the event at its time, or 0 if it was observed until then without one"}
	case math.IsInf(v, 1):
		return &Error{Msg: "the event must be a text that means true or false, or 1 if the row had the event at its time and 0 if it was observed until then without one"}
	case v != 0 && v != 1:
		return &Error{Msg: fmt.Sprintf("the event is %v: it must be 1 if the row had the event at its time, or 0 if it was observed until then without one", v)}
	}
	return nil
}

// checkStratum returns an error if the stratum of a row is missing.
func checkStratum(v float64) *Error {
	if math.IsNaN(v) {
		return &Error{Msg: "the stratum is missing: every row needs one"}
	}
	return nil
}

// checkEntry returns an error unless the entry of a row is a number.
func checkEntry(v float64) *Error {
	switch {
	case math.IsNaN(v):
		return &Error{Msg: "the entry is missing or no number: every row needs the time from which on it was observed; 0 is the start"}
	case math.IsInf(v, 0):
		return &Error{Msg: "the entry must be a finite number: the time from which on the row was observed; 0 is the start"}
	}
	return nil
}

// checkList returns an error unless a list has a valid number for every row; nil is allowed.
func checkList(what string, list []float64, rows int, good func(float64) *Error) error {
	if list != nil && len(list) != rows {
		return &Error{Msg: fmt.Sprintf("there are %s of %d rows, but the table has %d", what, len(list), rows)}
	}
	for i, v := range list {
		if err := good(v); err != nil {
			err.Row = i + 1
			return err
		}
	}
	return nil
}

// checkTrials refuses a number of trials that makes no sense.
func checkTrials(v float64) *Error {
	switch {
	case math.IsNaN(v):
		return &Error{Msg: "the number of trials is missing or no number: every row needs one; correct the cell, or leave the row out"}
	case !(v > 0) || math.IsInf(v, 0):
		return &Error{Msg: fmt.Sprintf("the number of trials is %v: it must be a number above 0; correct the cell, or leave the row out", v)}
	}
	return nil
}

package data

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// eventOf returns 1 or 0 for a cell of the event column, of which texts may be words such as yes and no; NaN if
// it is neither.
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

// checkEvent refuses what does not say whether a row had the event.
func checkEvent(v float64) *Error {
	switch {
	case math.IsNaN(v):
		return &Error{Msg: "the event is missing: every row needs 1 if it had the event at its time, or 0 if it was observed until then without one"}
	case math.IsInf(v, 1):
		return &Error{Msg: "the event is another text than true and false: give 1 if the row had the event at its time, or 0 if it was observed until then without one"}
	case v != 0 && v != 1:
		return &Error{Msg: fmt.Sprintf("the event is %v: it must be 1 if the row had the event at its time, or 0 if it was observed until then without one", v)}
	}
	return nil
}

// checkStratum refuses a row that belongs to no stratum.
func checkStratum(v float64) *Error {
	if math.IsNaN(v) {
		return &Error{Msg: "the stratum is missing: every row needs one"}
	}
	return nil
}

// checkList refuses a list that has not one good number for every row; nil is allowed.
func checkList(what string, list []float64, rows int, good func(float64) *Error) error {
	if list != nil && len(list) != rows {
		return &Error{Msg: fmt.Sprintf("there are %s of %d rows for %d", what, len(list), rows)}
	}
	for i, v := range list {
		if err := good(v); err != nil {
			err.Row = i + 1
			return err
		}
	}
	return nil
}

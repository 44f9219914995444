package data

import (
	"errors"
	"fmt"
	"strings"
)

// ErrBadData is wrapped by every error that blames the input rather than the
// program, the machine or the call.
var ErrBadData = errors.New("bad data")

// Error says what is wrong with an input, and where.
type Error struct {
	File   string // name of the input
	Line   int    // line of a text file, counted from 1; 0 where there is none
	Row    int    // row of a binary file, counted from 1; 0 where there is none
	Column string // name or number of the column; empty where there is none
	Msg    string // what is wrong, and what would have been accepted
	Err    error  // the cause, if it is another error
}

func (e *Error) Error() string {
	var parts []string
	switch {
	case e.File != "" && e.Line > 0:
		parts = append(parts, fmt.Sprintf("%s:%d", e.File, e.Line))
	case e.File != "":
		parts = append(parts, e.File)
	case e.Line > 0:
		parts = append(parts, fmt.Sprintf("line %d", e.Line))
	}
	if e.Row > 0 {
		parts = append(parts, fmt.Sprintf("row %d", e.Row))
	}
	if e.Column != "" {
		parts = append(parts, "column "+e.Column)
	}
	if e.Msg != "" {
		parts = append(parts, e.Msg)
	}
	if e.Err != nil {
		parts = append(parts, e.Err.Error())
	}
	return strings.Join(parts, ": ")
}

// Unwrap makes every Error an [ErrBadData] besides its cause.
func (e *Error) Unwrap() []error {
	if e.Err != nil {
		return []error{ErrBadData, e.Err}
	}
	return []error{ErrBadData}
}

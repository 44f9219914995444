package data

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// ErrBadData is wrapped by every error that is caused by the input and not by the program, the
// machine or the call.
var ErrBadData = errors.New("bad data")

// ErrMemory is wrapped by errors about an input that needs more memory than allowed.
var ErrMemory = errors.New("it needs more memory than may be used")

// Error describes what is wrong with an input, and where.
type Error struct {
	File   string // name of the input
	Line   int    // line of a text file, counted from 1, or 0
	Row    int    // row of a binary file, counted from 1, or 0
	Column string // name or number of the column, or ""
	Msg    string // what is wrong, and what would have been accepted
	Err    error  // cause, if it is another error
}

func (e *Error) Error() string {
	var parts []string
	switch {
	case e.File != "" && e.Line > 0:
		parts = append(parts, fmt.Sprintf("%s:%d", printable(e.File), e.Line))
	case e.File != "":
		parts = append(parts, printable(e.File))
	case e.Line > 0:
		parts = append(parts, fmt.Sprintf("line %d", e.Line))
	}
	if e.Row > 0 {
		parts = append(parts, fmt.Sprintf("row %d", e.Row))
	}
	if e.Column != "" {
		parts = append(parts, "column "+printable(e.Column))
	}
	if e.Msg != "" {
		parts = append(parts, e.Msg)
	}
	if e.Err != nil {
		parts = append(parts, e.Err.Error())
	}
	return strings.Join(parts, ": ")
}

// printable returns a name for a message: in quotation marks if it contains a line break or
// similar, and shortened in the middle if it is too long.
func printable(name string) string {
	const most = 300 // characters
	if !utf8.ValidString(name) || strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }) {
		if len(name) > 4*most {
			name = name[:2*most] + "…" + name[len(name)-2*most:]
		}
		name = strconv.Quote(name)
	}
	if len(name) <= most {
		return name
	}
	r := []rune(name)
	if len(r) <= most {
		return name
	}
	return string(r[:most/2]) + "…" + string(r[len(r)-most/2:])
}

// Unwrap makes every Error match [ErrBadData] as well as its cause.
func (e *Error) Unwrap() []error {
	if e.Err != nil {
		return []error{ErrBadData, e.Err}
	}
	return []error{ErrBadData}
}

// Bad describes the cells of a column that a tolerant reader could not read.
type Bad struct {
	Column int
	Line   int // line of the first such cell
	Count  int // number of such cells in the column
	Msg    string
}

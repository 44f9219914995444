// Package arrow reads tables in Apache Arrow's interprocess format: files, which are
// also Feather of version 2, and streams.
//
// A column is numbers, truth values, points in time or text, as it is or by a
// dictionary. Text becomes the position in the column's list of different texts; dates
// and timestamps are years, times of day hours, as in other formats; durations are
// seconds; decimals are divided by their scale. A null is a missing value. Columns that
// hold lists, structures or the like are refused by name; [Options] can leave them out.
//
// The headers are flatbuffers, of which few fields are needed: they are looked up here,
// each with a check that it lies in its buffer, since a file may come from anybody. Of
// columns that are not compressed only the rows that are asked for are read, so that a
// batch of any length takes little memory.
package arrow

import (
	"bytes"
	"errors"

	"fsa/internal/format/columnar"
)

// Options says what to read of a file.
type Options = columnar.Options

const (
	magic        = "ARROW1"
	continuation = "\xff\xff\xff\xff" // what a message begins with, unless it is very old
)

// Sniff reports whether a file that begins with head is an Arrow file or stream.
func Sniff(head []byte) bool {
	return bytes.HasPrefix(head, []byte(magic)) || bytes.HasPrefix(head, []byte(continuation)) && len(head) > 8 && head[7] == 0
}

var errDamaged = errors.New("it is cut or damaged")

// Package arrow reads tables in Apache Arrow's interprocess format: files, which are also Feather
// version 2, and streams.
//
// A column is numbers, booleans, points in time or text, plain or by a dictionary. Text becomes the
// index in the column's list of different texts; dates and timestamps are years and times of day
// are hours, as in other formats; durations are seconds; decimals are divided by their scale. A
// null is a missing value. Columns of lists, structures or the like are refused by name; [Options]
// can leave them out.
//
// The headers are flatbuffers, of which few fields are needed: they are looked up here, each with a
// bounds check, because a file may come from anybody. Of uncompressed columns only the requested
// rows are read, so a batch of any length takes little memory.
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
	continuation = "\xff\xff\xff\xff" // begins a message, unless it is very old
)

// Sniff reports whether a file that begins with head is an Arrow file or stream.
func Sniff(head []byte) bool {
	return bytes.HasPrefix(head, []byte(magic)) || bytes.HasPrefix(head, []byte(continuation)) && len(head) > 8 && head[7] == 0
}

var errDamaged = errors.New("it is cut or damaged")

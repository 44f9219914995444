// Package challenge reads tables in the text formats of the NIPS 2003 feature selection challenge.
// A row is a line of one of three kinds:
//
//	dense    the numbers of all columns, separated by blanks
//	sparse   index:value pairs; an empty line is a row of zeros
//	binary   the indices of the columns that are 1
//
// Indices count from 1 in the file and from 0 in a block. The labels are in another file, and the
// kind and the number of columns in a third, which [ParseParam] reads.
package challenge

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"fsa/data"
	"fsa/internal/format/csv"
	"fsa/internal/format/svmlight"
)

// Kind is the notation of the rows of a table.
type Kind string

// The kinds. Auto is detected from the first rows.
const (
	Auto   Kind = ""
	Dense  Kind = "dense"
	Sparse Kind = "sparse"
	Binary Kind = "binary"
)

// Options has what a table of the challenge does not contain itself.
type Options struct {
	Kind Kind
	// Width is the number of columns, 0 if it is unknown. A sparse or binary table then ends with
	// its largest index.
	Width int
}

// NewReader starts to read r; the name is for messages. Closing the reader
// does not close r.
func NewReader(r io.Reader, name string, o Options) (data.Reader, error) {
	if o.Kind == Auto {
		head := bufio.NewReaderSize(r, 1<<20)
		text, _ := head.Peek(head.Size()) // errors here occur again when rows are read
		o.Kind, r = sniffKind(text), head
	}
	switch o.Kind {
	case Dense:
		return newDense(r, name, o.Width)
	case Sparse, Binary:
		table, err := svmlight.NewReader(r, name, svmlight.Options{Width: o.Width, Unlabeled: true, Ones: o.Kind == Binary})
		if err != nil {
			return nil, err
		}
		return table, nil
	}
	return nil, fmt.Errorf("challenge: kind %q: it must be dense, sparse or binary", o.Kind)
}

func newDense(r io.Reader, name string, width int) (data.Reader, error) {
	table, err := csv.NewReader(r, name, csv.Options{Header: "no", Comma: ' ', Numeric: true})
	if err != nil {
		return nil, err
	}
	if found := table.Schema().Width; width > 0 && found != width {
		return nil, errors.Join(&data.Error{File: name, Line: 1,
			Msg: fmt.Sprintf("the row has %d numbers where the table should have %d", found, width)}, table.Close())
	}
	return table, nil
}

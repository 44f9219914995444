// Package data holds tables in the form that training needs: numbers in matrices that support
// multiplication, texts as categories, a target, and the information needed to convert results back
// to the units of the input.
//
// A [Reader] delivers the rows of a file in blocks, for any format. A [Builder] collects them into
// a [Dataset]. The rest of the program sees the numbers of a dataset only as a [matrix.Matrix],
// which can be multiplied by a vector from either side, one block of rows at a time. This package
// does not depend on losses.
package data

import (
	"context"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"

	"fsa/data/kind"
)

// Schema describes the columns of a table.
type Schema struct {
	// Width is the number of columns.
	Width int
	// Names holds the name of each column. Nil means that the input has no names; then
	// [Schema.Name] returns generated names.
	Names []string
	// Categories holds, for each text column, its different texts in order of first appearance. The
	// cells of such a column in a block are indices in this list.
	Categories map[int][]string
	// Orders holds, for text columns whose categories have an order in the input, these from the lowest to the highest, also
	// those that do not occur.
	Orders map[int][]string
	// Kinds holds the kinds of columns that are not plain numbers, by column index, if the input
	// has them. A text column may be absent.
	Kinds map[int]kind.Column
	// Sparse says that blocks list only the nonzero cells.
	Sparse bool
	// Open says that the number of columns is not known: columns beyond Width are zero, not
	// missing. Sparse text formats are open unless their width is given.
	Open bool
	// IndexBase is the index of the first column, "0" or "1", in a text format that
	// numbers columns; else "".
	IndexBase string
}

// Name returns the name of column j: its name in the input, or xJ.
func (s *Schema) Name(j int) string {
	if s.Names != nil {
		return s.Names[j]
	}
	return "x" + strconv.Itoa(j)
}

// KindOf returns the kind of column j.
func (s *Schema) KindOf(j int) kind.Column {
	if k, ok := s.Kinds[j]; ok {
		return k
	}
	if _, text := s.Categories[j]; text {
		return kind.Column{Kind: kind.Category}
	}
	return kind.Column{Kind: kind.Number}
}

// FindColumn returns the column with the given name, or with the given number counted from 0. It
// returns −1 if there is none.
func (s *Schema) FindColumn(ref string) int {
	if s.Names != nil {
		if j := slices.Index(s.Names, ref); j >= 0 {
			return j
		}
	} else if number, ok := strings.CutPrefix(ref, "x"); ok {
		if j, err := strconv.Atoi(number); err == nil && j >= 0 && (j < s.Width || s.Open) && s.Name(j) == ref {
			return j
		}
	}
	if j, err := strconv.Atoi(ref); err == nil && j >= 0 && (j < s.Width || s.Open) {
		return j
	}
	return -1
}

// FindColumns returns all columns with the given name, or with the given number counted from 0.
func (s *Schema) FindColumns(ref string) []int {
	var all []int
	for j, name := range s.Names {
		if name == ref {
			all = append(all, j)
		}
	}
	if all == nil {
		if j := s.FindColumn(ref); j >= 0 {
			all = append(all, j)
		}
	}
	return all
}

// Block is a sequence of consecutive rows, dense or sparse according to its schema.
type Block struct {
	// Rows is the number of rows.
	Rows int
	// Line is the line of the first row in a text file, counted from 1, for messages; 0 for other
	// files. Lines holds the line of each row if they are not consecutive, and is nil otherwise.
	// [Block.LineOf] uses both.
	Line  int
	Lines []int

	// Dense holds Rows×Width cells, row after row. NaN is a missing value.
	Dense []float64

	// Start, Index and Value hold the cells of a sparse block. The columns of row i are
	// Index[Start[i]:Start[i+1]], ascending; Value has their cells. NaN is a missing value; a cell
	// that is not listed is zero.
	Start []int
	Index []uint32
	Value []float64

	// Label and Query hold the target and the query of each row, for formats that store them with
	// the cells; nil otherwise.
	Label []float64
	Query []int64

	// Reuse, if it is not nil, returns the memory of the cells to the reader. Only a caller that
	// keeps no reference to the block may call it, and only once.
	Reuse func()
}

// Check returns an error if the size of the block does not match its number of rows and the schema.
// It detects blocks that a caller built incorrectly.
func (b *Block) Check(s *Schema) error {
	switch {
	case b.Rows < 0 || !s.Sparse && len(b.Dense) != b.Rows*s.Width:
		return &Error{Msg: fmt.Sprintf("a block has %d numbers for %d rows of %d columns", len(b.Dense), b.Rows, s.Width)}
	case s.Sparse && (len(b.Start) != b.Rows+1 || b.Start[0] < 0 || b.Start[b.Rows] > min(len(b.Index), len(b.Value)) || !slices.IsSorted(b.Start)):
		return &Error{Msg: fmt.Sprintf("the cells of %d sparse rows do not match the indices of the block", b.Rows)}
	}
	return nil
}

// LineOf returns the line of row i in a text file, or 0 for other files.
func (b *Block) LineOf(i int) int {
	switch {
	case b.Lines != nil:
		return b.Lines[i]
	case b.Line > 0:
		return b.Line + i
	}
	return 0
}

// Reader delivers the rows of one input in order.
type Reader interface {
	// Schema describes the columns. Names are known from the start. The Width of an open schema and
	// the Categories of text columns grow until Next returns io.EOF.
	Schema() *Schema
	// Next returns the next rows, at least one, or io.EOF after the last. The block belongs to the
	// caller. Bad input is reported as [*Error].
	Next(ctx context.Context) (*Block, error)
	Close() error
}

// Sized is a [Reader] that knows the number of rows and cells from the start. For a sparse
// table, these are the listed cells.
type Sized interface {
	Reader
	Size() (rows, cells int64)
}

// Blocks ranges over the blocks of a reader until its end or its first error.
func Blocks(ctx context.Context, r Reader) iter.Seq2[*Block, error] {
	return func(yield func(*Block, error) bool) {
		for {
			b, err := r.Next(ctx)
			// An error that wraps io.EOF is not the end but a truncated file.
			if err == io.EOF || !yield(b, err) || err != nil {
				return
			}
		}
	}
}

// Writer writes a table in one format. It is the counterpart of [Reader].
type Writer interface {
	Write(b *Block) error
	// Close completes the output. It does not close the underlying writer.
	Close() error
}

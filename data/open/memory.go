package open

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"

	"fsa/data"
	"fsa/internal/format/csv"
	"fsa/internal/matrix/paged"
)

// Memory that training needs besides the table: vectors over the columns, blocks that are being
// read, and the program itself.
const (
	perColumn = 400
	perRow    = 64
	program   = 128 << 20
)

// fixed returns the memory that training on a table of this size needs besides its numbers. texts
// is the number of text columns.
func fixed(rows, cols, texts int) int64 {
	return int64(cols)*perColumn + int64(rows)*(perRow+4*int64(texts)) + program
}

// room returns how much memory is left for the numbers of a table; 0 means no limit. It returns an
// error if o.Least columns alone need more.
func (o *Options) room(path string, rows, cols, texts int) (int64, error) {
	if o.Memory == 0 {
		return math.MaxInt64, nil
	}
	need := fixed(rows, cols, texts)
	if need > o.Memory {
		return 0, &MemoryError{path, need, o.Memory, "allow more"}
	}
	if least := need + 4*int64(rows)*int64(min(o.Least, cols)); least > o.Memory {
		return 0, &MemoryError{path, least, o.Memory, fmt.Sprintf("allow more memory, or select fewer than %d columns", o.Least)}
	}
	return o.Memory - need, nil
}

// Memory that a conversion needs, in bytes.
const (
	converter   = 40 << 20 // the program and the rows that are being read
	sparseGroup = 32 << 20 // rows of a sparse table before they are written
	convSparse  = 264      // per column of a sparse table that has values
	convColumn  = 240      // per column: its name, moments, and its part of the footer
	convRows    = 8 * 24   // per column: some rows of it, before and in the panel
	convKind    = 700      // per column whose cells are not plain numbers
	convText    = 1600     // per text column, in addition
	convState   = 200      // per column in the saved state
)

// roomToConvert returns how much memory is left for panels, in the form of [panel.Options]. It
// returns an error if the columns alone need more. A number may be stored in a panel twice, as
// float32 and as float64, so only half of the memory that is left is promised.
func (o *Options) roomToConvert(path string, s *data.Schema, resumed bool) (int64, error) {
	if s.Sparse { // it is not yet known which columns have values
		return o.Memory, nil
	}
	texts, width := int64(len(s.Categories)), int64(s.Width)
	need := convColumn*width + convText*texts + convKind*max(int64(len(s.Kinds))-texts, 0)
	least := need + convRows*width
	if resumed { // neither the memory for panels nor the bytes of the file depend on that
		least += convState * width
	}
	have := besides(o.Memory, converter)
	if o.Memory > 0 && least > have {
		return 0, &MemoryError{path, converter + least, o.Memory, fmt.Sprintf("its %d columns need that much: allow more memory", s.Width)}
	}
	return min((have-need)/2, o.Memory), nil
}

// fewColumns is the memory that columns may always take, in bytes.
const fewColumns = 8 << 20

// besides returns the memory that is left for columns. A small table is accepted even if the limit
// is below what the program itself needs.
func besides(memory, base int64) int64 { return max(memory-base, memory/4, fewColumns) }

// Approximate memory per column for reading the names and the first rows of a text table. A small
// compressed file may contain any number of columns, so there is a default limit that only the user
// can raise.
const (
	textColumn   = 256
	unaskedBytes = 256 << 20
)

// mostTextColumns returns the maximal number of columns of a text table.
func (o *Options) mostTextColumns() int { return int(o.textBytes() / textColumn) }

func (o *Options) textBytes() int64 {
	switch {
	case o.Memory == 0:
		return unaskedBytes
	case o.Assumed:
		return min(o.Memory, unaskedBytes)
	}
	return o.Memory
}

// tooWide explains the error for a text table with more columns.
func (o *Options) tooWide(path string, err error) error {
	if wide, ok := errors.AsType[*csv.TooWide](err); ok {
		need := textColumn * int64(wide.Columns)
		return &MemoryError{path, need, o.textBytes(), fmt.Sprintf("it has %d columns: if that is right, convert it with --memory %s", wide.Columns, roundUp(need))}
	}
	return err
}

// roundUp formats a number of bytes, rounded up, as a value for --memory.
func roundUp(n int64) string { return fmt.Sprintf("%dGiB", (2*n)>>30+1) }

// inPlace returns the numbers of a table that is read directly from its file.
func (o *Options) inPlace(path string, src io.ReaderAt, offset int64, rows, cols int) (*paged.Dense, error) {
	room, err := o.room(path, rows, cols, 0)
	if err != nil {
		return nil, err
	}
	m := paged.NewPlain(src, offset, rows, cols, room)
	if o.Whole == "" || o.Memory == 0 {
		return m, nil
	}
	return m, o.checkWhole(path, room, 4*int64(m.Cells()), func(room int64) bool { return paged.NewPlain(nil, 0, rows, cols, room).Fits() })
}

// fromStore returns the dataset of a table that is read by columns.
func fromStore(ctx context.Context, path string, s data.Store, roles data.Roles, o *Options) (*data.Dataset, error) {
	rows, cols := s.Dims()
	limit := *o
	if s.Schema().Sparse {
		cols, limit.Least = len(s.Occurring()), 0 // its columns have few cells
	}
	room, err := limit.room(path, rows, cols, len(s.Schema().Categories))
	if err != nil {
		return nil, err
	}
	if err := o.checkStored(path, s, &roles, room); err != nil {
		return nil, err
	}
	return data.FromStore(ctx, path, s, roles, room)
}

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

// What learning takes besides the table: vectors over the columns, blocks that
// are being read, and the program itself.
const (
	perColumn = 400
	perRow    = 64
	program   = 128 << 20
)

// fixed returns what learning from a table of this size takes besides its
// numbers. Texts is the number of text columns.
func fixed(rows, cols, texts int) int64 {
	return int64(cols)*perColumn + int64(rows)*(perRow+4*int64(texts)) + program
}

// room returns how much memory is left for the numbers of a table; 0 allows
// any. It refuses a table whose last o.Least columns alone take more.
func (o *Options) room(path string, rows, cols, texts int) (int64, error) {
	if o.Memory == 0 {
		return math.MaxInt64, nil
	}
	need := fixed(rows, cols, texts)
	if need > o.Memory {
		return 0, &MemoryError{path, need, o.Memory, "allow more"}
	}
	if least := need + 4*int64(rows)*int64(min(o.Least, cols)); least > o.Memory {
		return 0, &MemoryError{path, least, o.Memory, fmt.Sprintf("allow more, or select fewer than %d columns", o.Least)}
	}
	return o.Memory - need, nil
}

// What a conversion takes, in bytes.
const (
	converter   = 40 << 20 // the program and the rows that are being read
	sparseGroup = 32 << 20 // rows of a sparse table before they are written
	convSparse  = 264      // of a column of a sparse table that occurs
	convColumn  = 240      // of a column: its name, moments, and its part of the footer
	convRows    = 8 * 24   // of some rows of a column, before and in the panel
	convKind    = 700      // of one whose cells are not plain numbers
	convText    = 1600     // of one of texts, beside them
	convState   = 200      // of a column in what is noted to go on from
)

// roomToConvert returns how much of the memory is left for panels, as [panel.Options] wants it.
// It refuses a table whose columns alone take more. A number may have to be kept in a panel
// twice, as float32 and as float64, so that half of what is left is promised.
func (o *Options) roomToConvert(path string, s *data.Schema, resumed bool) (int64, error) {
	if s.Sparse { // which columns occur is not known yet
		return o.Memory, nil
	}
	texts, width := int64(len(s.Categories)), int64(s.Width)
	need := convColumn*width + convText*texts + convKind*max(int64(len(s.Kinds))-texts, 0)
	least := need + convRows*width
	if resumed { // what is left does not depend on that, and neither do the bytes of the file
		least += convState * width
	}
	have := besides(o.Memory, converter)
	if o.Memory > 0 && least > have {
		return 0, &MemoryError{path, converter + least, o.Memory, fmt.Sprintf("its %d columns take that: allow more", s.Width)}
	}
	return min((have-need)/2, o.Memory), nil
}

// fewColumns is what columns may take in any case, in bytes.
const fewColumns = 8 << 20

// besides returns what of the memory is left for columns. A small table is not refused
// because less is allowed than the program takes.
func besides(memory, base int64) int64 { return max(memory-base, memory/4, fewColumns) }

// Reading the names and the first rows of a text table takes about so much for a column. A
// small file may unpack to any number of them: nobody has to expect more than some without
// having allowed it.
const (
	textColumn   = 256
	unaskedBytes = 256 << 20
)

// mostTextColumns returns how many columns a text table may have.
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

// tooWide explains an error about a text table that has more columns.
func (o *Options) tooWide(path string, err error) error {
	if wide, ok := errors.AsType[*csv.TooWide](err); ok {
		need := textColumn * int64(wide.Columns)
		return &MemoryError{path, need, o.textBytes(), fmt.Sprintf("it has %d columns: if that is right, convert it with --memory %s", wide.Columns, roundUp(need))}
	}
	return err
}

// roundUp writes a number of bytes as a size for --memory that is enough.
func roundUp(n int64) string { return fmt.Sprintf("%dGiB", (2*n)>>30+1) }

// inPlace returns the numbers of a table that is read where it lies.
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
		cols, limit.Least = len(s.Occurring()), 0 // its columns are not full
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

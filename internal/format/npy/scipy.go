package npy

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"sort"

	"fsa/data"
)

// sparse reads a sparse matrix of SciPy's save_npz: the cells by rows are in the members indices
// and data, and indptr has the start of each row. They are streamed side by side.
type sparse struct {
	name                string
	schema              data.Schema
	rows, cells         int
	start, index, value *Reader
	row, cell           int // that come next
	failed              error
}

var _ data.Sized = (*sparse)(nil)

// isSparse reports whether the members are those of a sparse matrix of SciPy.
func (a *archive) isSparse() bool { return a.has("format", "shape", "data") }

// openSparse opens the matrix of the members.
func (a *archive) openSparse() (_ *sparse, err error) {
	bad := func(format string, args ...any) (*sparse, error) {
		return nil, &data.Error{File: a.name, Msg: "a sparse matrix of SciPy, " + fmt.Sprintf(format, args...)}
	}
	format, err := a.text("format")
	if err != nil {
		return nil, err
	}
	if format != "csr" || !a.has("indptr", "indices") {
		return bad("which can be read by rows only (csr), and this one is %.20q: save its .tocsr()", format)
	}
	s := &sparse{name: a.name}
	defer func() {
		if err != nil {
			s.Close()
		}
	}()
	shape, err := a.open("shape", 1)
	if err != nil {
		return nil, err
	}
	dims, err := shape.vector()
	if err = errors.Join(err, shape.Close()); err != nil {
		return nil, err
	}
	const most = math.MaxInt32 // the limit of a model
	if len(dims) != 2 || !isCount(dims[0], most) || !isCount(dims[1], most) || dims[0] == 0 || dims[1] == 0 {
		return bad("whose shape is %.80s: it must have rows and columns, at most %d of each", fmt.Sprint(dims), most)
	}
	s.rows, s.schema = int(dims[0]), data.Schema{Width: int(dims[1]), Sparse: true}
	for _, v := range []struct {
		array string
		to    **Reader
	}{{"indptr", &s.start}, {"indices", &s.index}, {"data", &s.value}} {
		r, err := a.open(v.array, 1)
		if err != nil {
			return nil, err
		}
		if *v.to = r; len(r.head.Shape) != 1 {
			return bad("whose %s is a %s: one dimension is expected", v.array, &r.head)
		}
	}
	s.cells = s.index.rows
	if s.start.rows != s.rows+1 || s.value.rows != s.cells {
		return bad("whose indptr has %d numbers for %d rows, and %d indices are for %d cells: one of them was damaged",
			s.start.rows, s.rows, s.cells, s.value.rows)
	}
	first, err := s.start.take(context.Background(), 1)
	if err == nil && first[0] != 0 {
		return bad("whose indptr begins with %v, not 0: it was damaged", first[0])
	}
	return s, err
}

// text returns the text of a member, which is not of a numeric type.
func (a *archive) text(array string) (string, error) {
	m, err := a.find(array).Open()
	if err != nil {
		return "", blame(a.name+":"+array, "cannot be unpacked", err)
	}
	defer m.Close()
	const most = 1 << 12
	all, err := io.ReadAll(io.LimitReader(m, most))
	if err != nil {
		return "", blame(a.name+":"+array, "cannot be unpacked", err)
	}
	_, text, _ := bytes.Cut(all, []byte("\n")) // a header ends with the line
	return string(bytes.ReplaceAll(text, []byte{0}, nil)), nil
}

// Schema implements [data.Reader].
func (s *sparse) Schema() *data.Schema { return &s.schema }

// Size implements [data.Sized].
func (s *sparse) Size() (rows, cells int64) { return int64(s.rows), int64(s.cells) }

// Close implements [data.Reader].
func (s *sparse) Close() error {
	var all error
	for _, r := range []*Reader{s.start, s.index, s.value} {
		if r != nil {
			all = errors.Join(all, r.Close())
		}
	}
	return all
}

// Next implements [data.Reader].
func (s *sparse) Next(ctx context.Context) (b *data.Block, err error) {
	if s.failed != nil {
		return nil, s.failed
	}
	defer func() { s.failed = err }() // the streams may be out of step
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if s.row == s.rows {
		return nil, s.end()
	}
	n := min(max(1, blockCells/(s.cells/s.rows+1)), s.rows-s.row)
	b = &data.Block{Rows: n, Start: make([]int, n+1)}
	ends, err := s.start.take(ctx, n)
	if err != nil {
		return nil, err
	}
	for i, end := range ends {
		if !isCount(end, s.cells) || int(end)-s.cell < b.Start[i] {
			return nil, s.damaged(i, fmt.Sprintf("its cells end at %v", end))
		}
		b.Start[i+1] = int(end) - s.cell
	}
	index, err := s.index.take(ctx, b.Start[n])
	if err != nil {
		return nil, err
	}
	if b.Value, err = s.value.take(ctx, b.Start[n]); err != nil {
		return nil, err
	}
	b.Index = make([]uint32, len(index))
	for i := range n {
		if err := s.cut(b, index, i); err != nil {
			return nil, err
		}
	}
	s.row += n
	s.cell += b.Start[n]
	return b, nil
}

// cut sets the columns of row i of a block, in ascending order, and checks its cells.
func (s *sparse) cut(b *data.Block, index []float64, i int) error {
	lo, hi := b.Start[i], b.Start[i+1]
	for p := lo; p < hi; p++ {
		if !isCount(index[p], s.schema.Width-1) {
			return s.damaged(i, fmt.Sprintf("it has a cell in column %v of %d", index[p], s.schema.Width))
		}
		b.Index[p] = uint32(index[p])
		if math.IsInf(b.Value[p], 0) {
			return infiniteCell(s.name, s.row+i+1, s.schema.Name(int(b.Index[p])))
		}
	}
	row := byIndex{b.Index[lo:hi], b.Value[lo:hi]}
	if !sort.IsSorted(row) {
		sort.Stable(row)
	}
	for p := lo + 1; p < hi; p++ {
		if b.Index[p] == b.Index[p-1] {
			return &data.Error{File: s.name, Row: s.row + i + 1, Column: s.schema.Name(int(b.Index[p])),
				Msg: "the matrix has two cells there: save it after .sum_duplicates()"}
		}
	}
	return nil
}

// damaged refuses row i of the next block.
func (s *sparse) damaged(i int, what string) error {
	return &data.Error{File: s.name, Row: s.row + i + 1, Msg: "the row is invalid: " + what + "; the file was damaged"}
}

// end returns io.EOF if nothing is left of any of the arrays.
func (s *sparse) end() error {
	if s.cell != s.cells {
		return &data.Error{File: s.name, Msg: fmt.Sprintf("%d of %d cells belong to no row: the file was damaged", s.cells-s.cell, s.cells)}
	}
	for _, r := range []*Reader{s.start, s.index, s.value} {
		if err := r.end(); err != io.EOF {
			return err
		}
	}
	return io.EOF
}

// take returns the next n numbers of a vector, also infinite ones.
func (r *Reader) take(ctx context.Context, n int) ([]float64, error) {
	v, _, err := r.cells(ctx, n)
	r.row += n
	return v, err
}

// isCount reports whether v is a whole number from 0 to most.
func isCount(v float64, most int) bool { return v >= 0 && v <= float64(most) && v == math.Floor(v) }

// byIndex sorts the cells of a row.
type byIndex struct {
	index []uint32
	value []float64
}

func (r byIndex) Len() int           { return len(r.index) }
func (r byIndex) Less(a, b int) bool { return r.index[a] < r.index[b] }
func (r byIndex) Swap(a, b int) {
	r.index[a], r.index[b] = r.index[b], r.index[a]
	r.value[a], r.value[b] = r.value[b], r.value[a]
}

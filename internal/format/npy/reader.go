package npy

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime/debug"

	"fsa/data"
	"fsa/internal/fault"
	"fsa/internal/kernel"
)

// Reader returns the rows of an array. It implements [data.Reader].
type Reader struct {
	name   string
	head   Header
	schema data.Schema
	rows   int

	src    source
	start  int // offset of the first cell in a file; 0 in a stream
	row    int // the next one
	failed error
	decode *decoder
	tile   []float64 // columns in Fortran order while they are converted to rows
	window *window   // window on columns of a file in Fortran order; nil for others
}

var _ data.Sized = (*Reader)(nil)

// Open opens a .npy file. A regular file stored by rows is mapped into memory if the system
// supports it; anything else, such as a pipe, is read.
func Open(path string) (*Reader, error) {
	f, err := fault.OpenFile(path)
	if err != nil {
		return nil, fmt.Errorf("npy: %w", err)
	}
	r, err := openFile(f, path)
	if err != nil {
		f.Close()
		return nil, err
	}
	return r, nil
}

// OpenFile is Open for an open file, which is closed with the reader. The name is for messages.
func OpenFile(f *os.File, name string) (*Reader, error) { return openFile(&fault.File{File: f}, name) }

func openFile(f *fault.File, path string) (*Reader, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("npy: %w", err)
	}
	if info.Mode()&fs.ModeType != 0 {
		r, err := NewReader(f, path)
		if err != nil {
			return nil, err
		}
		r.src.(*stream).below = []io.Closer{f}
		return r, nil
	}
	h, start, err := ReadHeader(f, path)
	if err != nil {
		return nil, err
	}
	r, err := newReader(h, path)
	if err != nil {
		return nil, err
	}
	switch have := info.Size() - int64(start); {
	case have < int64(h.Bytes()):
		return nil, r.short(int(have))
	case have > int64(h.Bytes()):
		return nil, r.long()
	}
	r.start = start
	if h.Fortran && r.schema.Width > 1 {
		// A block of rows is a little of every column, and a system may bring two megabytes into
		// memory for each access to a mapping.
		r.src, r.window = &file{File: f}, new(window)
	} else {
		r.src = mapFile(f, int(info.Size()))
	}
	return r, nil
}

// NewReader reads a .npy file from a stream, which must be decompressed already. The name is for
// messages. Closing the reader does not close the stream.
func NewReader(r io.Reader, name string) (*Reader, error) {
	h, _, err := ReadHeader(r, name)
	if err != nil {
		return nil, err
	}
	reader, err := newReader(h, name)
	if err != nil {
		return nil, err
	}
	reader.src = &stream{r: r}
	return reader, nil
}

// newReader makes a reader without its source.
func newReader(h Header, name string) (*Reader, error) {
	rows, cols, err := h.table(name)
	if err != nil {
		return nil, err
	}
	return &Reader{name: name, head: h, schema: data.Schema{Width: cols}, rows: rows, decode: newDecoder(&h)}, nil
}

// Header returns the header of the array.
func (r *Reader) Header() Header { return r.head }

// Schema implements [data.Reader]. Arrays have no column names.
func (r *Reader) Schema() *data.Schema { return &r.schema }

// Size implements [data.Sized].
func (r *Reader) Size() (rows, cells int64) {
	return int64(r.rows), int64(r.rows) * int64(r.schema.Width)
}

// InPlace reports whether the file has float32 numbers by rows, as the machine has them in memory,
// and where they begin.
func (r *Reader) InPlace() (offset int64, ok bool) {
	little := binary.NativeEndian.Uint16([]byte{1, 0}) == 1
	return int64(r.start), r.start > 0 && r.head.Type == Float32 && r.head.Big != little && !r.head.Fortran
}

// Close implements [data.Reader].
func (r *Reader) Close() error { return r.src.Close() }

// Skip skips rows of a file without reading them, and returns their number. Rows of a stream cannot
// be skipped.
func (r *Reader) Skip(rows int) int {
	if _, comes := r.src.(*stream); comes || r.failed != nil {
		return 0
	}
	n := max(min(rows, r.rows-r.row), 0)
	r.row += n
	return n
}

// Next implements [data.Reader].
func (r *Reader) Next(ctx context.Context) (b *data.Block, err error) {
	if r.failed != nil {
		return nil, r.failed
	}
	// Part of a stream may be lost after an error, so it is final.
	defer func() { r.failed = err }()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if r.row == r.rows {
		return nil, r.end()
	}
	// A mapped file that another program truncates faults at the missing bytes. That must not end
	// the whole program.
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer r.faulted(&err)

	cols := r.schema.Width
	n := min(max(1, blockCells/cols), r.rows-r.row)
	fill := r.rowBlock
	if r.head.Fortran && cols > 1 {
		fill = r.columnBlock
	}
	cells, err := fill(ctx, n)
	if err != nil {
		return nil, err
	}
	b = &data.Block{Rows: n, Dense: cells}
	r.row += n
	return b, nil
}

// rowBlock converts the next n rows of an array in C order.
func (r *Reader) rowBlock(ctx context.Context, n int) ([]float64, error) {
	cells, bad, err := r.cells(ctx, n)
	if bad >= 0 {
		return nil, r.infinite(bad/r.schema.Width, bad%r.schema.Width)
	}
	return cells, err
}

// cells converts the next n rows of an array in C order and returns the position of the first
// infinite cell of them, or −1.
func (r *Reader) cells(ctx context.Context, n int) (cells []float64, bad int, err error) {
	size := r.schema.Width * r.head.Type.Size()
	src, err := r.at(ctx, r.row*size, n*size)
	if err != nil {
		return nil, -1, err
	}
	cells = make([]float64, n*r.schema.Width)
	return cells, r.decode.decode(cells, src), nil
}

// columnBlock collects the next n rows from every column of an array in Fortran order. It processes
// a few columns at a time, as many as fill a cache line of the rows.
func (r *Reader) columnBlock(ctx context.Context, n int) ([]float64, error) {
	if s, ok := r.src.(*stream); ok {
		if err := r.load(ctx, s); err != nil {
			return nil, err
		}
	}
	if r.window != nil {
		if err := r.window.move(ctx, r, n); err != nil {
			return nil, err
		}
	}
	cols := r.schema.Width
	line := min(kernel.Line, cols)
	cells := make([]float64, n*cols)
	if len(r.tile) < n*line {
		r.tile = make([]float64, n*line)
	}
	for first := 0; first < cols; first += line {
		few := min(line, cols-first)
		for j := range few {
			src, err := r.column(ctx, first+j, n)
			if err != nil {
				return nil, err
			}
			if bad := r.decode.decode(r.tile[j*n:][:n], src); bad >= 0 {
				return nil, r.infinite(bad, first+j)
			}
		}
		kernel.FromColumns(cells[first:], cols, r.tile, n, few, n)
	}
	return cells, nil
}

// column returns the next n cells of a column.
func (r *Reader) column(ctx context.Context, j, n int) ([]byte, error) {
	if r.window != nil {
		return r.window.column(r, j, n), nil
	}
	size := r.head.Type.Size()
	return r.at(ctx, (j*r.rows+r.row)*size, n*size)
}

// load reads the whole of a stream into memory.
func (r *Reader) load(ctx context.Context, s *stream) error {
	all, err := r.at(ctx, 0, r.head.Bytes())
	if err != nil {
		return err
	}
	if err := r.end(); err != io.EOF {
		return err
	}
	r.src = &memory{all, s}
	return nil
}

// at returns n bytes of the array from off on.
func (r *Reader) at(ctx context.Context, off, n int) ([]byte, error) {
	b, err := r.src.at(ctx, r.start+off, n)
	switch {
	case err == nil:
		return b, nil
	case errors.Is(err, io.ErrUnexpectedEOF):
		return nil, r.short(off + len(b))
	case ctx.Err() != nil:
		return nil, ctx.Err()
	}
	return nil, passOn(r.name, err)
}

// end returns io.EOF if nothing follows the array.
func (r *Reader) end() error {
	if s, ok := r.src.(*stream); ok {
		switch ended, err := s.ended(); {
		case err != nil:
			return passOn(r.name, err)
		case !ended:
			return r.long()
		}
	}
	return io.EOF
}

func (r *Reader) short(have int) error {
	return &data.Error{File: r.name, Msg: fmt.Sprintf(
		"the header promises %s, %d bytes, but only %d follow it; the file was cut short", &r.head, r.head.Bytes(), have)}
}

func (r *Reader) long() error {
	return &data.Error{File: r.name, Msg: fmt.Sprintf(
		"the header promises %s, %d bytes, but more follow it; a file holds one array, an .npz file several", &r.head, r.head.Bytes())}
}

// infinite refuses cell (i, j) of the next block.
func (r *Reader) infinite(i, j int) error {
	return infiniteCell(r.name, r.row+i+1, r.schema.Name(j))
}

func infiniteCell(file string, row int, column string) error {
	return &data.Error{File: file, Row: row, Column: column, Msg: "the cell is infinite; a number or NaN (for a missing value) is expected"}
}

// faulted ends a panic that a vanished page of a mapped file caused.
func (r *Reader) faulted(err *error) {
	switch p := recover().(type) {
	case nil:
	case interface{ Addr() uintptr }:
		*err = &data.Error{File: r.name, Msg: "the file became shorter, or its disk failed, while it was read"}
	default:
		panic(p)
	}
}

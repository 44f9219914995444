package npy

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"strings"

	"fsa/data"
)

// Writer writes a table as an array in C order. It implements [data.Writer].
type Writer struct {
	// Type is the type of the cells: Float32, as NewWriter sets it, or Float64. It may be changed
	// before the first Write. Rounding to float32 keeps about seven digits; a cell beyond its range
	// is an error.
	Type Type

	w     io.Writer
	shape []int
	cols  int
	row   int // rows written
	buf   []byte
}

var _ data.Writer = (*Writer)(nil)

// NewWriter begins an array on w. The header comes first in the file, so the size must be known;
// [Writer.Close] reports whether the promise was kept.
func NewWriter(w io.Writer, rows, cols int) (*Writer, error) {
	if rows < 1 || cols < 1 {
		return nil, fmt.Errorf("npy: cannot write %d rows of %d columns; a table needs one of each", rows, cols)
	}
	return &Writer{Type: Float32, w: w, shape: []int{rows, cols}, cols: cols}, nil
}

// Write implements [data.Writer]. The block must be dense.
func (w *Writer) Write(b *data.Block) error {
	if len(b.Dense) != b.Rows*w.cols {
		return fmt.Errorf("npy: a block of %d rows has %d cells, not %d columns each", b.Rows, len(b.Dense), w.cols)
	}
	if b.Rows > w.shape[0]-w.row {
		return fmt.Errorf("npy: row %d of an array of %d rows", w.row+b.Rows, w.shape[0])
	}
	if w.buf == nil {
		if err := w.begin(); err != nil {
			return err
		}
	}
	size := w.Type.Size()
	for off := 0; off < len(b.Dense); {
		n := min(len(b.Dense)-off, len(w.buf)/size)
		if bad := w.encode(b.Dense[off:][:n]); bad >= 0 {
			at := w.row*w.cols + off + bad
			return &data.Error{Row: at/w.cols + 1, Column: new(data.Schema).Name(at % w.cols),
				Msg: fmt.Sprintf("%v cannot be written as %v; a finite number within its range or NaN can", b.Dense[off+bad], w.Type)}
		}
		if _, err := w.w.Write(w.buf[:n*size]); err != nil {
			return fmt.Errorf("npy: %w", err)
		}
		off += n
	}
	w.row += b.Rows
	return nil
}

// begin writes the header.
func (w *Writer) begin() error {
	if w.Type != Float32 && w.Type != Float64 {
		return fmt.Errorf("npy: cannot write cells of type %d; Float32 and Float64 can be written", w.Type)
	}
	if _, err := w.w.Write(appendHeader(nil, w.Type, w.shape)); err != nil {
		return fmt.Errorf("npy: %w", err)
	}
	w.buf = make([]byte, 1<<18)
	return nil
}

// encode fills the buffer with cells. It returns the position of the first one that is infinite,
// possibly by its conversion, or -1.
func (w *Writer) encode(cells []float64) int {
	if w.Type == Float64 {
		for i, v := range cells {
			binary.LittleEndian.PutUint64(w.buf[8*i:], math.Float64bits(v))
		}
		return infinite(cells)
	}
	for i, v := range cells {
		x := float32(v)
		if math.IsInf(float64(x), 0) {
			return i
		}
		binary.LittleEndian.PutUint32(w.buf[4*i:], math.Float32bits(x))
	}
	return -1
}

// Close implements [data.Writer].
func (w *Writer) Close() error {
	if w.row < w.shape[0] {
		return fmt.Errorf("npy: %d rows were promised and %d written", w.shape[0], w.row)
	}
	return nil
}

// appendHeader appends a header of version 1. Like NumPy, it pads the text so that the cells begin
// at a multiple of 64 bytes and can be mapped.
func appendHeader(b []byte, t Type, shape []int) []byte {
	lengths := make([]string, len(shape))
	for i, n := range shape {
		lengths[i] = fmt.Sprint(n)
	}
	tuple := strings.Join(lengths, ", ")
	if len(shape) == 1 {
		tuple += ","
	}
	text := fmt.Sprintf("{'descr': '<%s', 'fortran_order': False, 'shape': (%s), }", types[t].code, tuple)
	text += strings.Repeat(" ", 63-(10+len(text))%64) + "\n"
	b = append(b, magic+"\x01\x00"...)
	b = binary.LittleEndian.AppendUint16(b, uint16(len(text)))
	return append(b, text...)
}

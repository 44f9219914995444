package npy

import (
	"context"
	"io"
	"os"

	"fsa/internal/fault"
)

// windowBytes is the size of a window. Columns of an array in Fortran order are read ahead this
// far, so that many of them take few and long reads.
const windowBytes = 32 << 20

// window has the same rows of all columns of a file in Fortran order.
type window struct {
	buf         []byte // column after column
	first, rows int    // rows in the window
}

// move moves the window to the next n rows, and more if there is room.
func (w *window) move(ctx context.Context, r *Reader, n int) error {
	if r.row >= w.first && r.row+n <= w.first+w.rows {
		return nil
	}
	cols, size := r.schema.Width, r.head.Type.Size()
	w.first, w.rows = r.row, min(max(n, windowBytes/(cols*size)), r.rows-r.row)
	if need := w.rows * cols * size; cap(w.buf) < need {
		w.buf = make([]byte, need)
	}
	w.buf = w.buf[:w.rows*cols*size]
	for j := range cols {
		if err := ctx.Err(); err != nil {
			return err
		}
		src, err := r.at(ctx, (j*r.rows+r.row)*size, w.rows*size)
		if err != nil {
			w.rows = 0
			return err
		}
		copy(w.buf[j*w.rows*size:], src)
	}
	return nil
}

// column returns the next n cells of a column.
func (w *window) column(r *Reader, j, n int) []byte {
	size := r.head.Type.Size()
	return w.buf[(j*w.rows+r.row-w.first)*size:][:n*size]
}

// InColumns returns the number of bytes of a stream that must be read before its first row is known
// because it is stored by columns; 0 if it is stored by rows.
func (r *Reader) InColumns() int {
	if _, comes := r.src.(*stream); !comes || !r.head.Fortran || r.schema.Width < 2 {
		return 0
	}
	return r.head.Bytes()
}

// Spill writes the rest of a stream to a file, which is closed with the reader, so that it need not
// be held in memory.
func (r *Reader) Spill(ctx context.Context, f *os.File) error {
	to := &fault.File{File: f}
	s := r.src.(*stream)
	for done, all := 0, r.head.Bytes(); done < all; {
		n := min(all-done, streamChunk)
		b, err := r.at(ctx, done, n)
		if err != nil {
			return err
		}
		if _, err := to.Write(b); err != nil {
			return err
		}
		done += n
	}
	if err := r.end(); err != io.EOF {
		return err
	}
	if err := s.Close(); err != nil {
		return err
	}
	r.src, r.window = &file{File: to}, new(window)
	return nil
}

package npy

import (
	"context"
	"errors"
	"io"
	"slices"

	"fsa/internal/fault"
)

// source gives access to the bytes of a file or stream.
type source interface {
	// at returns n bytes from off on. They are valid until the next call and must not be changed. If
	// fewer are left, it returns them with io.ErrUnexpectedEOF.
	at(ctx context.Context, off, n int) ([]byte, error)
	io.Closer
}

// memory is a stream that has been read to its end.
type memory struct {
	all    []byte
	stream *stream
}

func (m *memory) at(_ context.Context, off, n int) ([]byte, error) { return m.all[off : off+n], nil }

func (m *memory) Close() error { return m.stream.Close() }

// file is a source for files that cannot be mapped.
type file struct {
	*fault.File
	buf []byte
}

func (f *file) at(_ context.Context, off, n int) ([]byte, error) {
	f.buf = slices.Grow(f.buf[:0], n)[:n]
	m, err := f.ReadAt(f.buf, int64(off))
	if m == n {
		return f.buf, nil
	}
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return f.buf[:m], err
}

// stream is a source that can only be read in order: off is always where the last call ended.
// Nothing guarantees the number of bytes that a header claims, so the buffer grows with those that
// came.
type stream struct {
	r     io.Reader
	below []io.Closer // the file, if it must be closed here
	buf   []byte
}

func (s *stream) at(ctx context.Context, _, n int) ([]byte, error) {
	s.buf = s.buf[:0]
	for len(s.buf) < n {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		have := len(s.buf)
		step := min(n-have, streamChunk)
		s.buf = slices.Grow(s.buf, step)[:have+step]
		m, err := io.ReadFull(s.r, s.buf[have:])
		s.buf = s.buf[:have+m]
		if m < step {
			if err == io.EOF {
				err = io.ErrUnexpectedEOF
			}
			return s.buf, err
		}
	}
	return s.buf, nil
}

// ended reports whether nothing is left.
func (s *stream) ended() (bool, error) {
	n, err := io.ReadFull(s.r, make([]byte, 1))
	if err == io.EOF {
		err = nil
	}
	return n == 0, err
}

func (s *stream) Close() error {
	var err error
	for _, c := range s.below {
		err = errors.Join(err, c.Close())
	}
	return err
}

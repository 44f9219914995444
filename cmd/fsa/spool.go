package main

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"os"

	"fsa/internal/atomicfile"
	"fsa/internal/fault"
)

// spooled is the number of bytes that a spool holds in memory.
const spooled = 1 << 20

// spool holds output until it is certain that all of it can be written. All but a small part is in
// a temporary file without a name, so nothing remains however the program ends.
type spool struct {
	small bytes.Buffer
	file  *os.File // nil while memory is enough
	buf   *bufio.Writer
}

// Write adds to the output.
func (s *spool) Write(p []byte) (int, error) {
	if s.file != nil {
		return s.buf.Write(p)
	}
	if s.small.Len()+len(p) <= spooled {
		return s.small.Write(p)
	}
	f, err := atomicfile.Temporary(os.TempDir())
	if err != nil {
		return 0, err
	}
	s.file = f
	s.buf = bufio.NewWriterSize(&fault.File{File: f}, 1<<16)
	if _, err := s.small.WriteTo(s.buf); err != nil {
		return 0, err
	}
	s.small = bytes.Buffer{}
	return s.buf.Write(p)
}

// empty reports whether nothing was written.
func (s *spool) empty() bool { return s.file == nil && s.small.Len() == 0 }

// copyTo writes all of the output to w.
func (s *spool) copyTo(ctx context.Context, w io.Writer) error {
	r, err := s.reader(ctx)
	if err == nil {
		_, err = io.Copy(w, r)
	}
	return err
}

// reader returns all of the output, once.
func (s *spool) reader(ctx context.Context) (io.Reader, error) {
	if s.file == nil {
		return &s.small, nil
	}
	if err := s.buf.Flush(); err != nil {
		return nil, err
	}
	_, err := s.file.Seek(0, io.SeekStart)
	return &interruptible{ctx, s.file}, err
}

// close closes the file.
func (s *spool) close() {
	if s.file != nil {
		s.file.Close()
	}
}

// interruptible is a reader that ends when a context is cancelled.
type interruptible struct {
	ctx context.Context
	r   io.Reader
}

func (i *interruptible) Read(p []byte) (int, error) {
	if err := i.ctx.Err(); err != nil {
		return 0, err
	}
	return i.r.Read(p)
}

package open

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"

	"fsa/internal/fault"
)

// headBytes is the number of bytes that are read to detect the format.
const headBytes = 64 << 10

// openFile opens a file. Opening a pipe without a writer blocks, so cancelling the context ends
// that, too.
func openFile(ctx context.Context, path string) (*os.File, error) {
	if err := fault.Check(fault.Open, path); err != nil {
		return nil, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	if info, err := os.Stat(path); err != nil || info.Mode()&os.ModeNamedPipe == 0 {
		return os.Open(path)
	}
	type opened struct {
		file *os.File
		err  error
	}
	done := make(chan opened, 1)
	go func() {
		f, err := os.Open(path)
		done <- opened{f, err}
	}()
	select {
	case o := <-done:
		return o.file, o.err
	case <-ctx.Done():
		go func() {
			if o := <-done; o.err == nil {
				o.file.Close()
			}
		}()
		return nil, ctx.Err()
	}
}

// bare reads a file and returns errors without its name, because callers add it, often with the
// line.
type bare struct{ file *os.File }

func (b bare) Read(p []byte) (int, error) {
	n, err := (&fault.File{File: b.file}).Read(p)
	return n, nameless(err)
}

func (b bare) ReadAt(p []byte, off int64) (int, error) {
	n, err := (&fault.File{File: b.file}).ReadAt(p, off)
	return n, nameless(err)
}

// stopping is a reader that ends when a context is cancelled. Decompressing a large file takes
// long.
type stopping struct {
	ctx context.Context
	io.Reader
}

func (s stopping) Read(p []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	return s.Reader.Read(p)
}

func nameless(err error) error {
	if named, ok := errors.AsType[*fs.PathError](err); ok {
		return named.Err
	}
	return err
}

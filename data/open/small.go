package open

import (
	"context"
	"io"

	"fsa/data"
)

// Small opens a file that is not a table, such as a model. It may be a pipe that blocks:
// cancelling the context ends opening and reading. Errors of reading do not name the file.
func Small(ctx context.Context, path string) (io.ReadCloser, error) {
	f, err := openFile(ctx, path)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, err
	}
	switch {
	case info.IsDir():
		f.Close()
		return nil, &data.Error{File: path, Msg: "this is a folder: name a file in it"}
	case info.Mode().IsRegular():
		return &small{stopping{ctx, bare{f}}, []io.Closer{f}}, nil
	}
	stream := newPipe(ctx, bare{f})
	return &small{stream, []io.Closer{stream, f}}, nil
}

// small is an opened file, and what must be closed with it.
type small struct {
	io.Reader
	below []io.Closer
}

func (s *small) Close() error {
	var first error
	for _, c := range s.below {
		if err := c.Close(); first == nil {
			first = err
		}
	}
	return first
}

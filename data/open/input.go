package open

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"fsa/data"
	"fsa/data/npy"
	"fsa/data/s3"
	"fsa/internal/fault"
)

// headBytes is how much of an input is looked at to find out what it is.
const headBytes = 64 << 10

// maxWindow is how far a zstd file may look back, which takes as much memory
// before its first byte is there. The zstd command has the same limit.
const maxWindow = 128 << 20

// input is an opened file. A format takes it as a stream or at random.
type input struct {
	ctx    context.Context // whose end ends reading
	path   string
	array  string        // the one to read of an archive; empty if that is clear
	stream *bufio.Reader // decompressed
	file   *os.File      // nil for standard input and objects
	object *s3.Object    // of a store; nil for others
	seen   *stamp        // how the file looked when it was opened
	plain  bool          // not compressed
	spill  bool          // what has to be read at random does not go into memory
	random bool          // it is read at random
	of     *npy.Seal     // of the table that a vector says it belongs to; nil if it does not
	closer func() error
}

// open opens a file and what it is compressed with. Reading it as a stream ends with
// the context.
func open(ctx context.Context, path string) (*input, error) {
	in := &input{ctx: ctx, plain: true, closer: func() error { return nil }}
	in.path, in.array = splitArray(path)
	var raw io.Reader = bare{os.Stdin}
	if s3.Is(in.path) {
		var err error
		if in.object, err = s3.Open(ctx, in.path); err != nil {
			return nil, err
		}
		in.closer, raw = in.object.Close, io.NewSectionReader(in.object, 0, in.object.Size())
	} else if in.path != "-" {
		f, err := openFile(ctx, in.path)
		if err != nil {
			return nil, err
		}
		if info, err := f.Stat(); err == nil && info.IsDir() {
			f.Close()
			return nil, &data.Error{File: in.path, Msg: "this is a folder: name the file in it"}
		}
		in.file, in.seen, in.closer, raw = f, stampOf(f), f.Close, stopping{ctx, bare{f}}
	}
	if in.isPipe() {
		p := newPipe(ctx, raw)
		below := in.closer
		in.closer = func() error { return errors.Join(p.Close(), below()) }
		raw = p
	}
	in.stream = bufio.NewReaderSize(raw, headBytes)
	if err := in.decompress(); err != nil {
		in.closer()
		return nil, err
	}
	return in, nil
}

// openFile opens a file. A pipe that nobody writes to keeps its opener waiting, so
// the end of the context is the end of that, too.
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

// decompress puts a decompressor over the stream if it begins like one.
func (in *input) decompress() error {
	head, err := in.stream.Peek(4)
	if err != nil && err != io.EOF { // it may go well the next time, and then tell nothing
		return in.named(err)
	}
	switch {
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b}):
		z, err := gzip.NewReader(in.stream)
		if err != nil {
			return &data.Error{File: in.path, Msg: "the gzip header is damaged", Err: err}
		}
		in.plain, in.stream = false, bufio.NewReaderSize(&compressed{z, in.path}, headBytes)
	case bytes.Equal(head, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		z, err := zstd.NewReader(in.stream, zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			return &data.Error{File: in.path, Msg: "the zstd header is damaged", Err: err}
		}
		in.plain, in.stream = false, bufio.NewReaderSize(&compressed{z, in.path}, headBytes)
		below := in.closer
		in.closer = func() error {
			defer z.Close() // it waits for a read to end, which closing what is below does
			return below()
		}
	}
	return nil
}

// watch lets tell know how much of the contents was read.
func (in *input) watch(tell func(read, size int64)) {
	size, _ := in.regular()
	in.stream = bufio.NewReaderSize(&watched{in.stream, 0, size, tell}, headBytes)
}

// watched is a stream that tells how much of it was read.
type watched struct {
	io.Reader
	read, size int64
	tell       func(read, size int64)
}

func (w *watched) Read(p []byte) (int, error) {
	n, err := w.Reader.Read(p)
	w.read += int64(n)
	w.tell(w.read, w.size)
	return n, err
}

// head returns the start of the contents without taking it.
func (in *input) head() ([]byte, error) {
	head, err := in.stream.Peek(headBytes)
	if err != nil && err != io.EOF {
		return nil, in.named(err)
	}
	if len(head) == 0 {
		return nil, &data.Error{File: in.path, Msg: "the file is empty"}
	}
	return head, nil
}

// regular returns the size of a file or object whose bytes are the contents, and can be
// read in any order.
func (in *input) regular() (size int64, ok bool) {
	if !in.plain || in.isPipe() {
		return 0, false
	}
	if in.object != nil {
		return in.object.Size(), true
	}
	info, err := in.file.Stat()
	if err != nil {
		return 0, false
	}
	return info.Size(), true
}

// isPipe reports that the input is a pipe or the like: what was read of it is gone.
func (in *input) isPipe() bool {
	if in.object != nil {
		return false
	}
	if in.file == nil {
		return true
	}
	info, err := in.file.Stat()
	return err != nil || !info.Mode().IsRegular()
}

// at returns the contents for random access: the file, or all of the stream,
// in memory or in a temporary file.
func (in *input) at() (io.ReaderAt, int64, error) {
	in.random = true
	if size, ok := in.regular(); ok {
		if in.object != nil {
			return in.object, size, nil
		}
		file, err := steadily(in.file, in.path, in.seen)
		return file, size, err
	}
	return in.gather()
}

// named puts the name of the file before an error, unless that blames the file
// and so has the name.
func (in *input) named(err error) error {
	if errors.Is(err, data.ErrBadData) {
		return err
	}
	return fmt.Errorf("%s: %w", in.path, err)
}

// bare reads a file and reports failures without its name, because whoever
// passes them on puts it there, often with the line.
type bare struct{ file *os.File }

func (b bare) Read(p []byte) (int, error) {
	n, err := (&fault.File{File: b.file}).Read(p)
	return n, nameless(err)
}

func (b bare) ReadAt(p []byte, off int64) (int, error) {
	n, err := (&fault.File{File: b.file}).ReadAt(p, off)
	return n, nameless(err)
}

// stopping is a reader that ends with a context. To unpack a large file takes long.
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

// compressed blames the file for what its decompressor does not understand,
// but not for a failure of the machine or the end of a context.
type compressed struct {
	io.Reader
	path string
}

func (c *compressed) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	if err == nil || err == io.EOF || errors.As(err, new(syscall.Errno)) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return n, err
	}
	return n, &data.Error{File: c.path, Msg: "the compressed file is cut or damaged", Err: err}
}

// uncompressed returns the name without the ending of a compressor.
func uncompressed(path string) string {
	switch ext := filepath.Ext(path); strings.ToLower(ext) {
	case ".gz", ".zst", ".zstd":
		return strings.TrimSuffix(path, ext)
	}
	return path
}

// Stem returns the path without the endings of a format and a compressor.
func Stem(path string) string {
	path = uncompressed(path)
	return strings.TrimSuffix(path, filepath.Ext(path))
}

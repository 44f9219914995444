package open

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"fsa/data"
	"fsa/internal/format/npy"
	"fsa/internal/format/s3"
)

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
	again  func() (*input, error) // opens it once more
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

// named puts the name of the file before an error, unless that blames the file
// and so has the name.
func (in *input) named(err error) error {
	if errors.Is(err, data.ErrBadData) {
		return err
	}
	return fmt.Errorf("%s: %w", in.path, err)
}

// unchanged refuses an input that was written to since it was opened.
func (in *input) unchanged() error { return in.seen.still(in.file, in.path) }

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

// Stem returns the path without the extensions of the format and of the compression.
func Stem(path string) string {
	path = uncompressed(path)
	return strings.TrimSuffix(path, filepath.Ext(path))
}

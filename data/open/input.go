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
	"sync/atomic"
	"syscall"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"fsa/data"
	"fsa/internal/format/npy"
	"fsa/internal/format/s3"
)

// maxWindow is the largest window of a zstd file, which is allocated before the first byte is
// decompressed. The zstd command has the same limit.
const maxWindow = 128 << 20

// input is an opened file. A format reads it as a stream or at random.
type input struct {
	ctx    context.Context // cancelling it ends reading
	path   string
	array  string        // the array to read from an archive; empty if there is no choice
	stream *bufio.Reader // decompressed
	file   *os.File      // nil for standard input and objects
	object *s3.Object    // object in a store; nil for others
	seen   *stamp        // description of the file when it was opened
	plain  bool          // not compressed
	spill  bool          // data for random access goes to a file instead of memory
	random bool          // it is read at random
	bytes  *atomic.Int64 // counts the bytes that are read; nil if they are not counted
	of     *npy.Seal     // the table to which a vector says it belongs; nil if it does not say
	closer func() error
	again  func() (*input, error) // opens the input again
}

// decompress adds a decompressor if the stream is compressed.
func (in *input) decompress() error {
	head, err := in.stream.Peek(4)
	if err != nil && err != io.EOF { // the next attempt may succeed, so the error says nothing about the format
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
			defer z.Close() // closing waits for the current read, which ends when the underlying stream is closed
			return below()
		}
	}
	return nil
}

// watch calls tell with the number of bytes read.
func (in *input) watch(tell func(read, size int64)) {
	size, _ := in.regular()
	in.stream = bufio.NewReaderSize(&watched{in.stream, 0, size, tell}, headBytes)
}

// watched is a stream that reports how much of it has been read.
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

// head returns the start of the contents without consuming it.
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

// regular returns the size of a file or object that is not compressed and supports random access.
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

// isPipe reports whether the input is a pipe or similar: what has been read cannot be read again.
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

// named adds the name of the file to an error, unless the error already has it because it is caused
// by the input.
func (in *input) named(err error) error {
	if errors.Is(err, data.ErrBadData) {
		return err
	}
	return fmt.Errorf("%s: %w", in.path, err)
}

// unchanged returns an error if the input was written to after it was opened.
func (in *input) unchanged() error { return in.seen.still(in.file, in.path) }

// compressed reports errors of a decompressor as errors of the file, unless they come from the
// machine or from a cancelled context.
type compressed struct {
	io.Reader
	path string
}

func (c *compressed) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	if err == nil || err == io.EOF || errors.As(err, new(syscall.Errno)) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return n, err
	}
	return n, &data.Error{File: c.path, Msg: "the compressed file is cut off or damaged", Err: err}
}

// uncompressed returns the name without the extension of the compression.
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

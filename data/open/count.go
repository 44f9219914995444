package open

import (
	"bufio"
	"io"
	"sync/atomic"
)

// count adds the number of bytes that are read to a sum.
func (in *input) count(sum *atomic.Int64) {
	in.bytes = sum
	in.stream = bufio.NewReaderSize(&countedStream{in.stream, sum}, headBytes)
}

type countedStream struct {
	io.Reader
	sum *atomic.Int64
}

func (c *countedStream) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.sum.Add(int64(n))
	return n, err
}

// counted returns contents for random access whose bytes are counted, if the bytes of the input are.
func (in *input) counted(r io.ReaderAt) io.ReaderAt {
	if in.bytes == nil {
		return r
	}
	return &countedContents{r, in.bytes}
}

type countedContents struct {
	io.ReaderAt
	sum *atomic.Int64
}

// ReadAt implements [io.ReaderAt].
func (c *countedContents) ReadAt(p []byte, off int64) (int, error) {
	n, err := c.ReaderAt.ReadAt(p, off)
	c.sum.Add(int64(n))
	return n, err
}

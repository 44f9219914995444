package lines

import (
	"context"
	"os"
	"runtime"
	"sync"
)

// Parser parses the chunks of a source on several goroutines and returns the results in the order
// of the input.
//
// A goroutine parses one chunk and ends. Next itself reads the input, so no goroutine hangs in a
// read that never returns, and Close only has to wait for the chunks in flight.
type Parser[T any] struct {
	src    *Source
	parse  func(chunk []byte, firstLine int) (T, error)
	limit  int
	queue  []*job[T] // in flight, oldest first
	size   int       // bytes of the chunks in flight
	ended  error     // last error of the source
	failed error     // error that all later calls of Next return
	busy   sync.WaitGroup
}

type job[T any] struct {
	chunk []byte
	done  chan struct{}
	value T
	err   error
}

// NewParser returns a parser of the rest of src. It calls parse on other goroutines, several at a
// time, with a chunk that ends in a line feed and the number of its first line. The result of parse
// must not refer to the chunk, whose memory is reused.
func NewParser[T any](src *Source, parse func(chunk []byte, firstLine int) (T, error)) *Parser[T] {
	// One more than can run, so that no core waits while the caller works on a result, and one for
	// chunks that take longer than others.
	return &Parser[T]{src: src, parse: parse, limit: runtime.GOMAXPROCS(0) + 2}
}

// Bound limits the chunks in flight, except one, to the given memory, where a parsed chunk takes
// the given number of bytes per byte of text; 0 means no limit.
func (p *Parser[T]) Bound(memory int64, perByte int) {
	if memory > 0 {
		p.limit = min(p.limit, 1+int(min(memory/int64(chunkSize*(1+perByte)), int64(p.limit))))
	}
}

// Next returns the next result, or io.EOF after the last. After an error of the source or of parse
// it always returns that error; after one of the context it can be called again.
func (p *Parser[T]) Next(ctx context.Context) (T, error) {
	var none T
	if err := ctx.Err(); err != nil {
		return none, err
	}
	if p.failed != nil {
		return none, p.failed
	}
	for p.ended == nil && p.room() {
		p.start()
	}
	if len(p.queue) == 0 {
		p.failed = p.ended
		return none, p.failed
	}
	oldest := p.queue[0]
	select {
	case <-oldest.done:
	case <-ctx.Done():
		return none, ctx.Err()
	}
	p.queue = p.queue[1:]
	p.size -= len(oldest.chunk)
	p.src.recycle(oldest.chunk)
	if oldest.err != nil {
		p.failed = oldest.err
		return none, p.failed
	}
	return oldest.value, nil
}

// room reports whether one more chunk may be in flight. Chunks with a long line count for more than
// one, so that memory is limited as well.
func (p *Parser[T]) room() bool {
	return len(p.queue) == 0 || len(p.queue) < p.limit && p.size < p.limit*chunkSize
}

func (p *Parser[T]) start() {
	chunk, line, err := p.src.next()
	if err != nil {
		p.ended = err
		return
	}
	j := &job[T]{chunk: chunk, done: make(chan struct{})}
	p.queue = append(p.queue, j)
	p.size += len(chunk)
	p.busy.Go(func() {
		defer close(j.done)
		j.value, j.err = p.parse(j.chunk, line)
	})
}

// Close waits for the chunks that are being parsed and drops them. It does not close the input.
func (p *Parser[T]) Close() error {
	p.busy.Wait()
	p.queue = nil
	p.failed = os.ErrClosed
	return nil
}

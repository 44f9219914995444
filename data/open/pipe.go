package open

import (
	"context"
	"io"
)

// pipe is the contents of a pipe or similar, until a context is cancelled. Reading a pipe may block
// for ever, so a goroutine does it.
type pipe struct {
	*io.PipeReader
	forget func() bool
}

// newPipe starts to read. The goroutine ends when the pipe is closed, but not before its current
// read ends.
func newPipe(ctx context.Context, from io.Reader) *pipe {
	r, w := io.Pipe()
	go func() {
		_, err := io.CopyBuffer(w, from, make([]byte, headBytes))
		w.CloseWithError(err)
	}()
	return &pipe{r, context.AfterFunc(ctx, func() { w.CloseWithError(ctx.Err()) })}
}

// Close lets the goroutine end.
func (p *pipe) Close() error {
	p.forget()
	return p.PipeReader.Close()
}

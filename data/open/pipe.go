package open

import (
	"context"
	"io"
)

// pipe is what comes out of a pipe or the like, until a context ends. The system
// may keep whoever reads such a thing waiting for ever, so a goroutine waits in
// its place.
type pipe struct {
	*io.PipeReader
	forget func() bool
}

// newPipe begins to read. The goroutine ends when the pipe is closed, but not
// before the read that it is in.
func newPipe(ctx context.Context, from io.Reader) *pipe {
	r, w := io.Pipe()
	go func() {
		_, err := io.CopyBuffer(w, from, make([]byte, headBytes))
		w.CloseWithError(err)
	}()
	return &pipe{r, context.AfterFunc(ctx, func() { w.CloseWithError(ctx.Err()) })}
}

// Close lets the goroutine go.
func (p *pipe) Close() error {
	p.forget()
	return p.PipeReader.Close()
}

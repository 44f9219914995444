package open

import (
	"context"
	"io"
)

// flow is what comes out of a pipe or the like, until a context ends. The system
// may keep whoever reads such a thing waiting for ever, so a goroutine waits in
// its place.
type flow struct {
	*io.PipeReader
	forget func() bool
}

// flowing begins to read. The goroutine ends when the flow is closed, but not
// before the read that it is in.
func flowing(ctx context.Context, from io.Reader) *flow {
	r, w := io.Pipe()
	go func() {
		_, err := io.CopyBuffer(w, from, make([]byte, headBytes))
		w.CloseWithError(err)
	}()
	return &flow{r, context.AfterFunc(ctx, func() { w.CloseWithError(ctx.Err()) })}
}

// Close lets the goroutine go.
func (f *flow) Close() error {
	f.forget()
	return f.PipeReader.Close()
}

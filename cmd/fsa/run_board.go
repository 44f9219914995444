package main

import (
	"io"
	"os"
	"sync"
	"time"

	"fsa/internal/atomicfile"
	"fsa/internal/live"
)

const (
	// keptEvery is how often [progressName] is written; a shorter fit does not write it.
	keptEvery = 2 * time.Second
	// silence is the time without an update after which a fit is considered stopped.
	silence = 5 * keptEvery
)

// keepBoard writes a board to a file at intervals, until the returned function is called, which
// removes the file. Errors are ignored, because only readers of the file need it.
func keepBoard(b *live.Board, path string) (end func()) {
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(keptEvery)
		defer tick.Stop()
		for {
			select {
			case <-done:
				os.Remove(path) // even if a killed fit has left it
				return
			case <-tick.C:
			}
			if text, err := b.Snapshot(); err == nil {
				atomicfile.WriteFile(path, func(w io.Writer) error { _, err := w.Write(text); return err })
			}
		}
	}()
	return sync.OnceFunc(func() { close(done); <-ended })
}

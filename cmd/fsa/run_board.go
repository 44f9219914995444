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
	// keptEvery is how often [progressName] is written; a fit that is shorter has none.
	keptEvery = 2 * time.Second
	// silence is after which time without a word a fit is taken for stopped.
	silence = 5 * keptEvery
)

// keepBoard writes a board to a file every so often, until what it returns is called, which
// removes the file. Whether it can be written matters to nobody but a reader of it.
func keepBoard(b *live.Board, path string) (end func()) {
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(keptEvery)
		defer tick.Stop()
		for {
			select {
			case <-done:
				os.Remove(path) // also one that a killed fit has left
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

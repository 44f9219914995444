package data

import "sync"

// readAhead reads blocks before they are asked for, into buffers that are used
// again.
type readAhead struct {
	mu      sync.Mutex
	free    [][]byte
	pending []*pendingRead // the oldest first
}

// pendingRead is a block that is being read.
type pendingRead struct {
	lo, hi int
	done   chan struct{}
	buf    []byte
	err    error
}

// mostPending bounds the blocks that wait to be asked for.
const mostPending = 4

func newReadAhead() *readAhead { return &readAhead{} }

// take returns rows lo to hi−1: those that are being read, or reads them now.
func (a *readAhead) take(lo, hi int, load func(buf []byte, lo, hi int) ([]byte, error)) ([]byte, error) {
	a.mu.Lock()
	for i, p := range a.pending {
		if p.lo == lo && p.hi == hi {
			a.pending = append(a.pending[:i], a.pending[i+1:]...)
			a.mu.Unlock()
			<-p.done
			return p.buf, p.err
		}
	}
	buf := a.spare()
	a.mu.Unlock()
	return load(buf, lo, hi)
}

// begin reads rows lo to hi−1 in the background.
func (a *readAhead) begin(lo, hi int, load func(buf []byte, lo, hi int) ([]byte, error)) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, p := range a.pending {
		if p.lo == lo && p.hi == hi {
			return
		}
	}
	if len(a.pending) == mostPending {
		old := a.pending[0] // nobody has asked for it; a pass may have ended
		select {
		case <-old.done:
			a.free = append(a.free, old.buf)
			a.pending = a.pending[1:]
		default:
			return
		}
	}
	p := &pendingRead{lo: lo, hi: hi, done: make(chan struct{}), buf: a.spare()}
	a.pending = append(a.pending, p)
	go func() {
		p.buf, p.err = load(p.buf, lo, hi)
		close(p.done)
	}()
}

// spare returns a buffer to use again, or nil.
func (a *readAhead) spare() []byte {
	if n := len(a.free); n > 0 {
		buf := a.free[n-1]
		a.free = a.free[:n-1]
		return buf
	}
	return nil
}

// give takes a buffer back.
func (a *readAhead) give(buf []byte) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.free = append(a.free, buf)
}

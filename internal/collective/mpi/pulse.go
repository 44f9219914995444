//go:build linux && (amd64 || arm64) && !static

package mpi

import (
	"time"
	"unsafe"
)

// A process that hangs would make all others wait. So each regularly signals the next one, and the
// next one ends the job if no signal comes. The thread of the library does this, which is free
// while other threads compute; a busy process still signals.
const (
	beatEvery = 500 * time.Millisecond
	// heardWithin is how long a process may be silent.
	heardWithin = 20 * time.Second
)

// pulse sends and receives these signals. Its methods are called by the thread of the library.
type pulse struct {
	*comm                     // a communicator of its own, so that nothing else is in the way
	lost       func(rank int) // is called with the rank that is silent; the job ends afterwards
	before     int            // rank of the process that is watched
	next       int            // and of the one that is signalled
	sent, came *[8]byte       // requests
	sending    bool           // the last signal is still being sent
	beat, word time.Time      // when one was sent, and when one came
	mark, from *[8]byte       // buffers
	ended      bool
}

// newPulse starts watching.
func newPulse(c *comm, lost func(rank int)) (*pulse, error) {
	n := c.size
	p := &pulse{comm: c, lost: lost, before: (c.rank + n - 1) % n, next: (c.rank + 1) % n, sent: new([8]byte), came: new([8]byte), mark: new([8]byte), from: new([8]byte), word: time.Now()}
	return p, p.listen()
}

// listen waits for the next signal, without blocking.
func (p *pulse) listen() error {
	return p.call("MPI_Irecv", uintptr(unsafe.Pointer(p.from)), 1, p.byteType, uintptr(p.before), 0, p.handle, uintptr(unsafe.Pointer(p.came)))
}

// done reports whether a request is complete.
func (p *pulse) done(request *[8]byte) (bool, error) {
	done := new(int32)
	err := p.call("MPI_Test", uintptr(unsafe.Pointer(request)), uintptr(unsafe.Pointer(done)), p.noStatus)
	return *done != 0, err
}

// look sends and receives signals. It is called often.
func (p *pulse) look(now time.Time) error {
	if p == nil || p.ended || now.Sub(p.beat) < beatEvery {
		return nil
	}
	late := now.Sub(p.beat) > heardWithin && !p.beat.IsZero() // this process itself was delayed
	p.beat = now
	if p.sending {
		done, err := p.done(p.sent)
		if err != nil {
			return err
		}
		p.sending = !done
	}
	if !p.sending {
		if err := p.call("MPI_Isend", uintptr(unsafe.Pointer(p.mark)), 1, p.byteType, uintptr(p.next), 0, p.handle, uintptr(unsafe.Pointer(p.sent))); err != nil {
			return err
		}
		p.sending = true
	}
	for {
		came, err := p.done(p.came)
		if err != nil {
			return err
		}
		if !came {
			break
		}
		p.word = now
		if err := p.listen(); err != nil {
			return err
		}
	}
	if late { // it may have missed signals
		p.word = now
	}
	if now.Sub(p.word) > heardWithin {
		p.ended = true
		p.lost(p.before)
		p.Abort(1, "")
	}
	return nil
}

// end stops watching, once all processes have reached the end.
func (p *pulse) end() error {
	if p == nil || p.ended {
		return nil
	}
	p.ended = true
	if err := p.call("MPI_Cancel", uintptr(unsafe.Pointer(p.came))); err != nil {
		return err
	}
	return p.call("MPI_Request_free", uintptr(unsafe.Pointer(p.came)))
}

//go:build linux && (amd64 || arm64) && !static

package mpi

import (
	"time"
	"unsafe"
)

// A process that hangs would keep all others waiting. So each tells the next one from time to
// time that it is there, and the next one ends the job if it hears nothing. The thread of the library
// does so, which is free while others compute; a process that is busy is there all the same.
const (
	beatEvery = 500 * time.Millisecond
	// heardWithin is how long a process may be silent.
	heardWithin = 20 * time.Second
)

// pulse is how a process is heard of. Its methods are called by the thread of the library.
type pulse struct {
	*comm                     // of its own, so that nothing else is in its way
	lost       func(rank int) // is told who is not heard of; the job ends afterwards
	within     time.Duration  // see heardWithin
	before     int            // process that is listened to
	next       int            // and that is told
	sent, came *[8]byte       // requests
	sending    bool           // the last message is still on its way
	beat, word time.Time      // when one was sent, and when one came
	mark, from *[8]byte       // what is sent and received
	ended      bool
}

// newPulse begins to listen.
func newPulse(c *comm, within time.Duration, lost func(rank int)) (*pulse, error) {
	n := c.size
	p := &pulse{comm: c, lost: lost, within: within, before: (c.rank + n - 1) % n, next: (c.rank + 1) % n, sent: new([8]byte), came: new([8]byte), mark: new([8]byte), from: new([8]byte), word: time.Now()}
	return p, p.listen()
}

// listen waits for the next word, without holding anything up.
func (p *pulse) listen() error {
	return p.call("MPI_Irecv", uintptr(unsafe.Pointer(p.from)), 1, p.byteType, uintptr(p.before), 0, p.handle, uintptr(unsafe.Pointer(p.came)))
}

// done reports whether a request is.
func (p *pulse) done(request *[8]byte) (bool, error) {
	done := new(int32)
	err := p.call("MPI_Test", uintptr(unsafe.Pointer(request)), uintptr(unsafe.Pointer(done)), p.noStatus)
	return *done != 0, err
}

// look sends and hears what there is. It is called often.
func (p *pulse) look(now time.Time) error {
	if p == nil || p.ended || now.Sub(p.beat) < beatEvery {
		return nil
	}
	late := now.Sub(p.beat) > p.within && !p.beat.IsZero() // this process itself was held up
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
	if late { // it may have missed words
		p.word = now
	}
	if now.Sub(p.word) > p.within {
		p.ended = true
		p.lost(p.before)
		p.Abort(1)
	}
	return nil
}

// end stops listening, once all processes have come to the end.
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

package tcp

import (
	"net"
	"sync"
	"sync/atomic"
	"time"
)

// Every process signals rank 0 that it is alive, also while it computes, and rank 0 every process.
// A connection that ends says at once that its process has ended; one that is silent for too long
// belongs to a process or a machine that hangs, or to a network that is cut.
const (
	beatEvery = time.Second
	// silentTime is how long a process may be silent.
	silentTime = 15 * time.Second
	// sendTime is how long a signal may wait for room in the buffers of the system.
	sendTime = 5 * time.Second
	// leaveTime is how long a process waits for others that leave, too.
	leaveTime = 5 * time.Second
)

// peer is the connection between rank 0 and another process.
type peer struct {
	conn    net.Conn
	rank    int // of the other process
	address string
	heard   atomic.Int64 // when, in nanoseconds
	bye     chan struct{}
	ended   chan struct{} // nothing more is heard
	once    sync.Once
	writing sync.Mutex
}

func newPeer(conn net.Conn, rank int, address string) *peer {
	p := &peer{conn: conn, rank: rank, address: address, bye: make(chan struct{}), ended: make(chan struct{})}
	p.heard.Store(time.Now().UnixNano())
	return p
}

// send sends a frame. If that fails, reading fails, too.
func (p *peer) send(kind byte, text []byte) {
	p.writing.Lock()
	defer p.writing.Unlock()
	_ = p.conn.SetWriteDeadline(time.Now().Add(sendTime))
	_, _ = p.conn.Write(appendFrame(nil, kind, text))
}

// hear reads what a process says until its connection ends. Lost is asked whether that matters.
func (j *job) hear(p *peer, lost func(error) bool) {
	defer close(p.ended)
	for {
		kind, text, err := readFrame(p.conn)
		if err != nil {
			select {
			case <-p.bye:
				return
			default:
			}
			if lost(err) {
				j.lost(p, "has ended: see what it has printed")
			}
			return
		}
		p.heard.Store(time.Now().UnixNano())
		switch kind {
		case frameBye:
			p.once.Do(func() { close(p.bye) })
		case frameAbort:
			j.relay(p, text)
			j.fail(&Ended{string(text)})
		}
	}
}

// Ended is the error if another process has ended the job.
type Ended struct{ Why string }

func (e *Ended) Error() string { return e.Why }

// lost ends the job because a process is gone.
func (j *job) lost(p *peer, why string) {
	err := &Lost{p.rank, p.address, why}
	j.relay(p, []byte(err.Error()))
	j.fail(err)
}

// relay passes on, as rank 0, what one process said to all others.
func (j *job) relay(from *peer, text []byte) {
	j.mu.Lock()
	over, peers := j.leaving || j.err != nil, j.peers
	j.mu.Unlock()
	if over || j.Rank > 0 {
		return
	}
	for _, p := range peers {
		if p != from {
			p.send(frameAbort, text)
		}
	}
}

// tell ends the job for all others.
func (j *job) tell(why string) {
	for _, p := range j.peers {
		p.send(frameAbort, []byte(why))
	}
}

// watch signals the others, and looks whether they are silent, until the job ends.
func (j *job) watch() {
	done := make(chan struct{})
	j.atEnd(sync.OnceFunc(func() { close(done) }))
	for _, p := range j.peers {
		p.heard.Store(time.Now().UnixNano())
	}
	go func() {
		tick := time.NewTicker(beatEvery)
		defer tick.Stop()
		for last := time.Now(); ; {
			select {
			case <-done:
				return
			case <-j.failed:
				return
			case <-tick.C:
			}
			now := time.Now()
			late := now.Sub(last) > j.silent/2 // this process itself was stopped
			last = now
			for _, p := range j.peers {
				if late {
					p.heard.Store(now.UnixNano())
				}
				p.send(frameBeat, nil)
				if silent := now.Sub(time.Unix(0, p.heard.Load())); silent > j.silent {
					select {
					case <-p.bye:
					default:
						j.lost(p, "has not answered for "+j.silent.String()+": its machine hangs or cannot be reached")
					}
				}
			}
		}
	}()
}

// leave ends the job properly, after all have finished: everyone says so before it closes.
func (j *job) leave() {
	if j.Rank > 0 {
		j.tellBye()
	}
	over := time.After(leaveTime)
	for _, p := range j.peers {
		select {
		case <-p.bye:
		case <-p.ended:
		case <-over:
			return
		}
	}
	if j.Rank > 0 {
		return
	}
	j.tellBye()
	for _, p := range j.peers { // what was not read would be lost
		select {
		case <-p.ended:
		case <-over:
			return
		}
	}
}

func (j *job) tellBye() {
	for _, p := range j.peers {
		p.send(frameBye, nil)
	}
}

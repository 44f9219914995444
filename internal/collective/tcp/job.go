package tcp

import (
	"fmt"
	"sync"
	"time"
)

// job is what the groups of a process share.
type job struct {
	Config
	peers []*peer // rank 0 has all others, and these have rank 0
	links []*link // by rank, nil for this process

	mu      sync.Mutex
	err     error         // why the job has failed
	failed  chan struct{} // closed when it is set
	leaving bool
	stop    []func() // what runs in the background
}

// end closes all connections.
func (j *job) end() {
	j.mu.Lock()
	j.leaving = true
	stop, peers := j.stop, j.peers
	j.stop = nil
	j.mu.Unlock()
	for _, f := range stop {
		f()
	}
	for _, p := range peers {
		p.conn.Close()
	}
	j.unlink()
}

// link stores the connection with a process.
func (j *job) link(rank int, l *link) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.links[rank] = l; j.err != nil {
		l.conn.Close()
	}
}

// atEnd registers f to be called when all connections are closed.
func (j *job) atEnd(f func()) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.stop = append(j.stop, f)
}

func (j *job) unlink() {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, l := range j.links {
		if l != nil {
			l.conn.Close()
		}
	}
}

// fail ends the job with a reason; only the first reason counts. All waiting calls return it.
func (j *job) fail(err error) {
	j.mu.Lock()
	if j.err != nil || j.leaving {
		j.mu.Unlock()
		return
	}
	j.err = err
	close(j.failed)
	tell := j.Failed
	j.mu.Unlock()
	j.unlink()
	if tell != nil {
		go tell(err)
	}
}

// reasonTime is how long a process whose connection broke waits for rank 0 to report why.
const reasonTime = 3 * time.Second

// broken returns why the connection to a process broke.
func (j *job) broken(rank int, err error) error {
	select {
	case <-j.failed:
	case <-time.After(reasonTime):
		lost := &Lost{rank, j.links[rank].address, fmt.Sprintf("cannot be reached: %v", err)}
		j.tell(lost.Error())
		j.fail(lost)
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.err == nil {
		return err
	}
	return j.err
}

// Lost is the error if a process ends, or does not answer any more.
type Lost struct {
	Rank         int
	Address, Why string
}

func (e *Lost) Error() string { return fmt.Sprintf("rank %d at %s %s", e.Rank, e.Address, e.Why) }

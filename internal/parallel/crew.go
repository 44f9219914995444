package parallel

import (
	"runtime"
	"sync/atomic"
	"time"
)

// Crew does small pieces of work on several threads, over and over. To wake a
// thread that sleeps takes longer than such a piece, so that helpers stay awake
// for a while after a run, in case there is another. The zero Crew is ready. Its
// runs come one after the other.
type Crew struct {
	job  atomic.Pointer[job]
	idle atomic.Int32 // helpers that look for a job, or are about to
}

// patience is how long a helper looks for another job.
const patience = 200 * time.Microsecond

// job is a run.
type job struct {
	f    func(member int)
	open atomic.Int32 // places of helpers that nobody has taken
	busy atomic.Int32 // places that are not done with, taken or not
}

// take returns the number of a place, from 1, or 0 if there is none.
func (j *job) take() int {
	for {
		n := j.open.Load()
		if n <= 0 {
			return 0
		}
		if j.open.CompareAndSwap(n, n-1) {
			return int(n)
		}
	}
}

// Run calls f for members 0 to n−1 at once and returns when all are done. Member 0
// is the caller. Once it is done, members that have not begun are not called any
// more: they share out work, and whoever comes late finds none.
func (c *Crew) Run(n int, f func(member int)) {
	j := &job{f: f}
	j.open.Store(int32(n - 1))
	j.busy.Store(int32(n - 1))
	c.job.Store(j)
	for i := int(c.idle.Load()); i < n-1; i++ {
		c.idle.Add(1)
		go c.help()
	}
	f(0)
	for j.take() > 0 {
		j.busy.Add(-1)
	}
	Wait(func() bool { return j.busy.Load() == 0 })
	c.job.Store(nil)
}

// help takes part in runs for as long as they follow each other closely. It
// counts as idle when it begins.
func (c *Crew) help() {
	for {
		j, member := c.look()
		c.idle.Add(-1)
		if j == nil {
			// A run that began meanwhile may have counted on this one.
			if j, member = c.glance(); j == nil {
				return
			}
		}
		c.work(j, member)
	}
}

// work does the work of a member. Then its helper is idle again, before the run
// can end and the next one counts.
func (c *Crew) work(j *job, member int) {
	defer func() {
		c.idle.Add(1)
		j.busy.Add(-1)
	}()
	j.f(member)
}

// look waits for a job.
func (c *Crew) look() (*job, int) {
	start := time.Now()
	for i := 1; ; i++ {
		if j, member := c.glance(); j != nil {
			return j, member
		}
		if i%64 == 0 {
			if time.Since(start) > patience {
				return nil, 0
			}
			runtime.Gosched()
		}
	}
}

// glance takes a place in the job there is, if it has one.
func (c *Crew) glance() (*job, int) {
	if j := c.job.Load(); j != nil {
		if member := j.take(); member > 0 {
			return j, member
		}
	}
	return nil, 0
}

// Wait returns once ready does, which should be soon: it does not sleep at first.
func Wait(ready func() bool) {
	for i := 1; !ready(); i++ {
		switch {
		case i > 1<<14: // a file, perhaps
			time.Sleep(20 * time.Microsecond)
		case i%64 == 0:
			runtime.Gosched()
		}
	}
}

package parallel

import (
	"runtime"
	"runtime/debug"
	"sync/atomic"
	"time"
)

// Team is a pool of threads for many small pieces of work. Waking a thread takes longer
// than such a piece, so workers spin for a while after a run, in case another follows. The zero
// Team is ready. Its runs are sequential.
type Team struct {
	job  atomic.Pointer[job]
	idle atomic.Int32 // workers that spin, or are about to
}

// spinTime is how long a worker spins.
const spinTime = 200 * time.Microsecond

// job is a run.
type job struct {
	f func(worker int)
	panics
	open atomic.Int32 // free places of workers
	busy atomic.Int32 // places that are not finished, taken or not
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

// Run calls f for workers 0 to n−1 at once and returns when all are done. Worker 0 is the caller.
// Once it is done, workers that have not begun are not called any more: they share the work, and a
// late worker finds none. A panic of a worker is one of Run, as with [Do]; the others end first, so
// none may wait for it.
func (t *Team) Run(n int, f func(worker int)) {
	j := &job{f: f}
	j.inherit()
	j.open.Store(int32(n - 1))
	j.busy.Store(int32(n - 1))
	t.job.Store(j)
	for i := int(t.idle.Load()); i < n-1; i++ {
		t.idle.Add(1)
		go t.serve()
	}
	j.call(0)
	for j.take() > 0 {
		j.busy.Add(-1)
	}
	Wait(func() bool { return j.busy.Load() == 0 })
	t.job.Store(nil)
	j.raise()
}

// call runs a worker's part.
func (j *job) call(worker int) {
	defer func() { j.keep(recover()) }()
	j.f(worker)
}

// serve takes part in runs as long as they follow each other closely. It counts as idle when it
// begins.
func (t *Team) serve() {
	for {
		j, worker := t.spin()
		t.idle.Add(-1)
		if j == nil {
			// A run that began meanwhile may have counted on this one.
			if j, worker = t.try(); j == nil {
				return
			}
		}
		t.work(j, worker)
	}
}

// work does the work of a worker, which is idle again before the run can end and the next one
// counts.
func (t *Team) work(j *job, worker int) {
	defer func() {
		t.idle.Add(1)
		j.busy.Add(-1)
	}()
	debug.SetPanicOnFault(j.faults)
	j.call(worker)
}

// spin waits for a job.
func (t *Team) spin() (*job, int) {
	start := time.Now()
	for i := 1; ; i++ {
		if j, worker := t.try(); j != nil {
			return j, worker
		}
		if i%64 == 0 {
			if time.Since(start) > spinTime {
				return nil, 0
			}
			runtime.Gosched()
		}
	}
}

// try takes a place in the current job, if it has one.
func (t *Team) try() (*job, int) {
	if j := t.job.Load(); j != nil {
		if worker := j.take(); worker > 0 {
			return j, worker
		}
	}
	return nil, 0
}

// Wait returns once ready does, which should be soon: it does not sleep at first.
func Wait(ready func() bool) {
	for i := 1; !ready(); i++ {
		switch {
		case i > 1<<14: // waiting for a file, perhaps
			time.Sleep(20 * time.Microsecond)
		case i%64 == 0:
			runtime.Gosched()
		}
	}
}

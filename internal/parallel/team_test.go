package parallel_test

import (
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"fsa/internal/parallel"
)

// Workers share work among themselves; all of it is done, once, however closely runs follow each
// other.
func TestTeam(t *testing.T) {
	var team parallel.Team
	for run := range 2000 {
		workers, work := 1+run%5, run%17
		if run%500 == 0 {
			time.Sleep(time.Millisecond) // workers have gone
		}
		var next atomic.Int64
		done := make([]atomic.Int32, work)
		var here [5]atomic.Int32
		team.Run(workers, func(worker int) {
			if here[worker].Add(1) != 1 {
				t.Errorf("run %d: worker %d was called twice", run, worker)
			}
			for i := next.Add(1) - 1; i < int64(work); i = next.Add(1) - 1 {
				done[i].Add(1)
			}
		})
		for i := range done {
			if n := done[i].Load(); n != 1 {
				t.Fatalf("run %d: piece %d was done %d times", run, i, n)
			}
		}
		for worker := workers; worker < len(here); worker++ {
			if here[worker].Load() != 0 {
				t.Fatalf("run %d: there is no worker %d", run, worker)
			}
		}
	}
}

// Helpers do not pile up if runs follow each other faster than they come.
func TestTeamIsSmall(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	var team parallel.Team
	before, most := runtime.NumGoroutine(), 0
	for range 1000 {
		team.Run(4, func(int) {})
		most = max(most, runtime.NumGoroutine()-before)
	}
	if most > 3 {
		t.Errorf("%d helpers for 3 places", most)
	}
}

// A run ends only after helpers that have begun.
func TestTeamWaits(t *testing.T) {
	var team parallel.Team
	for range 20 {
		var begun, ended atomic.Int32
		team.Run(3, func(worker int) {
			begun.Add(1)
			if worker > 0 {
				time.Sleep(time.Millisecond)
			} else {
				time.Sleep(100 * time.Microsecond)
			}
			ended.Add(1)
		})
		if b, e := begun.Load(), ended.Load(); b != e {
			t.Fatalf("%d workers began and %d had ended", b, e)
		}
	}
}

func TestWait(t *testing.T) {
	var ready atomic.Bool
	time.AfterFunc(5*time.Millisecond, func() { ready.Store(true) })
	parallel.Wait(ready.Load)
	if !ready.Load() {
		t.Error("it did not wait")
	}
}

// BenchmarkTeam measures the cost of a helper, compared with starting a goroutine.
func BenchmarkTeam(b *testing.B) {
	var team parallel.Team
	for b.Loop() {
		team.Run(2, func(int) {})
	}
}

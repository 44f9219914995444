package parallel_test

import (
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"fsa/internal/parallel"
)

// Members share work out among themselves; all of it is done, once, however
// closely runs follow each other.
func TestCrew(t *testing.T) {
	var crew parallel.Crew
	for run := range 2000 {
		members, work := 1+run%5, run%17
		if run%500 == 0 {
			time.Sleep(time.Millisecond) // helpers have gone
		}
		var next atomic.Int64
		done := make([]atomic.Int32, work)
		var here [5]atomic.Int32
		crew.Run(members, func(member int) {
			if here[member].Add(1) != 1 {
				t.Errorf("run %d: member %d was called twice", run, member)
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
		for member := members; member < len(here); member++ {
			if here[member].Load() != 0 {
				t.Fatalf("run %d: there is no member %d", run, member)
			}
		}
	}
}

// Helpers do not pile up where runs follow each other faster than they come.
func TestCrewIsSmall(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	var crew parallel.Crew
	before, most := runtime.NumGoroutine(), 0
	for range 1000 {
		crew.Run(4, func(int) {})
		most = max(most, runtime.NumGoroutine()-before)
	}
	if most > 3 {
		t.Errorf("%d helpers for 3 places", most)
	}
}

// A run ends only after helpers that have begun.
func TestCrewWaits(t *testing.T) {
	var crew parallel.Crew
	for range 20 {
		var begun, ended atomic.Int32
		crew.Run(3, func(member int) {
			begun.Add(1)
			if member > 0 {
				time.Sleep(time.Millisecond)
			} else {
				time.Sleep(100 * time.Microsecond)
			}
			ended.Add(1)
		})
		if b, e := begun.Load(), ended.Load(); b != e {
			t.Fatalf("%d members began and %d had ended", b, e)
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

// BenchmarkCrew is what it costs to have a helper, beside starting a goroutine.
func BenchmarkCrew(b *testing.B) {
	var crew parallel.Crew
	for b.Loop() {
		crew.Run(2, func(int) {})
	}
}

package parallel_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"

	"fsa/internal/parallel"
)

// A panic of any thread becomes one of the caller, who may recover, when all threads have ended.
func TestPanics(t *testing.T) {
	var team parallel.Team
	for _, c := range []struct {
		what string
		run  func(do func(thread int))
	}{
		{"Do", func(do func(thread int)) {
			parallel.Do(context.Background(), 4, 100, func(thread, _ int) error { do(thread); return nil })
		}},
		{"Team", func(do func(thread int)) { team.Run(4, do) }},
	} {
		for _, caller := range []bool{true, false} { // which panics, or any other thread
			var inside atomic.Int32
			recovered := func() (p any) {
				defer func() { p = recover() }()
				var met atomic.Bool
				c.run(func(thread int) {
					inside.Add(1)
					defer inside.Add(-1)
					switch {
					case caller == (thread == 0):
						met.Store(true)
						panic("a mistake")
					default: // so that the thread that is to panic gets a piece of the work
						parallel.Wait(met.Load)
					}
				})
				return nil
			}()
			text, _ := recovered.(string)
			if !strings.HasPrefix(text, "a mistake") || !caller && !strings.Contains(text, "panics_test.go") {
				t.Errorf("%s: recovered %v, caller %v", c.what, recovered, caller)
			}
			if inside.Load() != 0 {
				t.Errorf("%s: %d threads are at work after a panic, caller %v", c.what, inside.Load(), caller)
			}
		}
	}
}

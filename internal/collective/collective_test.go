package collective_test

import (
	"errors"
	"sync"
	"testing"

	"fsa/internal/collective"
	"fsa/internal/collective/collectivetest"
)

func TestSingle(t *testing.T) {
	if err := collectivetest.Check(collective.Single{}); err != nil {
		t.Fatal(err)
	}
}

func TestGroup(t *testing.T) {
	for _, n := range []int{1, 2, 3, 6} {
		var wait sync.WaitGroup
		for _, c := range collective.Group(n) {
			wait.Go(func() {
				if err := collectivetest.Check(c); err != nil {
					t.Error(err)
				}
			})
		}
		wait.Wait()
	}
}

// A process that waits for one that has ended the job gets an error.
func TestGroupAborts(t *testing.T) {
	g := collective.Group(2)
	g[1].Abort(1, "")
	if err := g[0].Barrier(); !errors.Is(err, collective.ErrAborted) {
		t.Errorf("the other waits: %v", err)
	}
}

package parallel_test

import (
	"context"
	"errors"
	"testing"

	"fsa/internal/parallel"
)

// Every number is visited once, on an existing thread.
func TestDo(t *testing.T) {
	for _, threads := range []int{0, 1, 3, 50} {
		for _, n := range []int{0, 1, 2, 40} {
			seen := make([]int, n)
			err := parallel.Do(t.Context(), threads, n, func(thread, i int) error {
				if threads > 0 && (thread < 0 || thread >= threads) {
					t.Errorf("thread %d of %d", thread, threads)
				}
				seen[i]++
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			for i, times := range seen {
				if times != 1 {
					t.Errorf("%d threads: %d of %d was visited %d times", threads, i, n, times)
				}
			}
		}
	}
}

func TestDoFails(t *testing.T) {
	bad := errors.New("bad")
	if err := parallel.Do(t.Context(), 1, 9, func(_, i int) error {
		if i > 3 {
			t.Errorf("%d was visited after an error", i)
		}
		if i == 3 {
			return bad
		}
		return nil
	}); err != bad {
		t.Errorf("the error is %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := parallel.Do(ctx, 2, 9, func(_, _ int) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end of the context the error is %v", err)
	}
}

package bench

import (
	"sync/atomic"
	"testing"
)

// Every number is visited once, whatever the number of threads.
func TestShare(t *testing.T) {
	for _, n := range []int{1, 63, 64, 65, 1000} {
		for _, least := range []int{1, 4, 2000} {
			for threads := 1; threads <= 3; threads++ {
				seen := make([]atomic.Int32, n)
				err := share(t.Context(), threads, n, least, func(thread, lo, hi int) {
					if thread < 0 || thread >= threads {
						t.Errorf("thread %d of %d", thread, threads)
					}
					for i := lo; i < hi; i++ {
						seen[i].Add(1)
					}
				})
				if err != nil {
					t.Fatal(err)
				}
				for i := range seen {
					if seen[i].Load() != 1 {
						t.Fatalf("%d of %d was visited %d times", i, n, seen[i].Load())
					}
				}
			}
		}
	}
}

func TestSum(t *testing.T) {
	words := make([]uint64, 29)
	var want uint64
	for i := range words {
		if got := sum(words[:i]); got != want {
			t.Errorf("sum of %d words is %d, want %d", i, got, want)
		}
		words[i] = uint64(i * i)
		want += words[i]
	}
}

// A sweep reads the number of bytes that it reports.
func TestSweeps(t *testing.T) {
	m := newMemory(1 << 16)
	for _, s := range []sweep{m.plain(), m.product(30), m.fused(30), m.fused(1000)} {
		if s.bytes > 1<<16 || s.bytes < 1<<16-4000 {
			t.Errorf("%s: %d bytes", s.name, s.bytes)
		}
		if rate, err := s.rate(t.Context(), 2); err != nil || rate <= 0 {
			t.Errorf("%s: %v, %v", s.name, rate, err)
		}
	}
}

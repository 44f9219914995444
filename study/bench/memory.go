package bench

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"unsafe"

	"fsa/internal/matrix"
)

// memory is a stretch of memory larger than the caches, to be read as words or multiplied as a
// table of any width.
type memory struct{ words []uint64 }

// newMemory returns memory that was written to: pages that were never written are all the same
// page, which stays in the cache.
func newMemory(bytes int) *memory {
	m := &memory{make([]uint64, bytes/8)}
	x := m.numbers()
	for i := range x {
		x[i] = float32(i%7) - 3
	}
	return m
}

func (m *memory) numbers() []float32 {
	return unsafe.Slice((*float32)(unsafe.Pointer(unsafe.SliceData(m.words))), 2*len(m.words))
}

// table returns the part of the memory that makes whole rows.
func (m *memory) table(cols int) *matrix.Dense {
	x := m.numbers()
	rows := len(x) / cols
	return matrix.NewDense(rows, cols, x[:rows*cols])
}

// sweep is a way to read memory once.
type sweep struct {
	name  string
	bytes int
	run   func(ctx context.Context, threads int) error
}

// rate returns bytes per second.
func (s *sweep) rate(ctx context.Context, threads int) (float64, error) {
	seconds, err := timed(func() error { return s.run(ctx, threads) })
	return float64(s.bytes) / seconds, err
}

// plain reads words and sums them: the best that Go does without assembly.
func (m *memory) plain() sweep {
	return sweep{"a loop over words", 8 * len(m.words), func(ctx context.Context, threads int) error {
		var total atomic.Uint64
		return share(ctx, threads, len(m.words), 1, func(_, lo, hi int) { total.Add(sum(m.words[lo:hi])) })
	}}
}

// sum has eight sums in flight, so that it waits for memory only.
func sum(words []uint64) uint64 {
	var a, b, c, d, e, f, g, h uint64
	for len(words) >= 8 {
		w := words[:8:8]
		a, b, c, d = a+w[0], b+w[1], c+w[2], d+w[3]
		e, f, g, h = e+w[4], f+w[5], g+w[6], h+w[7]
		words = words[8:]
	}
	for _, w := range words {
		a += w
	}
	return a + b + c + d + e + f + g + h
}

// product multiplies a table by a vector, which reads it ahead of its use.
func (m *memory) product(cols int) sweep {
	return m.multiply(fmt.Sprintf("a product with %d columns", cols), cols, false)
}

// fused multiplies every block of rows from one side and, together with the next one, from the
// other, as a fit does.
func (m *memory) fused(cols int) sweep {
	return m.multiply(fmt.Sprintf("a fused pass over %d columns", cols), cols, true)
}

func (m *memory) multiply(name string, cols int, both bool) sweep {
	x := m.table(cols)
	rows, _ := x.Dims()
	step := x.BlockRows()
	return sweep{name, 4 * rows * cols, func(ctx context.Context, threads int) error {
		beta, z, g := make([]float64, cols), make([][]float64, threads), make([][]float64, threads)
		for j := range beta {
			beta[j] = float64(j%5) - 2
		}
		for t := range threads {
			// Threads that write to the same line of the cache would wait for
			// each other.
			const line = 16
			room := make([]float64, 2*step+cols+2*line)
			z[t], g[t] = room[line:][:2*step], room[line+2*step:][:cols]
		}
		return share(ctx, threads, rows, step, func(thread, lo, hi int) {
			next, last := z[thread][:step], z[thread][step:]
			var past matrix.Rows
			for ; lo < hi; lo += step {
				end := min(lo+step, hi)
				block, err := x.Slice(ctx, lo, end)
				if err != nil {
					panic(err) // a table in memory cannot fail
				}
				next = next[:end-lo]
				if past == nil {
					block.Mul(next, beta)
				} else {
					matrix.MulTMul(block, next, beta, past, g[thread], last, true)
				}
				if both {
					past = block
					next, last = last, next
				}
			}
			if past != nil {
				past.MulT(g[thread], last)
			}
		})
	}}
}

// commonWidth is a number of columns at which a product is fast.
const commonWidth = 1000

// fastest returns the rate of the faster of a plain loop and a product.
func (m *memory) fastest(ctx context.Context, threads int) (float64, error) {
	best := 0.0
	for _, s := range []sweep{m.plain(), m.product(commonWidth)} {
		rate, err := s.rate(ctx, threads)
		if err != nil {
			return 0, err
		}
		best = max(best, rate)
	}
	return best, nil
}

// shards is the number of parts that threads divide among themselves.
const shards = 64

// share calls f for parts of 0 to n−1, multiples of least except for the last, on several threads.
func share(ctx context.Context, threads, n, least int, f func(thread, lo, hi int)) error {
	size := ((n+shards-1)/shards + least - 1) / least * least
	var next atomic.Int64
	var wg sync.WaitGroup
	for t := range threads {
		wg.Go(func() {
			for ctx.Err() == nil {
				hi := int(next.Add(int64(size)))
				if hi-size >= n {
					return
				}
				f(t, hi-size, min(hi, n))
			}
		})
	}
	wg.Wait()
	return ctx.Err()
}

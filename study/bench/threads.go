package bench

import (
	"context"
	"fmt"
	"io"
	"runtime"

	"fsa"
	"fsa/data"
	"fsa/data/synth"
)

// config describes the table.
func (t threadTable) config() synth.Config {
	c := config(synth.Classification, t.shape, 1)
	if c.Model = t.model; c.Model == synth.Zipf {
		c.Nonzeros = min(rowNonzeros, c.M/2)
	}
	return c
}

// threadCounts returns 1, 2, 4 and so on up to most, and most itself.
func threadCounts(most int) []int {
	var counts []int
	for n := 1; n < most; n *= 2 {
		counts = append(counts, n)
	}
	return append(counts, most)
}

// threads fits tables and reads memory with growing numbers of threads.
func (b *bencher) threads(ctx context.Context) error {
	b.report.Threaded = []Threaded{}
	for _, t := range b.threadTables {
		r, err := b.threadsOn(ctx, t)
		if err != nil {
			return err
		}
		b.report.Threaded = append(b.report.Threaded, r)
	}
	return ctx.Err()
}

// threadsOn uses all numbers of threads in turn, for as many rounds as medians need. Ratios are
// taken within a round, so slow rounds do not matter.
func (b *bencher) threadsOn(ctx context.Context, t threadTable) (Threaded, error) {
	c := t.config()
	r := Threaded{N: c.N, M: c.M, K: c.K, Sparse: c.Model == synth.Zipf}
	table, err := b.table(ctx, c, nil)
	if err != nil {
		return r, err
	}
	m := newMemory(int(min(numberBytes(c), int64(b.buffer))))
	r.ReadBytes = 8 * len(m.words)
	counts := threadCounts(b.Threads)
	seconds, fitOver, rate, readOver := make([][]float64, len(counts)), make([][]float64, len(counts)), make([][]float64, len(counts)), make([][]float64, len(counts))
	for round := range b.repeats {
		for i, n := range counts {
			b.Log("threads: %d×%d, %s, round %d of %d", c.N, c.M, plural(n, "thread"), round+1, b.repeats)
			took, err := timeFit(ctx, table, c.K, n)
			if err != nil {
				return r, err
			}
			read, err := m.fastest(ctx, n)
			if err != nil {
				return r, err
			}
			seconds[i], rate[i] = append(seconds[i], took), append(rate[i], read)
			fitOver[i], readOver[i] = append(fitOver[i], seconds[0][round]/took), append(readOver[i], read/rate[0][round])
		}
	}
	for i, n := range counts {
		r.Points = append(r.Points, ThreadPoint{n, median(seconds[i]), median(fitOver[i]), median(rate[i]), median(readOver[i])})
	}
	return r, nil
}

// timeFit times a fit with this many processors for everything it does.
func timeFit(ctx context.Context, table *data.Dataset, k, threads int) (float64, error) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(threads))
	f, err := fitted(ctx, table, fsa.Options{K: k, Quick: true, Run: fsa.Run{Threads: threads}})
	return f.seconds, err
}

func (r *Report) printThreads(w io.Writer) {
	for _, t := range r.Threaded {
		title := fmt.Sprintf("threads, %d×%d, k = %d", t.N, t.M, t.K)
		if t.Sparse {
			title += ", sparse"
		}
		fmt.Fprintf(w, "\n%-38s%9s%10s%11s%10s\n", title, "fit, s", "speed-up", "read, GB/s", "speed-up")
		for _, p := range t.Points {
			fmt.Fprintf(w, "  %-36s%9.3g%10.2f%11.1f%10.2f\n", plural(p.Threads, "thread"), p.Seconds, p.FitOver, p.BytesPerSecond/1e9, p.ReadOver)
		}
	}
}

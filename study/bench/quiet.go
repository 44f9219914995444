package bench

import (
	"context"
	"fmt"
)

// commonWidth is a number of columns at which a product is fast.
const commonWidth = 1000

// listen measures the bandwidth of reading and returns it, in bytes a second.
// What it finds every time it is called shows whether others were using the
// memory during the run.
func (b *bencher) listen(ctx context.Context) (float64, error) {
	m := newMemory(b.buffer)
	ways := []sweep{m.plain(), m.product(commonWidth)}
	var now []float64
	for range b.repeats {
		best := 0.0
		for _, s := range ways {
			rate, err := s.rate(ctx, b.Threads)
			if err != nil {
				return 0, err
			}
			best = max(best, rate)
		}
		now = append(now, best)
	}
	b.heard = append(b.heard, now...)
	b.report.Quiet.ReadBytesPerSecond = median(b.heard)
	b.report.Quiet.Spread = spread(b.heard)
	return median(now), nil
}

// Limits of what counts as quiet.
const (
	quietLoad   = 0.3 // other programs, on average
	quietSpread = 0.1
)

// String says how quiet the machine was.
func (q Quiet) String() string {
	verdict, load := "quiet", "unknown"
	if len(q.Load) > 0 {
		load = fmt.Sprintf("%.2f", q.Load[0])
		if q.Load[0] > quietLoad {
			verdict = "NOT QUIET"
		}
	}
	if q.Spread > quietSpread {
		verdict = "NOT QUIET"
	}
	return fmt.Sprintf("%s: load average %s before; reading %.1f GB/s, spread %.0f%%", verdict, load, q.ReadBytesPerSecond/1e9, 100*q.Spread)
}

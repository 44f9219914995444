package bench

import (
	"context"
	"fmt"
)

// listen measures the bandwidth of reading and returns it, in bytes per second. Its spread over the
// run shows whether other programs used the memory.
func (b *bencher) listen(ctx context.Context) (float64, error) {
	m := newMemory(b.buffer)
	var now []float64
	for range b.repeats {
		rate, err := m.fastest(ctx, b.Threads)
		if err != nil {
			return 0, err
		}
		now = append(now, rate)
	}
	b.heard = append(b.heard, now...)
	b.report.Quiet.ReadBytesPerSecond = median(b.heard)
	b.report.Quiet.Spread = spread(b.heard)
	return median(now), nil
}

// Limits of a quiet machine.
const (
	quietLoad   = 0.3 // other programs, on average
	quietSpread = 0.1
)

// String describes how quiet the machine was.
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

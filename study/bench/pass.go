package bench

import "context"

// passRepeats is how many times as often as a fit a pass is repeated: it takes milliseconds, and
// disturbances are as short.
const passRepeats = 3

// pass compares fused passes over a table with reading the same memory.
func (b *bencher) pass(ctx context.Context) error {
	b.Log("passes over %d MiB", b.buffer>>20)
	m := newMemory(b.buffer)
	var err error
	if b.report.Pass, err = b.passRatios(ctx, m, b.Threads); err != nil || b.Threads == 1 {
		b.report.PassOneThread = b.report.Pass
		return err
	}
	b.report.PassOneThread, err = b.passRatios(ctx, m, 1)
	return err
}

// passRatios returns the median ratio for each width. A pass is compared with a read of the same
// round, so that slow rounds do not matter; the reader is the fastest one over all rounds.
func (b *bencher) passRatios(ctx context.Context, m *memory, threads int) (map[int]float64, error) {
	readers := []sweep{m.plain()}
	var passes []sweep
	for _, cols := range b.passWidths {
		readers = append(readers, m.product(cols))
		passes = append(passes, m.fused(cols))
	}
	all := append(readers, passes...)
	rates := make([][]float64, len(all))
	for range passRepeats * b.repeats {
		for i := range all {
			rate, err := all[i].rate(ctx, threads)
			if err != nil {
				return nil, err
			}
			rates[i] = append(rates[i], rate)
		}
	}
	best := 0
	for i := range readers {
		if median(rates[i]) > median(rates[best]) {
			best = i
		}
	}
	b.report.Read = append(b.report.Read, Read{threads, readers[best].name, median(rates[best])})
	ratios := map[int]float64{}
	for i, cols := range b.passWidths {
		var ratio []float64
		for round, rate := range rates[len(readers)+i] {
			ratio = append(ratio, rate/rates[best][round])
		}
		ratios[cols] = median(ratio)
	}
	return ratios, nil
}

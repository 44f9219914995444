package bench

import (
	"context"
	"runtime"

	"fsa"
	"fsa/data"
	"fsa/data/synth"
)

// scaling fits tables of growing size. The number of epochs is the same for
// all of them.
func (b *bencher) scaling(ctx context.Context) error {
	s := &Scale{}
	var n, m, byN, byM []float64
	var last *data.Dataset // with the most rows
	for _, rows := range decade(b.scaleRows.n, b.scalePoints) {
		table, p, err := b.point(ctx, shape{rows, b.scaleRows.m, b.scaleRows.k})
		if err != nil {
			return err
		}
		n, byN, last = append(n, float64(p.N)), append(byN, p.Seconds), table
		s.Points = append(s.Points, p)
	}
	if err := b.threads(ctx, s, last); err != nil {
		return err
	}
	last = nil
	for _, cols := range decade(b.scaleColumns.m, b.scalePoints) {
		_, p, err := b.point(ctx, shape{b.scaleColumns.n, cols, b.scaleColumns.k})
		if err != nil {
			return err
		}
		m, byM = append(m, float64(p.M)), append(byM, p.Seconds)
		s.Points = append(s.Points, p)
	}
	s.ExponentN, s.ExponentM = exponent(n, byN), exponent(m, byM)
	b.report.Scaling = s
	return nil
}

// point makes a table and times its fit.
func (b *bencher) point(ctx context.Context, s shape) (*data.Dataset, Point, error) {
	b.Log("scaling: %d rows, %d columns", s.n, s.m)
	table, err := b.table(ctx, config(synth.Classification, s, 1), nil)
	if err != nil {
		return nil, Point{}, err
	}
	var seconds []float64
	for range b.repeats {
		took, err := timeFit(ctx, table, s.k, b.Threads)
		if err != nil {
			return nil, Point{}, err
		}
		seconds = append(seconds, took)
	}
	return table, Point{s.n, s.m, median(seconds)}, nil
}

// threads compares one thread and two on a table that is there and on a larger one.
func (b *bencher) threads(ctx context.Context, s *Scale, table *data.Dataset) error {
	if b.report.Machine.Cores < 2 || runtime.GOMAXPROCS(0) < 2 {
		return nil
	}
	if err := b.twoThreads(ctx, s, table, b.scaleRows.k); err != nil || b.threadShape.n == 0 {
		return err
	}
	large, err := b.table(ctx, config(synth.Classification, b.threadShape, 1), nil)
	if err != nil {
		return err
	}
	return b.twoThreads(ctx, s, large, b.threadShape.k)
}

// twoThreads compares one thread and two, in turns.
func (b *bencher) twoThreads(ctx context.Context, s *Scale, table *data.Dataset, k int) error {
	b.Log("scaling: one thread and two, %d rows, %d columns", table.Rows(), table.Width())
	m := newMemory(b.buffer)
	read := m.product(commonWidth)
	var fit, bandwidth []float64
	for range b.repeats {
		var took, rate [2]float64
		for i := range 2 {
			var err error
			if took[i], err = timeFit(ctx, table, k, i+1); err != nil {
				return err
			}
			if rate[i], err = read.rate(ctx, i+1); err != nil {
				return err
			}
		}
		fit = append(fit, took[0]/took[1])
		bandwidth = append(bandwidth, rate[1]/rate[0])
	}
	t := Threads{N: table.Rows(), M: table.Width(), Fit: median(fit), Read: median(bandwidth)}
	s.Threads = append(s.Threads, t)
	s.Threads2Over1, s.Read2Over1 = &t.Fit, &t.Read
	return nil
}

// timeFit times a fit that has so many processors for everything it does.
func timeFit(ctx context.Context, table *data.Dataset, k, threads int) (float64, error) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(threads))
	took, _, err := fitted(ctx, table, fsa.Options{K: k, Threads: threads, Quick: true})
	return took, err
}

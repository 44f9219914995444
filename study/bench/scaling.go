package bench

import (
	"context"

	"fsa/data/synth"
)

// scaling fits tables of growing size. The number of epochs is the same for
// all of them.
func (b *bencher) scaling(ctx context.Context) error {
	s := &Scale{}
	var n, m, byN, byM []float64
	for _, rows := range decade(b.scaleRows.n, b.scalePoints) {
		p, err := b.point(ctx, shape{rows, b.scaleRows.m, b.scaleRows.k})
		if err != nil {
			return err
		}
		n, byN = append(n, float64(p.N)), append(byN, p.Seconds)
		s.Points = append(s.Points, p)
	}
	for _, cols := range decade(b.scaleColumns.m, b.scalePoints) {
		p, err := b.point(ctx, shape{b.scaleColumns.n, cols, b.scaleColumns.k})
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
func (b *bencher) point(ctx context.Context, s shape) (Point, error) {
	b.Log("scaling: %d rows, %d columns", s.n, s.m)
	table, err := b.table(ctx, config(synth.Classification, s, 1), nil)
	if err != nil {
		return Point{}, err
	}
	var seconds []float64
	for range b.repeats {
		took, err := timeFit(ctx, table, s.k, b.Threads)
		if err != nil {
			return Point{}, err
		}
		seconds = append(seconds, took)
	}
	return Point{s.n, s.m, median(seconds)}, nil
}

package matrix

import (
	"context"
	"math"

	"fsa/internal/kernel"
	"fsa/internal/parallel"
)

var (
	_ Binner  = (*Dense)(nil)
	_ Rounder = (*Dense)(nil)
)

// Bin implements [Binner].
func (d *Dense) Bin(ctx context.Context, b *Binning, discard bool) (Matrix, []float64, error) {
	bins := b.bins()
	g, err := converted(ctx, d, len(b.Columns), discard, func(to []uint16, from []float32) (err error) {
		for v, column := range b.Columns {
			if to[v], err = b.code(&bins, v, from[column]); err != nil {
				return err
			}
		}
		return nil
	})
	return &Binned{g, bins}, nil, err
}

// BFloat16 implements [Rounder].
func (d *Dense) BFloat16(ctx context.Context, codes []Coding, discard bool) (Matrix, error) {
	return narrowed(ctx, d, &bfloat16Products, discard, func(to []uint16, from []float32) {
		codes, to := codes[:len(from)], to[:len(from)]
		for j, v := range from {
			to[j] = kernel.BFloat16(codes[j].cell(v, 2))
		}
	})
}

// Int8 implements [Rounder].
func (d *Dense) Int8(ctx context.Context, codes []Coding, discard bool) (Matrix, error) {
	return narrowed(ctx, d, &int8Products, discard, func(to []int8, from []float32) {
		codes, to := codes[:len(from)], to[:len(from)]
		for j, v := range from {
			to[j] = nearest(codes[j].cell(v, math.MaxInt8))
		}
	})
}

// narrowed returns the rounded rows of m.
func narrowed[V uint16 | int8](ctx context.Context, m *Dense, p *products[V], discard bool, round func(to []V, from []float32)) (Matrix, error) {
	g, err := converted(ctx, m, m.cols, discard, func(to []V, from []float32) error {
		round(to, from)
		return nil
	})
	return &rounded[V]{g, p}, err
}

// converted returns the converted rows of m. It converts chunk by chunk and, with discard, releases
// the chunks of m.
func converted[V uint16 | int8](ctx context.Context, m *Dense, cols int, discard bool, row func(to []V, from []float32) error) (grid[V], error) {
	const stripe = 64 << 10 // number of cells per thread
	to := grid[V]{rows: m.rows, cols: cols, perChunk: m.perChunk}
	step := max(1, stripe/m.cols)
	for c, from := range m.chunks {
		rows := len(from) / m.cols
		chunk := make([]V, rows*cols)
		err := parallel.Do(ctx, 0, (rows+step-1)/step, func(_, s int) error {
			for i := s * step; i < min((s+1)*step, rows); i++ {
				if err := row(chunk[i*cols:(i+1)*cols], from[i*m.cols:(i+1)*m.cols]); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return to, err
		}
		to.chunks = append(to.chunks, chunk)
		if discard {
			m.chunks[c] = nil
		}
	}
	return to, nil
}

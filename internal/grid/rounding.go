package grid

import (
	"context"

	"fsa/internal/matrix"
)

var _ matrix.Rounder = (*Matrix)(nil)

// BFloat16 implements [matrix.Rounder].
func (m *Matrix) BFloat16(ctx context.Context, codes []matrix.Coding, discard bool) (matrix.Matrix, error) {
	return m.rounded(2, func(x matrix.Rounder, lo, hi int) (matrix.Matrix, error) {
		return x.BFloat16(ctx, codes[lo:hi], discard)
	})
}

// Int8 implements [matrix.Rounder].
func (m *Matrix) Int8(ctx context.Context, codes []matrix.Coding, discard bool) (matrix.Matrix, error) {
	return m.rounded(1, func(x matrix.Rounder, lo, hi int) (matrix.Matrix, error) { return x.Int8(ctx, codes[lo:hi], discard) })
}

// rounded returns the table with cells of the given number of bytes; round rounds a tile of some
// columns.
func (m *Matrix) rounded(bytes int, round func(x matrix.Rounder, lo, hi int) (matrix.Matrix, error)) (matrix.Matrix, error) {
	to := m.derived()
	to.bytes = bytes
	for _, tiles := range m.tiles {
		var all []matrix.Normed
		for c, t := range tiles {
			lo, hi := m.cut.Slices[m.slices[0]+c], m.cut.Slices[m.slices[0]+c+1]
			if lo == hi { // the slice has only text columns
				all = append(all, t)
				continue
			}
			x, err := round(t.(matrix.Rounder), lo, hi)
			if err != nil {
				return nil, err
			}
			all = append(all, x.(matrix.Normed))
		}
		to.tiles = append(to.tiles, all)
	}
	return &to, nil
}

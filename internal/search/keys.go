package search

import (
	"cmp"
	"context"
	"slices"

	"fsa/internal/matrix"
	"fsa/loss"
)

// Keys returns a number for each row, by which rows are dealt into folds. It depends on the content of
// the row, not on its position, the order of columns or their units: it is the rank of the row in XXᵀy
// of standardised columns. Rows count by their weight, and rows that differ by rounding errors only
// have the same key.
func (s *Sample) Keys(ctx context.Context) ([]uint64, error) {
	x := s.Design.X
	rows, _ := x.Dims()
	centred, keys := slices.Clone(s.Target.Y), make([]uint64, rows)
	if several, ok := s.Loss.(*loss.Targets); ok { // their target has the numbers of rows
		centred = several.Sum(centred)
	}
	weights := s.lossTarget()
	var middle, weight float64
	for i, y := range centred {
		w := weights.WeightOf(i)
		middle, weight = middle+w*y, weight+w
	}
	for i := range centred {
		centred[i] = weights.WeightOf(i) * (centred[i] - middle/weight)
	}
	g, err := matrix.MulT(ctx, x, centred)
	if err != nil {
		return nil, err
	}
	for p, scale := range s.Design.Scale {
		g[p] *= scale * scale
	}
	z, err := matrix.Mul(ctx, x, g)
	if err != nil {
		return nil, err
	}
	order := all(rows)
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(z[a], z[b]) })
	const rounding = 1e-12 // values that differ by less than this share of the range are equal
	rank, last, noise := uint64(0), -1, rounding*(z[order[rows-1]]-z[order[0]])
	for _, row := range order {
		if weights.WeightOf(row) > 0 { // rows without weight must not change the ranks of others
			if last >= 0 && z[row]-z[last] > noise {
				rank++
			}
			last = row
		}
		keys[row] = rank
	}
	return keys, nil
}

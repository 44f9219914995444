package search

import (
	"cmp"
	"context"
	"slices"

	"fsa/internal/matrix"
	"fsa/internal/tuning"
)

// Keys returns a number for each row that depends on its content, not on its position, on the
// order of columns or on their units: the rank of XXᵀy, of standardised columns. Rows count by
// their weight, and those that differ by no more than rounding have the same.
func (s *Sample) Keys(ctx context.Context) ([]uint64, error) {
	x := s.Design.X
	rows, _ := x.Dims()
	centred, keys := slices.Clone(s.Target.Y), make([]uint64, rows)
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
	rank, last, noise := uint64(0), -1, tuning.KeyRounding*(z[order[rows-1]]-z[order[0]])
	for _, row := range order {
		if weights.WeightOf(row) > 0 { // others say nothing, also of the rank
			if last >= 0 && z[row]-z[last] > noise {
				rank++
			}
			last = row
		}
		keys[row] = rank
	}
	return keys, nil
}

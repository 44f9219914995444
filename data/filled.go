package data

import (
	"context"
	"slices"

	"fsa/internal/parallel"
)

// filled returns the numbers with the mean of their column in the place of missing
// ones: a copy, or with discard where they are. A copy of sparse numbers shares
// the positions of its cells.
func (d *Dataset) filled(ctx context.Context, numbers []int, discard bool) (Matrix, error) {
	mean := make([]float32, len(numbers))
	for v, j := range numbers {
		c := &d.Columns[j]
		mean[v] = float32(c.stored(c.Mean))
	}
	own := func(x []float32) []float32 {
		if discard {
			return x
		}
		return slices.Clone(x)
	}
	switch m := d.numbers.(type) {
	case *File:
		return m.filled(mean), nil
	case *SparseFile:
		return m.filled(mean), nil
	case *Dense:
		to := m
		if !discard {
			to = &Dense{m.grid}
			to.chunks = make([][]float32, len(m.chunks))
		}
		return to, parallel.Do(ctx, 0, len(m.chunks), func(_, c int) error {
			to.chunks[c] = own(m.chunks[c])
			for row := range slices.Chunk(to.chunks[c], m.cols) {
				for j, v := range row {
					if v != v {
						row[j] = mean[j]
					}
				}
			}
			return nil
		})
	case *Sparse:
		to := m
		if !discard {
			to = &Sparse{m.csr}
			to.chunks = make([]csrChunk[float32], len(m.chunks))
		}
		return to, parallel.Do(ctx, 0, len(m.chunks), func(_, c int) error {
			chunk := m.chunks[c]
			chunk.value = own(chunk.value)
			for p, v := range chunk.value {
				if v != v {
					chunk.value[p] = mean[chunk.index[p]]
				}
			}
			to.chunks[c] = chunk
			return nil
		})
	}
	return d.numbers, nil
}

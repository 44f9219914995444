package data

import (
	"context"
	"slices"

	"fsa/internal/kernel"
	"fsa/internal/parallel"
)

// Sparse is a matrix of float32 numbers of which the nonzero ones are stored.
type Sparse struct {
	csr[float32]
}

var (
	_ Shrinker   = (*Sparse)(nil)
	_ Ranged     = (*Sparse)(nil)
	_ RangedRows = sparseRows{}
)

// BlockRows implements [Matrix].
func (s *Sparse) BlockRows() int { return blockRows(8 * (s.cells/max(s.rows, 1) + 1)) }

// Slice implements [Matrix].
func (s *Sparse) Slice(_ context.Context, lo, hi int) (Rows, error) {
	return sparseRows{s, lo, hi}, nil
}

// Select implements [Matrix].
func (s *Sparse) Select(ctx context.Context, rows, vars []int) (Matrix, error) {
	c, err := s.pick(ctx, rows, vars)
	return &Sparse{c}, err
}

// dense returns the same matrix with its zeros.
func (s *Sparse) dense() *Dense {
	d := newDense(s.cols)
	for i := range s.rows {
		to := d.grow()
		index, value := s.row(i)
		for p, j := range index {
			to[j] = value[p]
		}
	}
	return d
}

// Shrink implements [Shrinker].
func (s *Sparse) Shrink(vars []int) { s.shrink(vars) }

// Ranges implements [Ranged]. It looks at some of the rows.
func (s *Sparse) Ranges(n int) []uint32 {
	const sample = 1000
	var seen []uint32
	for i := 0; i < s.rows; i += max(s.rows/sample, 1) {
		index, _ := s.row(i)
		seen = append(seen, index...)
	}
	slices.Sort(seen)
	bounds := []uint32{0}
	for part := 1; part < n && len(seen) > 0; part++ {
		bounds = append(bounds, seen[part*len(seen)/n])
	}
	return slices.Compact(append(bounds, uint32(s.cols)))
}

// isSparse implements [numbers].
func (s *Sparse) isSparse() bool { return true }

// measure implements [numbers].
func (s *Sparse) measure(ctx context.Context, all []moments, weight func(row int) float64) error {
	addSparse(all, 0, s, weight)
	return ctx.Err()
}

// fill implements [numbers]. A copy shares the positions of its cells.
func (s *Sparse) fill(ctx context.Context, mean []float32, discard bool) (Matrix, error) {
	to := s
	if !discard {
		to = &Sparse{s.csr}
		to.chunks = make([]csrChunk[float32], len(s.chunks))
	}
	return to, parallel.Do(ctx, 0, len(s.chunks), func(_, c int) error {
		chunk := s.chunks[c]
		chunk.value = owned(chunk.value, discard)
		for p, v := range chunk.value {
			if v != v {
				chunk.value[p] = mean[chunk.index[p]]
			}
		}
		to.chunks[c] = chunk
		return nil
	})
}

// bin implements [numbers].
func (s *Sparse) bin(ctx context.Context, b *binning, discard bool) (Matrix, error) {
	to := &SparseBinned{csr[uint16]{rows: s.rows, cols: len(b.numbers)}, b.bins, make([]uint16, len(b.numbers))}
	columns := make([]int, len(b.numbers))
	for k, j := range b.numbers {
		c := &b.Columns[j]
		columns[k], to.zero[k] = b.place(j), b.bins.code(Place(0, c.Min, c.Max))
		b.bins.spread(b.design.Offset, k, to.zero[k], 1)
	}
	place := places(columns, s.cols)
	to.chunks = make([]csrChunk[uint16], len(s.chunks))
	err := parallel.Do(ctx, 0, len(s.chunks), func(_, c int) (err error) {
		to.chunks[c], err = b.chunk(&s.chunks[c], place)
		if discard {
			s.chunks[c] = csrChunk[float32]{}
		}
		return err
	})
	for c := range to.chunks {
		to.cells += len(to.chunks[c].index)
	}
	return to, err
}

// vectors returns the rows as they stand in a design.
func (s *Sparse) vectors(g *Design) *Vectors {
	v := &Vectors{Count: s.rows, Length: s.cols, start: make([]int, 1, s.rows+1), index: make([]uint32, 0, s.cells), value: make([]float64, 0, s.cells)}
	for i := range s.rows {
		index, value := s.row(i)
		for p, j := range index {
			v.index = append(v.index, j)
			v.value = append(v.value, float64(value[p])*g.Scale[j])
		}
		v.start = append(v.start, len(v.index))
	}
	return v
}

type sparseRows struct {
	s      *Sparse
	lo, hi int
}

func (r sparseRows) Mul(z, beta []float64) {
	r.s.stretches(r.lo, r.hi, func(at int, start []int, c *csrChunk[float32]) {
		kernel.MulSparse(z[at:at+len(start)-1], start, c.index, c.value, beta)
	})
}

func (r sparseRows) MulT(g, res []float64) {
	r.s.stretches(r.lo, r.hi, func(at int, start []int, c *csrChunk[float32]) {
		kernel.MulTSparse(g, start, c.index, c.value, res[at:at+len(start)-1])
	})
}

// MulTOf implements [RangedRows].
func (r sparseRows) MulTOf(g, res []float64, lo, hi uint32) {
	r.s.stretches(r.lo, r.hi, func(at int, start []int, c *csrChunk[float32]) {
		kernel.MulTSparseOf(g, start, c.index, c.value, res[at:at+len(start)-1], lo, hi)
	})
}

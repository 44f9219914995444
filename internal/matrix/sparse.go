package matrix

import (
	"context"
	"runtime"
	"slices"

	"fsa/internal/kernel"
	"fsa/internal/parallel"
)

// Sparse is a matrix of float32 numbers that stores only the nonzero ones.
type Sparse struct {
	csr[float32]
}

var (
	_ Shrinker   = (*Sparse)(nil)
	_ Ranged     = (*Sparse)(nil)
	_ RangedRows = sparseRows{}
	_ Numbers    = (*Sparse)(nil)
	_ Binner     = (*Sparse)(nil)
	_ ByRow      = (*Sparse)(nil)
)

// NewSparse returns an empty matrix that grows by [Sparse.Add].
func NewSparse(cols int) *Sparse { return &Sparse{csr[float32]{cols: cols}} }

// Add appends a row: the ascending columns of its cells, and their numbers. Both
// are copied.
func (s *Sparse) Add(index []uint32, value []float32) { s.add(index, value) }

// Trim releases spare memory. It is called when all rows have been added.
func (s *Sparse) Trim() { s.trim() }

// Row returns the columns of the cells of row i, and their numbers.
func (s *Sparse) Row(i int) ([]uint32, []float32) { return s.row(i) }

// ScaleColumns multiplies some columns by a factor.
func (s *Sparse) ScaleColumns(factor map[uint32]float32) {
	for i := range s.rows {
		index, value := s.row(i)
		for p, j := range index {
			if f, ok := factor[j]; ok {
				value[p] *= f
			}
		}
	}
}

// Apply returns the matrix with a function of each stored number. The places of the cells are shared.
func (s *Sparse) Apply(f func(column uint32, v float32) float32) *Sparse {
	to := *s
	to.chunks = slices.Clone(s.chunks)
	parallel.Each(len(s.chunks), func(c int) {
		value := slices.Clone(s.chunks[c].value)
		for p, j := range s.chunks[c].index {
			value[p] = f(j, value[p])
		}
		to.chunks[c].value = value
	})
	return &to
}

// Renumber changes column j to column to[j]. The order of the cells of a row does not change.
func (s *Sparse) Renumber(to []uint32) {
	s.cols = len(to)
	parallel.Each(len(s.chunks), func(c int) {
		index := s.chunks[c].index
		for p, j := range index {
			index[p] = to[j]
		}
	})
}

// BlockRows implements [Matrix].
func (s *Sparse) BlockRows() int { return BlockRows(8 * (s.cells/max(s.rows, 1) + 1)) }

// Slice implements [Matrix].
func (s *Sparse) Slice(_ context.Context, lo, hi int) (Rows, error) {
	return s.Rows(lo, hi), nil
}

// Rows is like Slice, but cannot fail.
func (s *Sparse) Rows(lo, hi int) Rows { return sparseRows{s, lo, hi} }

// Select implements [Matrix].
func (s *Sparse) Select(ctx context.Context, rows, vars []int) (Matrix, error) {
	c, err := s.pick(ctx, rows, vars)
	return &Sparse{c}, err
}

// Dense returns the same matrix with its zeros.
func (s *Sparse) Dense() *Dense {
	d := GrowDense(s.cols)
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

// Ranges implements [Ranged]. It is based on a sample of the rows.
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

// IsSparse implements [Numbers].
func (s *Sparse) IsSparse() bool { return true }

// Measure implements [Numbers]. Every core has its own range of columns, with about equal numbers
// of cells.
func (s *Sparse) Measure(ctx context.Context, all []Moments, weight func(row int) float64) error {
	bounds := s.Ranges(runtime.GOMAXPROCS(0))
	parallel.Each(len(bounds)-1, func(part int) {
		lo, hi := bounds[part], bounds[part+1]
		for i := range s.rows {
			w := weight(i)
			index, value := s.row(i)
			from, _ := slices.BinarySearch(index, lo)
			for p := from; p < len(index) && index[p] < hi; p++ {
				all[index[p]].Add(value[p], w)
			}
		}
	})
	return ctx.Err()
}

// Fill implements [Numbers]. A copy shares the column indices of its cells.
func (s *Sparse) Fill(ctx context.Context, with []float32, discard bool) (Matrix, error) {
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
				chunk.value[p] = with[chunk.index[p]]
			}
		}
		to.chunks[c] = chunk
		return nil
	})
}

// Bin implements [Binner]. The cells of a zero are the offset.
func (s *Sparse) Bin(ctx context.Context, b *Binning, discard bool) (Matrix, []float64, error) {
	zero, offset := b.Zeros()
	to := &SparseBinned{csr[uint16]{rows: s.rows, cols: len(b.Columns)}, b.bins(), zero}
	place := places(b.Columns, s.cols)
	to.chunks = make([]csrChunk[uint16], len(s.chunks))
	err := parallel.Do(ctx, 0, len(s.chunks), func(_, c int) (err error) {
		to.chunks[c], err = b.chunk(&to.bins, &s.chunks[c], place)
		if discard {
			s.chunks[c] = csrChunk[float32]{}
		}
		return err
	})
	for c := range to.chunks {
		to.cells += len(to.chunks[c].index)
	}
	return to, offset, err
}

// Vectors implements [ByRow].
func (s *Sparse) Vectors(scale, _ []float64) *Vectors {
	v := &Vectors{Count: s.rows, Length: s.cols, start: make([]int, 1, s.rows+1), index: make([]uint32, 0, s.cells), value: make([]float64, 0, s.cells)}
	for i := range s.rows {
		index, value := s.row(i)
		for p, j := range index {
			v.index = append(v.index, j)
			v.value = append(v.value, float64(value[p])*scale[j])
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
	r.s.runs(r.lo, r.hi, func(at int, start []int, c *csrChunk[float32]) {
		kernel.MulSparse(z[at:at+len(start)-1], start, c.index, c.value, beta)
	})
}

func (r sparseRows) MulT(g, res []float64) {
	r.s.runs(r.lo, r.hi, func(at int, start []int, c *csrChunk[float32]) {
		kernel.MulTSparse(g, start, c.index, c.value, res[at:at+len(start)-1])
	})
}

// MulTOf implements [RangedRows].
func (r sparseRows) MulTOf(g, res []float64, lo, hi uint32) {
	r.s.runs(r.lo, r.hi, func(at int, start []int, c *csrChunk[float32]) {
		kernel.MulTSparseOf(g, start, c.index, c.value, res[at:at+len(start)-1], lo, hi)
	})
}

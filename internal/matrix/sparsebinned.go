package matrix

import "context"

// SparseBinned is a matrix of piecewise-linear cells of a sparse table, minus the cells of a zero,
// so that it is zero wherever the table is. The cells of a zero are the same in every row; the
// caller adds them to products.
type SparseBinned struct {
	csr[uint16]
	bins
	zero []uint16 // code of zero in each variable
}

var _ Matrix = (*SparseBinned)(nil)

// NewSparseBinned returns the matrix of the given codes, row after row. Codes of zeros are not
// stored.
func NewSparseBinned(bins int, widths []int, zero []uint16, rows int, codes []uint16) *SparseBinned {
	b := &SparseBinned{csr[uint16]{cols: len(widths)}, newBins(bins, widths), zero}
	var index []uint32
	var value []uint16
	for range rows {
		index, value = index[:0], value[:0]
		for v, code := range codes[:len(widths)] {
			if code != zero[v] {
				index, value = append(index, uint32(v)), append(value, code)
			}
		}
		b.add(index, value)
		codes = codes[len(widths):]
	}
	b.trim()
	return b
}

// Dense returns the same codes, including those of zeros.
func (b *SparseBinned) Dense() *Binned {
	codes := make([]uint16, 0, b.rows*len(b.zero))
	for i := range b.rows {
		codes = append(codes, b.zero...)
		row := codes[len(codes)-len(b.zero):]
		index, code := b.row(i)
		for p, v := range index {
			row[v] = code[p]
		}
	}
	return NewBinned(b.count, b.widths, b.rows, codes)
}

// Dims implements [Matrix].
func (b *SparseBinned) Dims() (rows, cols int) { return b.rows, b.offset[len(b.widths)] }

// Widths implements [Matrix].
func (b *SparseBinned) Widths() []int { return b.widths }

// BlockRows implements [Matrix].
func (b *SparseBinned) BlockRows() int { return BlockRows(6 * (b.cells/max(b.csr.rows, 1) + 1)) }

// Slice implements [Matrix].
func (b *SparseBinned) Slice(_ context.Context, lo, hi int) (Rows, error) {
	return sparseBinnedRows{b, lo, hi}, nil
}

// Select implements [Matrix].
func (b *SparseBinned) Select(ctx context.Context, rows, vars []int) (Matrix, error) {
	c, err := b.csr.pick(ctx, rows, vars)
	zero := b.zero
	if vars != nil {
		zero = make([]uint16, len(vars))
		for j, v := range vars {
			zero[j] = b.zero[v]
		}
	}
	return &SparseBinned{c, b.bins.pick(vars), zero}, err
}

type sparseBinnedRows struct {
	b      *SparseBinned
	lo, hi int
}

func (r sparseBinnedRows) Mul(z, beta []float64) {
	for i := range z {
		var s float64
		index, code := r.b.row(r.lo + i)
		for p, v := range index {
			s += r.b.dot(beta, int(v), code[p]) - r.b.dot(beta, int(v), r.b.zero[v])
		}
		z[i] = s
	}
}

func (r sparseBinnedRows) MulT(g, res []float64) {
	for i, ri := range res {
		index, code := r.b.row(r.lo + i)
		for p, v := range index {
			r.b.spread(g, int(v), code[p], ri)
			r.b.spread(g, int(v), r.b.zero[v], -ri)
		}
	}
}

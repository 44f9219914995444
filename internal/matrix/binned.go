package matrix

import (
	"context"
	"math"
	"math/bits"

	"fsa/internal/kernel"
)

// Piecewise-linear curves (section 2.5 of the paper): the range of a variable is divided into B
// bins, and a curve is given by its values at the B+1 knots between them. A number x is then a row
// of B+1 cells, of which at most two are nonzero: 1−α and α at the knots around it. Numbers beyond
// the range are treated as its ends. A variable with missing values has one more column, which is 1
// if the value is missing.
//
// A code holds the bin of x and, in the lower digits, its position in the bin. The upper end of the
// range has the code of the start of one more bin.

// binMissing is the code of a missing number.
const binMissing = kernel.MissingCode

// bins defines how codes are converted to cells.
type bins struct {
	count  int     // number of bins B
	digits int     // number of lower binary digits, which hold the position in a bin
	mask   uint16  // mask of the lower digits
	step   float64 // share of a bin per unit of the lower digits
	widths []int
	offset []int // first column of each variable, followed by the number of columns
}

func newBins(count int, widths []int) bins {
	b := bins{count: count, digits: bits.Len(uint((binMissing-1)/max(count, 1))) - 1, widths: widths, offset: make([]int, len(widths)+1)}
	b.mask, b.step = 1<<b.digits-1, math.Ldexp(1, -b.digits)
	for j, w := range widths {
		b.offset[j+1] = b.offset[j] + w
	}
	return b
}

func (b *bins) pick(vars []int) bins {
	if vars == nil {
		return *b
	}
	widths := make([]int, len(vars))
	for j, v := range vars {
		widths[j] = b.widths[v]
	}
	return newBins(b.count, widths)
}

// code returns the code of position t in the range.
func (b *bins) code(t float64) uint16 {
	return uint16(math.Round(t * float64(b.count<<b.digits)))
}

// knot returns the two cells of a code: 1−α at knot j and α at knot j+1. If α is 0, knot j+1 may
// not exist.
func (b *bins) knot(code uint16) (j int, alpha float64) {
	if code == binMissing {
		return b.count + 1, 0
	}
	return int(code >> (b.digits & 15)), float64(code&b.mask) * b.step
}

// dot returns the product of beta and the cells of a code of variable v.
func (b *bins) dot(beta []float64, v int, code uint16) float64 {
	j, alpha := b.knot(code)
	j += b.offset[v]
	if alpha == 0 {
		return beta[j]
	}
	return (1-alpha)*beta[j] + alpha*beta[j+1]
}

// spread adds r times the cells of a code of variable v to g.
func (b *bins) spread(g []float64, v int, code uint16, r float64) {
	j, alpha := b.knot(code)
	j += b.offset[v]
	g[j] += (1 - alpha) * r
	if alpha > 0 {
		g[j+1] += alpha * r
	}
}

// codes returns the layout of codes in the form of the kernels.
func (b *bins) codes() kernel.Bins {
	return kernel.Bins{Count: b.count, Digits: b.digits, Offset: b.offset[:len(b.widths)]}
}

// Knot returns the bin of a position t in [0,1] among count bins, and the
// position in the bin. The upper end of the range belongs to the last bin.
func Knot(t float64, count int) (bin int, alpha float64) {
	t *= float64(count)
	bin = min(int(t), count-1)
	return bin, t - float64(bin)
}

// Binned is a matrix of piecewise-linear cells.
type Binned struct {
	grid[uint16]
	bins
}

var _ Expander = (*Binned)(nil)

// NewBinned returns the matrix of the given codes, row after row. They are not copied.
func NewBinned(bins int, widths []int, rows int, codes []uint16) *Binned {
	return &Binned{chunked(rows, len(widths), codes), newBins(bins, widths)}
}

// Row returns the codes of row i, which must not be changed.
func (b *Binned) Row(i int) []uint16 { return b.row(i) }

// Dims implements [Matrix].
func (b *Binned) Dims() (rows, cols int) { return b.rows, b.offset[len(b.widths)] }

// Widths implements [Matrix].
func (b *Binned) Widths() []int { return b.widths }

// BlockRows implements [Matrix].
func (b *Binned) BlockRows() int { return BlockRows(2 * len(b.widths)) }

// Slice implements [Matrix].
func (b *Binned) Slice(_ context.Context, lo, hi int) (Rows, error) {
	return binnedRows{b, lo, hi}, nil
}

// Select implements [Matrix].
func (b *Binned) Select(ctx context.Context, rows, vars []int) (Matrix, error) {
	g, err := b.grid.pick(ctx, rows, vars)
	return &Binned{g, b.bins.pick(vars)}, err
}

// Expand implements [Expander].
func (b *Binned) Expand(to []float64, row int) {
	clear(to)
	for v, code := range b.row(row) {
		b.spread(to, v, code, 1)
	}
}

type binnedRows struct {
	b      *Binned
	lo, hi int
}

// Mul implements [Rows].
func (r binnedRows) Mul(z, beta []float64) {
	r.b.runs(r.lo, r.hi, func(at, rows int, x []uint16) { kernel.MulBins(z[at:at+rows], x, beta, r.b.codes()) })
}

// MulT implements [Rows].
func (r binnedRows) MulT(g, res []float64) {
	r.b.runs(r.lo, r.hi, func(at, rows int, x []uint16) { kernel.MulTBins(g, x, res[at:at+rows], r.b.codes()) })
}

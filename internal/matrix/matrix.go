// Package matrix holds tables of numbers that can be multiplied, one file per storage format: dense
// in float32 or in fewer bits, sparse, bytes, bins, one-hot. Learning code sees only a [Matrix];
// optional capabilities of a format are separate interfaces. Package paged has tables that stay in
// a file.
package matrix

import "context"

// Matrix is a table of numbers that can be multiplied, in any storage format. Its columns belong to
// variables: one column each in plain storage, and several for the knots of a curve or for
// categories. A Matrix is immutable and safe for concurrent use.
type Matrix interface {
	// Dims returns the number of rows and of columns.
	Dims() (rows, cols int)
	// Widths returns the number of columns of each variable, in order; nil
	// means one each.
	Widths() []int
	// Cells is the number of stored cells, which a pass reads.
	Cells() int
	// BlockRows is the best number of rows to process at a time: few enough that they are still in
	// the cache when they are used for the second time.
	BlockRows() int
	// Slice returns rows lo to hi−1, ready to be multiplied.
	Slice(ctx context.Context, lo, hi int) (Rows, error)
	// Select returns a matrix of the given rows, in any order, and of the given
	// variables, ascending; nil means all of them.
	Select(ctx context.Context, rows, vars []int) (Matrix, error)
}

// Rows is a range of rows of a [Matrix].
type Rows interface {
	// Mul sets z = Xβ, one number per row.
	Mul(z, beta []float64)
	// MulT adds Xᵀr to g, one number per column.
	MulT(g, r []float64)
}

// Releaser is Rows that hold a buffer, which must be released after use because others may wait for
// it.
type Releaser interface {
	Rows
	Release()
}

// Release releases the buffer of rows, if they have one.
func Release(x Rows) {
	if r, ok := x.(Releaser); ok {
		r.Release()
	}
}

// Ranged is a Matrix whose columns can be divided among threads: its rows are [RangedRows], which
// compute Xᵀr for some columns without reading the others.
type Ranged interface {
	Matrix
	// Ranges divides the columns into at most n ranges with about equal numbers of cells. It
	// returns the first column of each, followed by the number of columns.
	Ranges(n int) []uint32
}

// RangedRows is a range of rows of a [Ranged] matrix.
type RangedRows interface {
	Rows
	// MulTOf is MulT for columns lo to hi−1 only.
	MulTOf(g, r []float64, lo, hi uint32)
}

// Several is a Matrix whose rows can be multiplied by several vectors in one read: they are
// [SeveralRows].
type Several interface {
	Matrix
	several()
}

// SeveralRows is a run of rows of a [Several] matrix.
type SeveralRows interface {
	Rows
	// MulSeveral is Mul for several vectors, which lie one after the other in beta, as their
	// products do in z. The bits are those of Mul.
	MulSeveral(z, beta []float64, vectors int)
	// MulTSeveral is MulT for several vectors, which lie one after the other in r, as their sums
	// do in g. The bits are those of MulT.
	MulTSeveral(g, r []float64, vectors int)
}

// Expander is a Matrix whose rows can be written out, with a number for each column.
type Expander interface {
	Matrix
	// Expand sets to to the cells of a row.
	Expand(to []float64, row int)
}

// Expanding returns the function that writes out a row of x: that of an [Expander], also of several matrices side by side.
// It returns nil if a row cannot be read by itself.
func Expanding(x Matrix) func(to []float64, row int) {
	switch of := x.(type) {
	case Expander:
		return of.Expand
	case RowReader:
		return func(to []float64, row int) {
			for j, v := range of.Row(row) {
				to[j] = float64(v)
			}
		}
	case *Concat:
		return of.expanding()
	}
	return nil
}

// Shrinker is a Matrix that can drop variables in place.
type Shrinker interface {
	Matrix
	// Shrink drops all variables except the given ones, which are ascending.
	Shrink(vars []int)
}

// Paged is implemented by Numbers that stay in a file and are read each time they are used.
type Paged interface {
	Numbers
	// BytesRead returns the number of bytes read so far.
	BytesRead() int64
	// Fits reports whether everything fits into the allowed memory.
	Fits() bool
	// Load reads everything into memory.
	Load(ctx context.Context) (Numbers, error)
}

// Sequential reports whether the rows of x are best read in order, in whole blocks. Storage formats
// for which this is true have a method of this name.
func Sequential(x Matrix) bool {
	s, ok := x.(interface{ Sequential() bool })
	return ok && s.Sequential()
}

// Elsewhere reports whether some numbers of x are not in the memory of this process but in a file
// or in other processes, so that reading a column is expensive.
func Elsewhere(x Matrix) bool {
	_, paged := x.(Paged)
	e, ok := x.(interface{ Elsewhere() bool })
	return paged || ok && e.Elsewhere()
}

// FreeDrop reports whether variables of x should be dropped as soon as they are not needed, because
// dropping is free or makes the rest cheaper to read. Storage formats for which this is true have a
// method of this name.
func FreeDrop(x Matrix) bool {
	d, ok := x.(interface{ FreeDrop() bool })
	return ok && d.FreeDrop()
}

// blockBytes is the size of a block of rows that stays in the second-level cache of any current
// processor, together with the vectors it is multiplied with.
const blockBytes = 128 << 10

// BlockRows returns the number of rows per block, given the bytes per row: a multiple of four,
// because kernels process four rows at a time.
func BlockRows(rowBytes int) int {
	return max(4, blockBytes/max(rowBytes, 1)&^3)
}

// Variables returns the number of variables of a matrix.
func Variables(m Matrix) int {
	if w := m.Widths(); w != nil {
		return len(w)
	}
	_, cols := m.Dims()
	return cols
}

// summer is implemented by matrices that sum their columns faster than block by block.
type summer interface {
	// addAll adds Xᵀr of all rows to g, on all cores.
	addAll(ctx context.Context, g, r []float64) error
}

// Package matrix holds tables of numbers that multiply, one file for each way to store
// them: dense in float32 or in fewer bits, sparse, bytes, bins, one-hot. Whoever learns
// sees a [Matrix] only; what a storage can do besides is an interface of its own that
// it has or has not. Package paged has tables that stay in a file.
package matrix

import "context"

// Matrix is a table of numbers that can be multiplied, in whatever form it is
// stored. Its columns belong to variables: one column each in plain storage,
// several where a variable is a set of knots or of categories. A Matrix is
// immutable and safe for concurrent use.
type Matrix interface {
	// Dims returns the number of rows and of columns.
	Dims() (rows, cols int)
	// Widths returns the number of columns of each variable, in order; nil
	// means one each.
	Widths() []int
	// Cells is the number of cells that are stored: what a pass reads.
	Cells() int
	// BlockRows is how many rows are best taken at once: few enough to be
	// still in the cache when they are used for the second time.
	BlockRows() int
	// Slice returns rows lo to hi−1, ready to be multiplied.
	Slice(ctx context.Context, lo, hi int) (Rows, error)
	// Select returns a matrix of the given rows, in any order, and of the given
	// variables, ascending; nil means all of them.
	Select(ctx context.Context, rows, vars []int) (Matrix, error)
}

// Rows is a run of rows of a [Matrix].
type Rows interface {
	// Mul sets z = Xβ, one number a row.
	Mul(z, beta []float64)
	// MulT adds Xᵀr to g, one number a column.
	MulT(g, r []float64)
}

// Releaser is Rows that hold a buffer, which has to be given back once they are
// used: others may wait for it.
type Releaser interface {
	Rows
	Release()
}

// Release gives back what rows hold, if they hold something.
func Release(x Rows) {
	if r, ok := x.(Releaser); ok {
		r.Release()
	}
}

// Ranged is a Matrix whose columns can be shared out: of its rows, which are
// [RangedRows], Xᵀr can be had for some columns without looking at the others.
type Ranged interface {
	Matrix
	// Ranges cuts the columns into at most n ranges with about equally many
	// cells and returns where they begin, and the number of columns.
	Ranges(n int) []uint32
}

// RangedRows is a run of rows of a [Ranged] matrix.
type RangedRows interface {
	Rows
	// MulTOf is MulT for columns lo to hi−1 only.
	MulTOf(g, r []float64, lo, hi uint32)
}

// Shrinker is a Matrix that can drop variables in place.
type Shrinker interface {
	Matrix
	// Shrink drops every variable but the given ones, ascending.
	Shrink(vars []int)
}

// Paged are Numbers that are in a file, and are read each time they are used.
type Paged interface {
	Numbers
	// BytesRead returns how much was read so far.
	BytesRead() int64
	// Fits reports whether all of it fits into the memory that it may take.
	Fits() bool
	// Load reads everything into memory.
	Load(ctx context.Context) (Numbers, error)
}

// Sequential reports whether the rows of x are best taken in their order, whole blocks
// of them at a time. A storage of which that is true has a method that says so.
func Sequential(x Matrix) bool {
	s, ok := x.(interface{ Sequential() bool })
	return ok && s.Sequential()
}

// Elsewhere reports whether the numbers of x are not all in the memory of this process, but
// in a file or with other processes, so that to look at a column costs something.
func Elsewhere(x Matrix) bool {
	_, paged := x.(Paged)
	e, ok := x.(interface{ Elsewhere() bool })
	return paged || ok && e.Elsewhere()
}

// FreeDrop reports whether variables of x are best dropped as soon as they are not
// needed: that costs nothing, or makes what is left cheaper to read. A storage of which
// that is true has a method that says so.
func FreeDrop(x Matrix) bool {
	d, ok := x.(interface{ FreeDrop() bool })
	return ok && d.FreeDrop()
}

// blockBytes is the size of a block of rows that stays in the second-level
// cache of any current processor together with the vectors it meets.
const blockBytes = 128 << 10

// BlockRows returns how many rows of the given size make a block: a multiple
// of four, as the kernels take rows by fours.
func BlockRows(rowBytes int) int {
	return max(4, blockBytes/max(rowBytes, 1)&^3)
}

// Variables returns how many variables a matrix has.
func Variables(m Matrix) int {
	if w := m.Widths(); w != nil {
		return len(w)
	}
	_, cols := m.Dims()
	return cols
}

// summer is a Matrix that sums its columns faster than block by block.
type summer interface {
	// addAll adds Xᵀr of all rows to g, on all cores.
	addAll(ctx context.Context, g, r []float64) error
}

package cuda

import "fsa/internal/matrix"

// table is a matrix on the device, as it was uploaded. Objectives share it.
type table struct {
	cellFormat
	x      pointer
	rows   int64
	cols   int
	stride int64   // cells of a row, with zeros behind the last column
	users  int     // objectives that read it
	sparse *sparse // whose cells they are, if only nonzero ones are stored
}

// listed is a matrix whose nonzero cells can be listed.
type listed interface {
	matrix.Matrix
	Row(i int) (index []uint32, value []float32)
}

// sparse is a sparse table: where it is read from, and what is on the device.
type sparse struct {
	x     listed
	of    []int // column of x of each column of the table
	order []int32
	parts int                // batches that it was made for
	runs  map[int64][2]int64 // segments of each batch, by its first row
	args  sparseArgs
}

// strideOf returns how many cells a row of so many columns takes: whole units of 16 bytes.
func strideOf(cols, size int) int64 {
	unit := 16 / size
	return int64((cols + unit - 1) / unit * unit)
}

// newTable returns a table of so many variables that is not on the device yet.
func newTable(f cellFormat, rows int64, cols int) *table {
	return &table{cellFormat: f, rows: rows, cols: cols, stride: strideOf(cols, sizeOf[f.format])}
}

// share is how many of the cells are stored.
func (t *table) share() float64 {
	if t.sparse == nil {
		return 1
	}
	rows, cols := t.sparse.x.Dims()
	return float64(t.sparse.x.Cells()) / max(float64(rows)*float64(cols), 1)
}

// width is how many coefficients of an output there is room for.
func (t *table) width() int64 { return t.stride * int64(t.knots) }

// size is how many bytes a cell has.
func (t *table) size() int64 { return int64(sizeOf[t.format]) }

// row is how many bytes a row has.
func (t *table) row() int64 { return t.stride * t.size() }

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
	lent   bool    // x belongs to another process: it is neither changed nor freed
	sparse *sparse // its cells, if only non-zero ones are stored
}

// listed is a matrix whose non-zero cells can be listed.
type listed interface {
	matrix.Matrix
	Row(i int) (index []uint32, value []float32)
}

// sparse describes a sparse table: its source and its copy on the device.
type sparse struct {
	x     listed
	of    []int // column of x of each column of the table
	order []int32
	parts int                // number of batches when it was built
	runs  map[int64][2]int64 // segments of each batch, by its first row
	args  sparseArgs
}

// strideOf returns how many cells a row with the given number of columns takes: whole units of 16
// bytes.
func strideOf(cols, size int) int64 {
	unit := 16 / size
	return int64((cols + unit - 1) / unit * unit)
}

// newTable returns a table with the given number of variables that is not on the device yet.
func newTable(f cellFormat, rows int64, cols int) *table {
	return &table{cellFormat: f, rows: rows, cols: cols, stride: strideOf(cols, sizeOf[f.format])}
}

// share is the share of cells that are stored.
func (t *table) share() float64 {
	if t.sparse == nil {
		return 1
	}
	rows, cols := t.sparse.x.Dims()
	return float64(t.sparse.x.Cells()) / max(float64(rows)*float64(cols), 1)
}

// width is the number of coefficients for which an output has memory.
func (t *table) width() int64 { return t.stride * int64(t.knots) }

// size is the number of bytes of a cell.
func (t *table) size() int64 { return int64(sizeOf[t.format]) }

// row is the number of bytes of a row.
func (t *table) row() int64 { return t.stride * t.size() }

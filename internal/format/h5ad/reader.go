// Package h5ad reads the cells of AnnData files (.h5ad): the matrix X or a layer, dense or as compressed sparse rows,
// with the names of the variables. Columns of obs are read one by one, as targets, weights or groups.
package h5ad

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"fsa/data"
	"fsa/internal/format/h5"
)

// Reader reads the rows of a matrix of a file.
type Reader struct {
	file   *h5.File
	name   string
	schema data.Schema
	rows   int
	next   int
	dense  *h5.Array // nil if the matrix is sparse
	sparse sparse
	// columns is the matrix if it is stored by columns; it is nil until the first row is read.
	byColumn bool
	columns  *columns
	most     int64 // bytes that a matrix stored by columns may take; 0 means any number
}

// sparse is a matrix of compressed sparse rows.
type sparse struct {
	start        []float64
	index, value *h5.Array
}

var _ data.Sized = (*Reader)(nil)

const (
	blockCells = 1 << 17 // cells of a block
	blockRows  = 1 << 12
)

// NewReader starts to read a file. The matrix is X if layer is empty, raw.X if it is raw, and else a layer. The name is
// for messages. A matrix that is stored by columns may take most bytes of memory; 0 means any number.
func NewReader(r io.ReaderAt, size int64, name, layer string, most int64) (*Reader, error) {
	file, err := h5.Open(r, size, name)
	if err != nil {
		return nil, err
	}
	t := &Reader{file: file, name: name, most: most}
	matrix, variables := "X", "var"
	switch layer {
	case "", "X":
	case "raw":
		matrix, variables = "raw/X", "raw/var"
	default:
		matrix = "layers/" + layer
	}
	x, err := file.Find(matrix)
	if err != nil {
		return nil, err
	}
	if x == nil {
		return nil, t.noMatrix(layer)
	}
	if err := t.open(x, matrix); err != nil {
		return nil, err
	}
	if t.schema.Names, err = t.index(variables); err != nil {
		return nil, err
	}
	if len(t.schema.Names) != t.schema.Width {
		return nil, t.bad("%s has %d columns, and %s has %d names", matrix, t.schema.Width, variables, len(t.schema.Names))
	}
	if twice := repeated(t.schema.Names); twice != "" {
		return nil, t.bad("the variable %q is there twice: make names different, with var_names_make_unique() of AnnData", twice)
	}
	if t.rows == 0 || t.schema.Width == 0 {
		return nil, t.bad("%s has %d rows of %d columns", matrix, t.rows, t.schema.Width)
	}
	return t, nil
}

// open opens the matrix.
func (t *Reader) open(x *h5.Object, path string) (err error) {
	switch kind := cmp.Or(x.Text("encoding-type"), "array"); kind {
	case "array":
		if t.dense, err = x.Array(); err != nil {
			return err
		}
		if !t.dense.Numeric() {
			return t.bad("%s has no numbers", path)
		}
		t.rows, t.schema.Width = t.dense.Rows, t.dense.Width
		return nil
	case "csr_matrix", "csc_matrix":
		t.byColumn = kind == "csc_matrix"
	default:
		return t.bad("%s is a %s, and a dense or sparse matrix is expected", path, kind)
	}
	shape := x.Numbers("shape")
	if len(shape) != 2 || shape[0] < 0 || shape[1] < 0 || shape[1] > math.MaxInt32 {
		return t.bad("%s has no shape", path)
	}
	t.schema.Sparse, t.schema.Width = true, int(shape[1])
	var start *h5.Array
	for name, to := range map[string]**h5.Array{"indptr": &start, "indices": &t.sparse.index, "data": &t.sparse.value} {
		if *to, err = t.vector(path + "/" + name); err != nil {
			return err
		}
		if *to == nil || !(*to).Numeric() {
			return t.bad("%s has no %s", path, name)
		}
	}
	lines, what := int64(shape[0]), "rows"
	if t.byColumn {
		lines, what = int64(shape[1]), "columns"
	}
	if int64(start.Rows)-1 != lines || int64(shape[0]) > math.MaxInt32 {
		return t.bad("%s has %d %s, and its indptr %d", path, lines, what, start.Rows-1)
	}
	t.rows = int(shape[0])
	t.sparse.start = make([]float64, start.Rows)
	if err := start.Floats(t.sparse.start, 0); err != nil {
		return err
	}
	cells := float64(t.sparse.value.Rows)
	if s := t.sparse.start; s[0] != 0 || s[lines] != cells || !slices.IsSorted(s) || t.sparse.index.Rows != t.sparse.value.Rows {
		return t.bad("%s is damaged: its %s do not match its cells", path, what)
	}
	return nil
}

// vector opens a dataset of one dimension; nil if it does not exist.
func (t *Reader) vector(path string) (*h5.Array, error) {
	o, err := t.file.Find(path)
	if o == nil || err != nil {
		return nil, err
	}
	a, err := o.Array()
	if err == nil && a.Width != 1 {
		return nil, t.bad("%s is a matrix, and a list is expected", path)
	}
	return a, err
}

// index returns the names of the rows of a data frame.
func (t *Reader) index(frame string) ([]string, error) {
	o, err := t.file.Find(frame)
	if err != nil {
		return nil, err
	}
	if o == nil {
		return nil, t.bad("there is no %s: this is not an AnnData file", frame)
	}
	name := cmp.Or(o.Text("_index"), "_index")
	a, err := t.vector(frame + "/" + name)
	if err != nil {
		return nil, err
	}
	if a == nil {
		return nil, t.bad("%s has no names: write the file again with anndata 0.7 or later", frame)
	}
	if !a.Textual() {
		return nil, t.bad("the names in %s are no texts", frame)
	}
	return a.Texts()
}

// noMatrix is the error of a file without the matrix.
func (t *Reader) noMatrix(layer string) error {
	if layer == "" {
		return t.bad("there is no X: this is not an AnnData file")
	}
	var names []string
	if layers, _ := t.file.Find("layers"); layers != nil {
		names, _ = layers.Names()
	}
	if raw, _ := t.file.Find("raw/X"); raw != nil {
		names = append(names, "raw")
	}
	return t.bad("there is no layer %q: there are X%s", layer, strings.Join(append([]string{""}, names...), ", "))
}

func (t *Reader) bad(format string, a ...any) error {
	return &data.Error{File: t.name, Msg: fmt.Sprintf(format, a...)}
}

// repeated returns a name that is there twice, or "".
func repeated(names []string) string {
	seen := make(map[string]bool, len(names))
	for _, name := range names {
		if seen[name] {
			return name
		}
		seen[name] = true
	}
	return ""
}

// Schema describes the columns.
func (t *Reader) Schema() *data.Schema { return &t.schema }

// Size implements [data.Sized].
func (t *Reader) Size() (rows, cells int64) {
	if t.dense != nil {
		return int64(t.rows), int64(t.rows) * int64(t.schema.Width)
	}
	return int64(t.rows), int64(t.sparse.value.Rows)
}

// Close ends reading. It does not close the file.
func (t *Reader) Close() error { return nil }

// Next returns the next rows, or io.EOF after the last.
func (t *Reader) Next(ctx context.Context) (*data.Block, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if t.next == t.rows {
		return nil, io.EOF
	}
	first := t.next
	var b *data.Block
	var err error
	if t.dense != nil {
		b, err = t.nextDense()
	} else {
		if t.byColumn && t.columns == nil {
			err = t.transpose(ctx)
		}
		if err == nil {
			b, err = t.nextSparse()
		}
	}
	if err != nil {
		return nil, err
	}
	t.next = first + b.Rows
	return b, nil
}

func (t *Reader) nextDense() (*data.Block, error) {
	width := t.schema.Width
	rows := min(t.rows-t.next, max(1, blockCells/width))
	b := &data.Block{Rows: rows, Dense: make([]float64, rows*width)}
	if err := t.dense.Floats(b.Dense, t.next); err != nil {
		return nil, err
	}
	if i := slices.IndexFunc(b.Dense, func(v float64) bool { return math.IsInf(v, 0) }); i >= 0 {
		return nil, t.infinite(t.next+i/width, i%width)
	}
	return b, nil
}

func (t *Reader) nextSparse() (*data.Block, error) {
	s := t.sparse.start[t.next:]
	rows := 1
	for rows < min(len(s)-1, blockRows) && s[rows+1]-s[0] <= blockCells {
		rows++
	}
	n := int(s[rows] - s[0])
	index := make([]float64, n)
	b := &data.Block{Rows: rows, Start: make([]int, rows+1), Index: make([]uint32, n), Value: make([]float64, n)}
	if t.columns != nil {
		copy(b.Index, t.columns.index[int(s[0]):])
		copy(b.Value, t.columns.value[int(s[0]):])
		index = nil
	} else if err := errors.Join(t.sparse.index.Floats(index, int(s[0])), t.sparse.value.Floats(b.Value, int(s[0]))); err != nil {
		return nil, err
	}
	for i, j := range index {
		if !(j >= 0 && j < float64(t.schema.Width)) {
			return nil, t.bad("the matrix is damaged: there is a cell in column %v of %d", j, t.schema.Width)
		}
		b.Index[i] = uint32(j)
	}
	for i := range rows {
		lo, hi := int(s[i]-s[0]), int(s[i+1]-s[0])
		b.Start[i+1] = hi
		if !ascending(b.Index[lo:hi]) {
			sortCells(b.Index[lo:hi], b.Value[lo:hi])
		}
		for k := lo; k < hi; k++ {
			if k > lo && b.Index[k] == b.Index[k-1] {
				return nil, &data.Error{File: t.name, Row: t.next + i + 1, Column: t.schema.Name(int(b.Index[k])), Msg: "there are two numbers for this cell: add them, with adata.X.sum_duplicates()"}
			}
			if math.IsInf(b.Value[k], 0) {
				return nil, t.infinite(t.next+i, int(b.Index[k]))
			}
		}
	}
	return b, nil
}

func (t *Reader) infinite(row, column int) error {
	return &data.Error{File: t.name, Row: row + 1, Column: t.schema.Name(column), Msg: "the number is infinite: a finite one, or NaN for a missing one, is expected"}
}

func ascending(index []uint32) bool {
	for i := 1; i < len(index); i++ {
		if index[i] <= index[i-1] {
			return false
		}
	}
	return true
}

// sortCells sorts the cells of a row by column.
func sortCells(index []uint32, value []float64) {
	order := make([]int, len(index))
	for i := range order {
		order[i] = i
	}
	columns, values := slices.Clone(index), slices.Clone(value)
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(columns[a], columns[b]) })
	for i, from := range order {
		index[i], value[i] = columns[from], values[from]
	}
}

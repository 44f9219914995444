package h5ad

import (
	"cmp"
	"context"

	"fsa/data"
)

// columns is a matrix of compressed sparse columns. Its cells are put into rows in memory before the first row is read.
type columns struct {
	index []uint32 // the column of each cell, row after row
	value []float64
}

// cellBytes is the memory of a cell while cells are put into rows.
const cellBytes = 12

// transpose reads the cells of a matrix of compressed sparse columns, column after column, and puts them into rows.
func (t *Reader) transpose(ctx context.Context) error {
	n, start := t.sparse.value.Rows, t.sparse.start
	if most := t.most; most > 0 && int64(n) > most/cellBytes {
		return t.bad("the matrix is stored by columns, and its %d cells do not fit into memory: store it by rows, as with adata.X = adata.X.tocsr() before write_h5ad", n)
	}
	if names, err := t.index("obs"); err != nil || len(names) != t.rows { // before memory is taken for the rows
		return cmp.Or(err, t.bad("the matrix has %d rows, and obs has %d names", t.rows, len(names)))
	}
	rows := make([]float64, t.rows+1)
	if err := t.cells(ctx, func(_ int, row int, _ float64) { rows[row+1]++ }); err != nil {
		return err
	}
	for i := range t.rows {
		rows[i+1] += rows[i]
	}
	to := &columns{make([]uint32, n), make([]float64, n)}
	next := make([]int, t.rows)
	for i := range next {
		next[i] = int(rows[i])
	}
	column := 0
	err := t.cells(ctx, func(at, row int, v float64) {
		for float64(at) >= start[column+1] {
			column++
		}
		to.index[next[row]], to.value[next[row]] = uint32(column), v
		next[row]++
	})
	t.sparse.start, t.columns = rows, to
	return err
}

// cells calls a function with the number, the row and the value of each cell of a matrix of compressed sparse columns.
func (t *Reader) cells(ctx context.Context, call func(at, row int, v float64)) error {
	index, value := make([]float64, blockCells), make([]float64, blockCells)
	for first := 0; first < t.sparse.value.Rows; first += blockCells {
		if err := ctx.Err(); err != nil {
			return err
		}
		n := min(blockCells, t.sparse.value.Rows-first)
		if err := t.sparse.index.Floats(index[:n], first); err != nil {
			return err
		}
		if err := t.sparse.value.Floats(value[:n], first); err != nil {
			return err
		}
		for i, row := range index[:n] {
			if !(row >= 0 && row < float64(t.rows)) || row != float64(int(row)) {
				return &data.Error{File: t.name, Msg: "the matrix is damaged: there is a cell outside of its rows"}
			}
			call(first+i, int(row), value[i])
		}
	}
	return nil
}

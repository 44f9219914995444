// Package columnar has what readers of tables stored by columns share: which columns are read, how
// rows are made of them, and how much memory a small file may take.
package columnar

import (
	"context"
	"fmt"
	"math"
	"runtime"

	"fsa/data"
	"fsa/data/kind"
	"fsa/internal/kernel"
	"fsa/internal/parallel"
)

// Options says what to read of a file.
type Options struct {
	// Columns has the names of the columns to read, in the requested order. Nil means all. Others
	// are not touched.
	Columns []string
	// Skip has the names of columns, or their numbers counted from 0, that keep their position but
	// are not read: all their cells are missing. They may be of any kind. Missing columns are not an
	// error.
	Skip []string
	// Only has those that are read, as the opposite of Skip; nil means all.
	Only []string
	// Kinds has the kinds of columns, by their names, instead of their types.
	Kinds map[string]kind.Column
	// Memory is the number of bytes that the open parts of the file may take; 0 means any number.
	Memory int64
}

// Skipped returns for each column of a table whether its cells are skipped.
func (o *Options) Skipped(s *data.Schema) []bool {
	skipped := make([]bool, s.Width)
	if o.Only != nil {
		for j := range skipped {
			skipped[j] = true
		}
		for _, ref := range o.Only {
			if j := s.FindColumn(ref); j >= 0 {
				skipped[j] = false
			}
		}
	}
	for _, ref := range o.Skip {
		if j := s.FindColumn(ref); j >= 0 {
			skipped[j] = true
		}
	}
	return skipped
}

// Rows returns the number of rows of the next block, given the number that are left.
func Rows(left int64, cols int) int { return int(min(int64(data.BlockRows(cols)), left)) }

// mostRows is the largest number of rows that are read by columns at once, if a block has fewer:
// those of a few columns stay in the cache.
const mostRows = 1 << 14

// ManyRows returns the number of rows that are read by columns next, given the number that are
// left: whole blocks of them.
func ManyRows(left int64, cols int) int {
	block := data.BlockRows(cols)
	return int(min(int64(max(block, mostRows/block*block)), left))
}

// Threads is the number of threads that read columns.
func Threads() int { return runtime.GOMAXPROCS(0) }

// Maker makes blocks of columns, in memory that it reuses if possible.
type Maker struct {
	room  []float64   // of a block that was returned
	tiles [][]float64 // of each thread
}

// Block makes n rows of as many cells of each column. The columns are read in parallel, on
// [Threads] threads. A thread processes a few rows at a time, as many as fill a cache line.
func (m *Maker) Block(ctx context.Context, n, cols int, read func(thread, column int, dst []float64) error) (*data.Block, error) {
	b := &data.Block{Rows: n}
	if b.Dense, m.room = m.room, nil; cap(b.Dense) < n*cols {
		b.Dense = make([]float64, n*cols)
	}
	b.Dense = b.Dense[:n*cols]
	b.Reuse = func() { m.room = b.Dense }
	if m.tiles == nil {
		m.tiles = make([][]float64, Threads())
	}
	return b, parallel.Do(ctx, len(m.tiles), (cols+kernel.Line-1)/kernel.Line, func(thread, i int) error {
		if need := n * min(kernel.Line, cols); len(m.tiles[thread]) < need {
			m.tiles[thread] = make([]float64, need)
		}
		tile, first := m.tiles[thread], i*kernel.Line
		few := min(kernel.Line, cols-first)
		for j := range few {
			if err := read(thread, first+j, tile[j*n:][:n]); err != nil {
				return err
			}
		}
		kernel.FromColumns(b.Dense[first:], cols, tile, n, few, n)
		return nil
	})
}

// Columns makes n rows by columns, as Block does by rows. Done is called when they were read, or
// with the error.
func (m *Maker) Columns(n, cols int, read func(thread, column int, dst []float64) error, done func(error)) *data.Columns {
	if m.tiles == nil {
		m.tiles = make([][]float64, Threads())
	}
	return &data.Columns{Rows: n, Threads: len(m.tiles), Each: func(ctx context.Context, neighbours int, use func(thread, column int, cells []float64) error) error {
		err := parallel.Do(ctx, len(m.tiles), (cols+neighbours-1)/neighbours, func(thread, i int) error {
			if len(m.tiles[thread]) < n {
				m.tiles[thread] = make([]float64, n)
			}
			cells := m.tiles[thread][:n]
			for j := i * neighbours; j < min((i+1)*neighbours, cols); j++ {
				if err := read(thread, j, cells); err != nil {
					return err
				}
				if err := use(thread, j, cells); err != nil {
					return err
				}
			}
			return nil
		})
		done(err)
		return err
	}}
}

// Missing fills the cells of a column that is not read.
func Missing(dst []float64) {
	for i := range dst {
		dst[i] = math.NaN()
	}
}

// Finite refuses infinite cells of a column, the first of which is in the given row,
// counted from 0.
func Finite(dst []float64, file, column string, row int) error {
	if kernel.Largest(dst) <= math.MaxFloat64 {
		return nil
	}
	for i, v := range dst {
		if math.Float64bits(v)<<1 == 0x7ff<<53 { // infinite, with either sign
			return &data.Error{File: file, Row: row + i + 1, Column: column,
				Msg: "the cell is infinite; a number, NaN or null (for a missing value) is expected"}
		}
	}
	return nil
}

// Refuse returns the error of a column that cannot be read, with the reason.
func Refuse(file, column, why string) error {
	return &data.Error{File: file, Column: column, Msg: why + "; a column of single numbers, times or texts is expected: drop this one"}
}

// Twice returns the error of two columns of the same name, counted from 0.
func Twice(file, column string, first, second int) error {
	return &data.Error{File: file, Column: column, Msg: fmt.Sprintf("columns %d and %d have the same name; each needs one of its own", first+1, second+1)}
}

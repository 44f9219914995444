package data

import (
	"context"
	"io"
)

// ByColumn is a [Reader] of dense rows that can be read by columns because its input is stored that
// way. Only a few columns need to be open at a time.
type ByColumn interface {
	Sized
	// NextColumns is like Next, but returns columns.
	NextColumns(ctx context.Context) (*Columns, error)
}

// Columns holds consecutive rows like a [Block], but column after column.
type Columns struct {
	Rows    int
	Threads int // number of threads that read columns
	// Each calls use once for every column, with the number of the thread and the cells of the
	// column; the cells still belong to the reader. A thread gets the given number of neighbouring
	// columns at a time and processes them in order.
	Each func(ctx context.Context, neighbours int, use func(thread, column int, cells []float64) error) error
}

// BlockRows returns the number of rows of a block with this many columns. A block takes 2 MiB,
// so that reading one column of it is efficient.
func BlockRows(columns int) int {
	const cells = 1 << 18
	return max(1, cells/columns)
}

// neighbours is the number of columns that are stored together. Each row may lie on another memory
// page, and finding a page takes as long as writing several cache lines.
const neighbours = 64

// readColumns reads the whole table, column after column. The result is the same as if blocks of
// [BlockRows] were added with Add.
func (b *Builder) readColumns(ctx context.Context, r ByColumn) error {
	if err := b.resolve(); err != nil {
		return err
	}
	if err := b.begin(); err != nil {
		return err
	}
	s := b.columnStore()
	for {
		c, err := r.NextColumns(ctx)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		s.grow(c.Rows, c.Threads)
		if err := c.Each(ctx, neighbours, s.use); err != nil {
			return err
		}
		if err := s.addRoles(c.Rows); err != nil {
			return err
		}
	}
}

// columnStore stores the cells of columns. It may store distant columns at the same time.
type columnStore struct {
	*Builder
	to    []destination // destination of each column
	tiles []tile        // one tile per thread
	row   []float64     // cells of a row in columns with a role
}

// destination is where the cells of a column are stored.
type destination struct {
	role   bool
	cells  []float64 // cells of a column with a role
	number *Column   // nil if it is not a numeric variable
	place  int       // its index among the numeric variables
	texts  []int     // text variables made from it
	probe  *idProbe  // nil if the column cannot be an identifier
}

// tile holds the numbers of neighbouring columns, column after column.
type tile struct {
	first, columns int // range of its columns among the numeric variables
	cells          []float32
}

func (b *Builder) columnStore() *columnStore {
	s := &columnStore{Builder: b, to: make([]destination, b.schema.Width), row: make([]float64, b.schema.Width)}
	for _, j := range b.Collector.columns() {
		s.to[j].role = true
	}
	numbers := 0
	for k := range b.columns {
		if c := &b.columns[k]; !c.Text {
			s.to[c.Index].number, s.to[c.Index].place = c, numbers
			numbers++
		}
	}
	for t := range b.texts {
		to := &s.to[b.texts[t].column]
		to.texts = append(to.texts, t)
	}
	for k := range b.probes {
		s.to[b.probes[k].column].probe = &b.probes[k]
	}
	return s
}

// grow allocates memory for more rows.
func (s *columnStore) grow(rows, threads int) {
	for range rows {
		s.dense.Grow()
	}
	s.codes = append(s.codes, make([]uint32, rows*len(s.texts))...)
	if len(s.tiles) < threads {
		s.tiles = make([]tile, threads)
	}
}

// use stores the next cells of a column.
func (s *columnStore) use(thread, j int, cells []float64) error {
	to := &s.to[j]
	if to.role {
		to.cells = append(to.cells[:0], cells...)
	}
	for _, t := range to.texts {
		for i, v := range cells {
			s.codes[(s.rows+i)*len(s.texts)+t] = s.texts[t].code(v)
		}
	}
	if to.probe != nil {
		for _, v := range cells {
			to.probe.add(v)
		}
	}
	if to.number != nil {
		if err := s.store(&s.tiles[thread], to, cells); err != nil {
			return err
		}
	}
	if (j+1)%neighbours == 0 || j+1 == len(s.to) {
		t := &s.tiles[thread]
		s.dense.SetColumns(s.rows, len(cells), t.first, t.columns, t.cells)
		t.columns = 0
	}
	return nil
}

// store adds the numbers of a column to a tile.
func (s *columnStore) store(t *tile, to *destination, cells []float64) error {
	n := len(cells)
	if need := neighbours * n; len(t.cells) < need {
		t.cells = make([]float32, need)
	}
	if t.columns == 0 {
		t.first = to.place
	}
	stored := t.cells[t.columns*n:][:n]
	t.columns++
	step := BlockRows(len(s.to))
	for lo := 0; lo < n; lo += step {
		hi := min(lo+step, n)
		if i := to.number.storeAll(stored[lo:hi], cells[lo:hi], func(factor float32) {
			s.dense.ScaleColumn(s.rows, to.place, factor)
			for i := range stored[:lo] {
				stored[i] *= factor
			}
		}); i >= 0 {
			return &Error{File: s.name, Row: s.rows + lo + i + 1, Column: s.schema.Name(to.number.Index), Msg: infiniteCell}
		}
	}
	return nil
}

// addRoles collects the target, weights and other roles of rows that were stored.
func (s *columnStore) addRoles(rows int) error {
	for i := range rows {
		for _, j := range s.Collector.columns() {
			s.row[j] = s.to[j].cells[i]
		}
		if err := s.Collector.row(s.row); err != nil {
			err.File, err.Row = s.name, s.rows+i+1
			return err
		}
	}
	s.rows += rows
	return nil
}

package data

import (
	"context"
	"io"
)

// ByColumn is a [Reader] of dense rows whose input is stored by columns and can be read by
// columns. Then only a few columns have to be open at a time.
type ByColumn interface {
	Sized
	// NextColumns is Next by columns.
	NextColumns(ctx context.Context) (*Columns, error)
}

// Columns is a run of consecutive rows, as a [Block] is, column after column.
type Columns struct {
	Rows    int
	Threads int // on which columns are read
	// Each calls use once for every column, with the number of the thread and with its cells,
	// which stay the reader's. A thread has so many neighbouring columns at a time, and takes
	// them in order.
	Each func(ctx context.Context, neighbours int, use func(thread, column int, cells []float64) error) error
}

// BlockRows returns the number of rows of a block with this many columns. A block takes 2 MiB,
// so that reading one column of it is efficient.
func BlockRows(columns int) int {
	const cells = 1 << 18
	return max(1, cells/columns)
}

// neighbours is how many columns are stored at once: rows may lie on pages of their own, and
// to find one takes as long as to write several lines of it.
const neighbours = 64

// readColumns reads everything, column after column. What is stored is what Add would
// have stored of blocks of [BlockRows].
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

// columnStore puts the cells of columns where they belong. Columns that are no neighbours
// may come side by side.
type columnStore struct {
	*Builder
	to    []destination // of each column
	tiles []tile        // of each thread
	row   []float64     // of those that have a role
}

// destination says where the cells of a column go.
type destination struct {
	role   bool
	cells  []float64 // of a column that has a role
	number *Column   // nil if it is none,
	place  int       // and where it stands among the numbers
	texts  []int     // that are made of it
	probe  *idProbe  // nil if nobody asks
}

// tile holds the numbers of neighbouring columns, column after column.
type tile struct {
	first, columns int // where they stand among the numbers
	cells          []float32
}

func (b *Builder) columnStore() *columnStore {
	s := &columnStore{Builder: b, to: make([]destination, b.schema.Width), row: make([]float64, b.schema.Width)}
	for _, j := range []int{b.target, b.weight, b.query, b.group} {
		if j >= 0 {
			s.to[j].role = true
		}
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

// grow makes room for more rows.
func (s *columnStore) grow(rows, threads int) {
	for range rows {
		s.dense.Grow()
	}
	s.codes = append(s.codes, make([]uint32, rows*len(s.texts))...)
	if len(s.tiles) < threads {
		s.tiles = make([]tile, threads)
	}
}

// use puts the next cells of a column where they belong.
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

// addRoles gathers the target, and what goes with it, of rows that are stored.
func (s *columnStore) addRoles(rows int) error {
	for i := range rows {
		for _, j := range []int{s.target, s.weight, s.query, s.group} {
			if j >= 0 {
				s.row[j] = s.to[j].cells[i]
			}
		}
		if err := s.Collector.row(s.row); err != nil {
			err.File, err.Row = s.name, s.rows+i+1
			return err
		}
	}
	s.rows += rows
	return nil
}

package data

import (
	"context"
	"math"

	"fsa/internal/matrix"
	"fsa/internal/matrix/paged"
)

// Store is a table in a file whose columns can be read one by one, with statistics of each.
type Store interface {
	paged.Source
	Schema() *Schema
	// Profile describes a column of numbers. In a sparse table the column must have cells.
	Profile(j int) *Profile
	// Occurring returns the columns of a sparse table that have cells.
	Occurring() []int
	// SparseSource is used for sparse tables only.
	paged.SparseSource
	// ReadColumn returns all cells of a column.
	ReadColumn(ctx context.Context, j int) ([]float64, error)
	// ReadLabels returns the labels and the queries of the rows; each is nil if there are none.
	ReadLabels(ctx context.Context) ([]float64, []int64, error)
}

// Profile describes the distribution of the numbers of a column; see [Column]. An SD of −1 means
// that the column must be read to compute it. A [Store] returns (x−Shift)·2^−Exponent for an input
// x.
type Profile struct {
	Mean, SD, Min, Max float64
	Missing            int
	Cells              int // number of stored cells, including missing ones
	Shift              float64
	Exponent           int
}

// FromStore returns the dataset of a table in a file. Its numbers are read into memory if they
// take at most memory bytes; everything else is always read.
func FromStore(ctx context.Context, name string, s Store, roles Roles, memory int64) (*Dataset, error) {
	b := NewBuilder(name, s.Schema(), roles)
	if err := b.resolve(); err != nil {
		return nil, err
	}
	b.rows, _ = s.Dims()
	if b.rows == 0 {
		return nil, &Error{File: name, Msg: "there are no rows"}
	}
	if err := b.begin(); err != nil {
		return nil, err
	}
	if err := b.readRoles(ctx, s); err != nil {
		return nil, err
	}
	if err := b.readTexts(ctx, s); err != nil {
		return nil, err
	}
	if b.schema.Sparse {
		for _, j := range s.Occurring() {
			b.columns = append(b.columns, Column{Index: j})
		}
		if len(b.columns) == 0 {
			return nil, &Error{File: name, Msg: "all cells are zero: there is nothing to select from"}
		}
	}
	d := &Dataset{Name: name, schema: b.schema, rows: b.rows}
	if err := b.complete(d); err != nil {
		return nil, err
	}
	var err error
	var columns []int // columns of numbers
	known := d.Target == nil || d.Target.Weight == nil
	for k := range d.Columns {
		c := &d.Columns[k]
		if c.Text {
			continue
		}
		columns = append(columns, k)
		p := s.Profile(c.Index)
		c.Mean, c.SD, c.Min, c.Max, c.Missing = p.Mean, p.SD, p.Min, p.Max, uint32(min(uint64(p.Missing), math.MaxUint32))
		c.shift, c.power = p.Shift, powerOf(p.Exponent)
		known = known && p.SD >= 0
	}
	if d.numbers, err = d.stored(ctx, s, columns, memory); err != nil {
		return nil, err
	}
	switch {
	case !known:
		if err := d.measure(ctx); err != nil {
			return nil, err
		}
	case d.texts != nil:
		if err := d.measureTexts(ctx); err != nil {
			return nil, err
		}
	}
	return d, d.addIndicators(ctx)
}

// stored returns the numbers of a store. They are read into memory if they fit.
func (d *Dataset) stored(ctx context.Context, s Store, columns []int, memory int64) (matrix.Numbers, error) {
	cells := 0
	index := make([]int, len(columns))
	for k, j := range columns {
		index[k] = d.Columns[j].Index
		cells += s.Profile(index[k]).Cells
	}
	if d.schema.Sparse {
		d.width = d.schema.Width
		if 2*cells < d.rows*d.width {
			return inMemory(ctx, StoredSparse(s, memory))
		}
	}
	return inMemory(ctx, paged.NewDense(s, index, memory))
}

// StoredSparse returns the matrix of the nonempty columns of a sparse store.
func StoredSparse(s Store, memory int64) *paged.Sparse {
	var columns []paged.Column
	for _, j := range s.Occurring() {
		p := s.Profile(j)
		columns = append(columns, paged.Column{Index: j, Exponent: p.Exponent, Cells: p.Cells})
	}
	return paged.NewSparse(s, columns, memory)
}

// readRoles reads the columns that have a role.
func (c *Collector) readRoles(ctx context.Context, s Store) error {
	labels, ids, err := s.ReadLabels(ctx)
	if err != nil {
		return err
	}
	if c.target < 0 {
		c.labels = labels
	}
	if c.query < 0 {
		c.ids = ids
	}
	columns := c.columns()
	lists := make([][]float64, len(columns))
	for k, j := range columns {
		if lists[k], err = s.ReadColumn(ctx, j); err != nil {
			return err
		}
	}
	if len(columns) == 0 {
		return nil
	}
	cells := make([]float64, c.schema.Width)
	for i := range c.rows {
		for k, j := range columns {
			cells[j] = lists[k][i]
		}
		if err := c.row(cells); err != nil {
			err.File, err.Row = c.name, i+1
			return err
		}
	}
	return nil
}

// readTexts reads the text variables.
func (b *Builder) readTexts(ctx context.Context, s Store) error {
	n := len(b.texts)
	b.codes = make([]uint32, n*b.rows)
	for k := range b.texts {
		t := &b.texts[k]
		cells, err := s.ReadColumn(ctx, t.column)
		if err != nil {
			return err
		}
		for i, v := range cells {
			b.codes[i*n+k] = t.code(v)
		}
	}
	for k := range b.probes {
		cells, err := s.ReadColumn(ctx, b.probes[k].column)
		if err != nil {
			return err
		}
		for _, v := range cells {
			b.probes[k].add(v)
		}
	}
	return nil
}

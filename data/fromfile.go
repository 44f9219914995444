package data

import (
	"context"

	"fsa/internal/matrix/paged"
)

// FromFile returns the dataset of a table of numbers that lies in a file. It is
// read into memory if it fits. Roles must be vectors: columns of the file are
// variables, all of them.
func FromFile(ctx context.Context, name string, m *paged.Dense, roles Roles) (*Dataset, error) {
	if !roles.VectorsOnly() {
		return nil, &Error{File: name, Msg: "the table is larger than the memory allowed, so its target, weights and queries have to be files of their own, and no column can be left out"}
	}
	rows, cols := m.Dims()
	c := NewCollector(name, &Schema{Width: cols}, roles)
	c.rows = rows
	d := &Dataset{Name: name, Columns: make([]Column, cols), schema: c.schema, width: cols, numbers: m, rows: rows}
	for j := range d.Columns {
		d.Columns[j] = Column{Index: j}
	}
	var err error
	if d.Target, err = c.Target(); err != nil {
		return nil, err
	}
	if m.Fits() {
		if d.numbers, err = m.Load(ctx); err != nil {
			return nil, err
		}
	}
	return d, d.measure(ctx)
}

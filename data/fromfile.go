package data

import (
	"context"
	"errors"
)

// FromFile returns the dataset of a table of numbers that stays in its file.
// Roles must be vectors: columns of the file are variables, all of them.
func FromFile(ctx context.Context, name string, m *File, roles Roles) (*Dataset, error) {
	if roles.Target != "" || roles.Weight != "" || roles.Query != "" || len(roles.Drop) > 0 {
		return nil, errors.New("data: a table that is larger than memory can have its target, weights and queries in files only")
	}
	rows, cols := m.Dims()
	c := NewCollector(name, &Schema{Width: cols}, roles)
	c.rows = rows
	d := &Dataset{Name: name, Columns: make([]Column, cols), schema: c.schema, numbers: m, rows: rows}
	for j := range d.Columns {
		d.Columns[j] = Column{Index: j, place: j}
	}
	var err error
	if d.Target, err = c.Target(); err != nil {
		return nil, err
	}
	return d, d.measure(ctx)
}

package data

import (
	"context"
	"fmt"

	"fsa/internal/matrix"
)

// FromBytes returns the dataset of the rows that are in x now, with a response
// and a weight for each; nil weights mean 1, nil names x0, x1 and so on. The
// bytes are not copied. Rows that stand together are taken for a sample of all
// where learning looks at samples: [matrix.Bytes.Permute] mixes them.
func FromBytes(ctx context.Context, name string, names []string, x *matrix.Bytes, y, weight []float64) (*Dataset, error) {
	rows, cols := x.Dims()
	if rows == 0 || cols == 0 {
		return nil, &Error{File: name, Msg: fmt.Sprintf("%d rows of %d columns: there must be at least one of each", rows, cols)}
	}
	if names != nil && len(names) != cols {
		return nil, fmt.Errorf("data: %d names for %d columns", len(names), cols)
	}
	roles := Roles{TargetVector: &Vector{Name: name, Values: y}}
	if weight != nil {
		roles.WeightVector = &Vector{Name: name, Values: weight}
	}
	c := NewCollector(name, &Schema{Width: cols, Names: names}, roles)
	if err := c.resolve(); err != nil {
		return nil, err
	}
	c.rows = rows
	d := &Dataset{Name: name, Columns: make([]Column, cols), schema: c.schema, width: cols, numbers: x.Snapshot(), rows: rows}
	for j := range d.Columns {
		d.Columns[j] = Column{Index: j}
	}
	var err error
	if d.Target, err = c.Target(); err != nil {
		return nil, err
	}
	return d, d.measure(ctx)
}

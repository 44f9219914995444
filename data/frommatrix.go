package data

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"fsa/internal/matrix"
)

// FromMatrix returns the dataset of a table of numbers that is stored already; nil names
// mean x0, x1 and so on. Its columns are variables, all of them, so that roles must be
// vectors. The numbers are not copied, but those in a file are read into memory if they
// fit. Where minibatches are runs of consecutive rows, as they are of a table that is
// best taken in order, the rows should have been shuffled.
func FromMatrix(ctx context.Context, name string, names []string, x matrix.Numbers, roles Roles) (*Dataset, error) {
	_, cols := x.Dims()
	if names != nil && len(names) != cols {
		return nil, fmt.Errorf("data: %d names for %d columns", len(names), cols)
	}
	columns := make([]Stored, cols)
	for j := range columns {
		columns[j].Index = j
	}
	return FromStored(ctx, name, &Schema{Width: cols, Names: names}, x, columns, roles)
}

// Stored says which column of the input a column of a matrix is, and in which unit; the zero unit
// means that numbers are stored as they are.
type Stored struct {
	Index int
	Unit
}

// Unit says how a column is stored: for a number v of the input stands (v−Shift)·2^−Exponent.
type Unit struct {
	Shift    float64
	Exponent int
}

// UnitOf returns the unit for numbers between low and high; see [matrix.FarFromZero].
func UnitOf(low, high float64) Unit {
	var u Unit
	if middle := low/2 + high/2; low < high && matrix.FarFromZero(middle, low, high) {
		u.Shift = middle
	}
	u.Exponent = matrix.UnitExponent(max(math.Abs(low-u.Shift), math.Abs(high-u.Shift)))
	return u
}

// Store returns what stands for v.
func (u Unit) Store(v float64) float32 { return powerOf(u.Exponent).store(v - u.Shift) }

// FromStored is [FromMatrix] for columns of an input with the given schema, in any order. Of a sparse
// one those that do not occur are left out.
func FromStored(ctx context.Context, name string, schema *Schema, x matrix.Numbers, columns []Stored, roles Roles) (*Dataset, error) {
	rows, cols := x.Dims()
	switch {
	case rows == 0 || cols == 0:
		return nil, &Error{File: name, Msg: fmt.Sprintf("%d rows of %d columns: there must be at least one of each", rows, cols)}
	case !roles.VectorsOnly():
		return nil, &Error{File: name, Msg: "the table is taken as it is, so its target, weights and queries have to be files of their own, and no column can be left out"}
	}
	c := NewCollector(name, schema, roles)
	if err := c.schema.unique(nil); err != nil {
		err.File = name
		return nil, err
	}
	if err := c.resolve(); err != nil {
		return nil, err
	}
	c.rows = rows
	d := &Dataset{Name: name, Columns: make([]Column, cols), schema: schema, whole: cols, width: schema.Width, rows: rows}
	order := make([]int, cols) // places by the order of the input
	for k := range order {
		order[k] = k
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(columns[a].Index, columns[b].Index) })
	if !slices.IsSorted(order) {
		d.places = order
	}
	for j, k := range order {
		s := columns[k]
		d.Columns[j] = Column{Index: s.Index}
		if s.Unit != (Unit{}) {
			d.Columns[j].shift, d.Columns[j].power = s.Shift, powerOf(s.Exponent)
		}
	}
	var err error
	if d.Target, err = c.Target(); err != nil {
		return nil, err
	}
	if d.numbers, err = inMemory(ctx, x); err != nil {
		return nil, err
	}
	if err := d.measure(ctx); err != nil {
		return nil, err
	}
	return d, d.addIndicators(ctx)
}

// inMemory returns numbers in memory, if they fit.
func inMemory(ctx context.Context, x matrix.Numbers) (matrix.Numbers, error) {
	if p, ok := x.(matrix.Paged); ok && p.Fits() {
		return p.Load(ctx)
	}
	return x, nil
}

package data

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"fsa/data/kind"
	"fsa/internal/matrix"
)

// FromMatrix returns the dataset of a numeric table that is already stored as a matrix; nil names
// mean x0, x1 and so on. All columns are variables, so the roles must be vectors. The numbers are
// not copied, but numbers in a file are read into memory if they fit. If minibatches will be
// consecutive rows, as they are for a table in a file, the rows should be shuffled.
func FromMatrix(ctx context.Context, name string, names []string, x matrix.Numbers, roles Roles) (*Dataset, error) {
	_, cols := x.Dims()
	if names != nil && len(names) != cols {
		return nil, fmt.Errorf("data: %d names for %d columns", len(names), cols)
	}
	t := &StoredTable{Schema: &Schema{Width: cols, Names: names}, Numbers: x, Columns: make([]Stored, cols)}
	for j := range t.Columns {
		t.Columns[j].Index = j
	}
	return FromStored(ctx, name, t, roles)
}

// StoredTable is a table whose variables are already stored, in any order. The empty columns of a
// sparse table are omitted.
type StoredTable struct {
	Schema     *Schema
	Numbers    matrix.Numbers
	Columns    []Stored           // the columns of Numbers
	Texts      matrix.Categorical // nil if there are no texts
	Categories []StoredText       // the variables of Texts
	Response   *kind.Column       // kind of the response column, if it is not in the schema
}

// Stored says which column of the input a column of a matrix holds, and in which unit. The zero
// unit means that the numbers are stored unchanged.
type Stored struct {
	Index int
	Unit
	Left string // reason for leaving it out by default; empty if it is used
}

// StoredText says which column of the input a categorical variable comes from, and what its
// categories are.
type StoredText struct {
	Index  int
	Part   int      // the part of the column, an index in [kind.Column.Parts] counted from 1; 0 for the whole column
	Levels []string // categories, without the one for missing values
	Count  []int    // number of rows of each, for merging rare categories; nil to merge none
	Left   string   // see [Stored]
}

// Unit says how a column is stored: an input v is stored as (v−Shift)·2^−Exponent.
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

// Store returns the stored form of v.
func (u Unit) Store(v float64) float32 { return powerOf(u.Exponent).store(v - u.Shift) }

// FromStored is [FromMatrix] for a table that may have texts.
func FromStored(ctx context.Context, name string, t *StoredTable, roles Roles) (*Dataset, error) {
	rows, _ := t.Numbers.Dims()
	switch {
	case rows == 0 || len(t.Columns)+len(t.Categories) == 0:
		return nil, &Error{File: name, Msg: fmt.Sprintf("%d rows of %d columns: there must be at least one of each", rows, len(t.Columns)+len(t.Categories))}
	case !roles.VectorsOnly():
		return nil, &Error{File: name, Msg: "the table is read in place, so the target, weights and queries must be in separate files, and no column can be left out"}
	}
	c := NewCollector(name, t.Schema, roles)
	if err := c.schema.unique(nil); err != nil {
		err.File = name
		return nil, err
	}
	if err := c.resolve(); err != nil {
		return nil, err
	}
	c.rows = rows
	d := &Dataset{Name: name, schema: t.Schema, width: t.Schema.Width, rows: rows, texts: t.Texts, response: t.Response}
	d.arrange(t)
	if !t.Schema.Sparse {
		d.width -= len(d.left)
	}
	var err error
	if d.Target, err = c.Target(); err != nil {
		return nil, err
	}
	if d.numbers, err = inMemory(ctx, t.Numbers); err != nil {
		return nil, err
	}
	if err := d.measure(ctx); err != nil {
		return nil, err
	}
	return d, d.addIndicators(ctx)
}

// arrange lists the variables of a table in the order of the input, with parts of columns after all
// whole columns.
func (d *Dataset) arrange(t *StoredTable) {
	type variable struct {
		Column
		place int
		why   string
	}
	var all []variable
	for k, s := range t.Columns {
		v := variable{Column{Index: s.Index, Left: s.Left != ""}, k, s.Left}
		if s.Unit != (Unit{}) {
			v.shift, v.power = s.Shift, powerOf(s.Exponent)
		}
		all = append(all, v)
	}
	for k, s := range t.Categories {
		all = append(all, variable{Column{Index: s.Index, Text: true, part: uint8(s.Part), Left: s.Left != ""}, k, s.Left})
	}
	slices.SortFunc(all, func(a, b variable) int {
		return cmp.Or(cmp.Compare(min(a.part, 1), min(b.part, 1)), cmp.Compare(a.Index, b.Index), cmp.Compare(a.part, b.part))
	})
	d.levels, d.pools, d.places = map[int][]string{}, map[int]*pool{}, make([]int, len(all))
	for j, v := range all {
		d.Columns, d.places[j] = append(d.Columns, v.Column), v.place
		if v.part == 0 {
			d.whole++
		}
		if v.Left {
			d.left = append(d.left, Left{d.ColumnName(j), v.why})
		}
		if v.Text {
			s := &t.Categories[v.place]
			d.levels[j] = s.Levels
			if s.Count != nil {
				d.pools[j] = newPool(s.Levels, s.Count)
			}
		}
	}
	if len(t.Categories) == 0 && slices.IsSorted(d.places) {
		d.places = nil
	}
	d.useSomething()
}

// inMemory reads numbers into memory if they fit.
func inMemory(ctx context.Context, x matrix.Numbers) (matrix.Numbers, error) {
	if p, ok := x.(matrix.Paged); ok && p.Fits() {
		return p.Load(ctx)
	}
	return x, nil
}

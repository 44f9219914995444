package data

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
)

// Dataset is a table ready for learning: its variables, stored so that they
// can be multiplied, and a target. It is not changed by learning from it.
type Dataset struct {
	// Name says where the data came from.
	Name string
	// Columns lists the variables in the order of the input, and what was
	// measured of them.
	Columns []Column
	// Target is the response; nil where the table has none.
	Target *Target

	schema  *Schema
	numbers Matrix  // a column for each variable of numbers
	texts   *OneHot // the text variables; nil without any
	rows    int
}

// Column is a variable of a dataset.
type Column struct {
	// Index is the position of the column in the input, counted from 0.
	Index int
	// Text says that the variable is a category.
	Text bool
	// Mean, SD, Min and Max describe the numbers of the column, as they stand
	// in the input; missing ones and rows of weight zero do not count. Mean
	// and SD are weighted. The SD of a category is the root of the summed
	// variances of its levels; 0 means that the variable does not vary.
	Mean, SD, Min, Max float64
	// Missing is the number of missing values.
	Missing int

	// place is the position among the numbers or among the texts.
	place int
	// A number x is stored as (x−shift)·2^−exponent, so that a float32 holds
	// its digits wherever they lie.
	shift    float64
	exponent int
	shifted  bool // the shift was chosen
	scaled   bool // the exponent was chosen
}

// Rows returns the number of rows.
func (d *Dataset) Rows() int { return d.rows }

// ColumnName returns the name of variable j.
func (d *Dataset) ColumnName(j int) string { return d.schema.Name(d.Columns[j].Index) }

// Levels returns the texts of text variable j.
func (d *Dataset) Levels(j int) []string { return d.schema.Levels[d.Columns[j].Index] }

// Lookup returns the variable whose column has the given name, or number
// counted from 0, or −1.
func (d *Dataset) Lookup(ref string) int {
	index := d.schema.FindColumn(ref)
	j, found := slices.BinarySearchFunc(d.Columns, index, func(c Column, at int) int { return c.Index - at })
	if index < 0 || !found {
		return -1
	}
	return j
}

// Sparse reports whether only nonzero numbers are stored.
func (d *Dataset) Sparse() bool {
	_, ok := d.numbers.(*Sparse)
	return ok
}

// Varies reports whether variable j takes more than one value.
func (d *Dataset) Varies(j int) bool { return d.Columns[j].SD > 0 }

// Select returns the given rows as a dataset of its own, measured anew. Rows
// of a query have to be chosen together.
func (d *Dataset) Select(ctx context.Context, rows []int) (*Dataset, error) {
	if len(rows) == 0 {
		return nil, errors.New("data: no rows selected")
	}
	to := &Dataset{Name: d.Name, Columns: slices.Clone(d.Columns), schema: d.schema, rows: len(rows)}
	var err error
	if to.numbers, err = d.numbers.Select(ctx, rows, nil); err != nil {
		return nil, err
	}
	if d.texts != nil {
		to.texts = d.texts.pick(rows, nil)
	}
	if d.Target != nil {
		to.Target = d.Target.Select(rows)
	}
	to.measure()
	return to, nil
}

// rowWeight returns the weight of row i.
func (d *Dataset) rowWeight(i int) float64 {
	if d.Target == nil || d.Target.Weight == nil {
		return 1
	}
	return d.Target.Weight[i]
}

// measure computes the statistics of every column from what is stored.
func (d *Dataset) measure() {
	all := make([]moments, variables(d.numbers))
	var total float64 // weight of the rows
	for i := range d.rows {
		w := d.rowWeight(i)
		total += w
		switch m := d.numbers.(type) {
		case *Dense:
			for j, v := range m.row(i) {
				all[j].add(v, w)
			}
		case *Sparse:
			index, value := m.row(i)
			for p, j := range index {
				all[j].add(value[p], w)
			}
		}
	}
	for j := range d.Columns {
		if c := &d.Columns[j]; !c.Text {
			m := &all[c.place]
			m.zeros(d.rows, total)
			c.describe(m)
		}
	}
	if d.texts != nil {
		d.measureTexts()
	}
}

// measureTexts computes the statistics of the text variables.
func (d *Dataset) measureTexts() {
	share := d.texts.shares(d.rowWeight)
	for j := range d.Columns {
		c := &d.Columns[j]
		if !c.Text {
			continue
		}
		var variance float64
		for _, p := range share[d.texts.offset[c.place]:d.texts.offset[c.place+1]] {
			variance += p * (1 - p)
		}
		c.SD = math.Sqrt(variance)
		c.Missing = d.texts.count(c.place, uint32(len(d.Levels(j))))
	}
}

// moments are sums over a stored column.
type moments struct {
	sum, squares  float64
	weight, lost  float64 // of the numbers, and of the missing ones
	min, max      float32
	seen, missing int
}

func (m *moments) add(v float32, w float64) {
	if v != v {
		m.missing++
		m.lost += w
		return
	}
	m.seen++
	if w == 0 {
		return
	}
	if m.weight == 0 {
		m.min, m.max = v, v
	}
	m.min, m.max = min(m.min, v), max(m.max, v)
	x := float64(v)
	m.sum += w * x
	m.squares += w * x * x
	m.weight += w
}

// zeros counts the rows that a sparse column does not list.
func (m *moments) zeros(rows int, total float64) {
	unlisted := rows - m.seen - m.missing
	if unlisted == 0 {
		return
	}
	m.weight = total - m.lost
	m.min, m.max = min(m.min, 0), max(m.max, 0)
	m.seen += unlisted
}

// describe turns moments into statistics in the units of the input.
func (c *Column) describe(m *moments) {
	c.Missing = m.missing
	if m.weight == 0 {
		c.Mean, c.SD, c.Min, c.Max = 0, 0, 0, 0
		return
	}
	mean := m.sum / m.weight
	c.Mean = c.value(mean)
	c.Min, c.Max = c.value(float64(m.min)), c.value(float64(m.max))
	c.SD = 0
	if m.min < m.max { // otherwise rounding might leave a trace
		sd := math.Sqrt(max(0, m.squares/m.weight-mean*mean))
		c.SD = min(math.Ldexp(sd, c.exponent), math.MaxFloat64)
	}
	if math.IsInf(1/c.SD, 1) {
		c.SD = 0 // so small that nothing can be divided by it
	}
}

// value returns the number in the input that is stored as v.
func (c *Column) value(v float64) float64 {
	x := c.shift + math.Ldexp(v, c.exponent)
	// The largest numbers may have been rounded up beyond all numbers.
	return min(max(x, -math.MaxFloat64), math.MaxFloat64)
}

// FromRows returns a dataset of dense rows: x holds len(y)×cols numbers, row
// after row, NaN where one is missing. Names may be nil.
func FromRows(names []string, cols int, x, y []float64) (*Dataset, error) {
	if len(y) == 0 || cols == 0 || len(x) != len(y)*cols {
		return nil, fmt.Errorf("data: %d numbers for %d rows of %d columns", len(x), len(y), cols)
	}
	if names != nil && len(names) != cols {
		return nil, fmt.Errorf("data: %d names for %d columns", len(names), cols)
	}
	b := NewBuilder("rows", &Schema{Width: cols, Names: names}, Roles{TargetVector: &Vector{Values: y}})
	if err := b.Add(&Block{Rows: len(y), Dense: x}); err != nil {
		return nil, err
	}
	return b.Dataset(context.Background())
}

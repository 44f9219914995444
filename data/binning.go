package data

import (
	"context"
	"fmt"
	"slices"

	"fsa/internal/matrix"
)

// Bends reports whether curves are possible: the table is dense and in memory, and some numeric
// variable has more than two values.
func (d *Dataset) Bends() bool {
	if _, ok := d.numbers.(*matrix.Dense); !ok {
		return false
	}
	for j := range d.Columns {
		if c := &d.Columns[j]; !c.Text && d.Varies(j) && !c.TwoValued() {
			return true
		}
	}
	return false
}

// TwoValued reports whether a numeric column has only two values, such as a flag. The test is that
// its variance is the largest possible for its mean and range.
func (c *Column) TwoValued() bool {
	const rounding = 1e-6 // as a share of the variance
	most := (c.Mean - c.Min) * (c.Max - c.Mean)
	return most-c.SD*c.SD <= rounding*most
}

// binned returns the part of the design with numeric variables in bins.
func (d *Dataset) binned(ctx context.Context, numbers []int, o *DesignOptions) (part, error) {
	if o.Storage != StorageFloat32 {
		return part{}, ErrStorage
	}
	from, ok := d.numbers.(matrix.Binner)
	if !ok {
		return part{}, fmt.Errorf("data: curves need the table in memory, and %s does not fit", d.Name)
	}
	p := part{}
	var err error
	if o.Spacing != SpacingEven {
		if p.knots, err = d.knots(ctx, numbers, o.Bins); err != nil {
			return part{}, err
		}
	}
	b := &matrix.Binning{
		Bins: o.Bins, Columns: make([]int, len(numbers)), Missing: make([]bool, len(numbers)), Range: make([][2]float64, len(numbers)),
		Position: func(v int, x float32) float64 {
			c := &d.Columns[numbers[v]]
			if p.knots != nil && p.knots[v] != nil {
				bin, alpha := p.knots[v].Locate(c.value(float64(x)))
				return (float64(bin) + alpha) / float64(o.Bins)
			}
			return Place(c.value(float64(x)), c.Min, c.Max)
		},
		// The header of a file may be wrong about missing values.
		Unexpected: func(v int) error {
			return &Error{File: d.Name, Column: d.ColumnName(numbers[v]), Msg: "a number is missing although the file says that none is: the file is damaged; convert the table again"}
		},
	}
	for v, j := range numbers {
		c := &d.Columns[j]
		b.Columns[v], b.Missing[v], b.Range[v] = d.place(j), c.Missing > 0, [2]float64{c.Min, c.Max}
	}
	if p.x, p.offset, err = from.Bin(ctx, b, o.Discard); err != nil {
		return part{}, err
	}
	_, cols := p.x.Dims()
	if p.offset == nil {
		p.offset = make([]float64, cols)
	}
	p.scale = slices.Repeat([]float64{1}, cols)
	return p, nil
}

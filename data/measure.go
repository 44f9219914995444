package data

import (
	"context"
	"math"

	"fsa/internal/matrix"
)

// measure computes the statistics of every column from the stored numbers.
func (d *Dataset) measure(ctx context.Context) error {
	all := make([]matrix.Moments, matrix.Variables(d.numbers))
	var total float64     // total weight of the rows
	weighted := uint32(0) // rows with a positive weight
	for i := range d.rows {
		if w := d.rowWeight(i); w > 0 {
			total += w
			weighted++
		}
	}
	if err := d.numbers.Measure(ctx, all, d.rowWeight); err != nil {
		return err
	}
	for j := range d.Columns {
		c := &d.Columns[j]
		if c.Text {
			continue
		}
		m := &all[d.place(j)]
		if m.Sum-m.Sum != 0 { // infinite or NaN, which a sum of finite float32 numbers never is
			return &Error{File: d.Name, Column: d.ColumnName(j), Msg: "a value is infinite: numbers must be finite"}
		}
		if d.Sparse() {
			m.AddZeros(weighted, total)
		}
		c.describe(m)
	}
	if d.texts != nil {
		return d.measureTexts(ctx)
	}
	return nil
}

// describe turns moments into statistics in the units of the input.
func (c *Column) describe(m *matrix.Moments) {
	c.Missing = m.Missing
	if m.Weight == 0 {
		c.Mean, c.SD, c.Min, c.Max = 0, 0, 0, 0
		return
	}
	mean := m.Sum / m.Weight
	c.Mean = c.value(mean)
	c.Min, c.Max = c.value(float64(m.Min)), c.value(float64(m.Max))
	c.SD = 0
	if m.Min < m.Max { // otherwise rounding errors might give a small positive variance
		sd := math.Sqrt(max(0, m.Squares/m.Weight-mean*mean))
		c.SD = min(c.ofUnits(sd), math.MaxFloat64)
	}
	if math.IsInf(1/c.SD, 1) {
		c.SD = 0 // too small to divide by
	}
}

// measureTexts computes the statistics of the text variables.
func (d *Dataset) measureTexts(ctx context.Context) error {
	share, err := d.texts.Shares(ctx, d.rowWeight)
	if err != nil {
		return err
	}
	first := columnsOf(d.texts)
	known := make([]int, len(first)-1) // number of categories, without the one for missing values
	for j := range d.Columns {
		if d.Columns[j].Text {
			known[d.place(j)] = len(d.Categories(j))
		}
	}
	missing, err := d.texts.Counts(ctx, known)
	if err != nil {
		return err
	}
	for j := range d.Columns {
		c := &d.Columns[j]
		if !c.Text {
			continue
		}
		var variance float64
		at := d.place(j)
		for _, p := range share[first[at]:first[at+1]] {
			variance += p * (1 - p)
		}
		c.SD = math.Sqrt(variance)
		c.Missing = missing[at]
	}
	return nil
}

// columnsOf returns the first column of each categorical variable, followed by the number of
// columns.
func columnsOf(x matrix.Matrix) []int {
	first := []int{0}
	for v, width := range x.Widths() {
		first = append(first, first[v]+width)
	}
	return first
}

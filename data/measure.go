package data

import (
	"context"
	"math"
	"runtime"
	"slices"
)

// measure computes the statistics of every column from what is stored.
func (d *Dataset) measure(ctx context.Context) error {
	all := make([]moments, variables(d.numbers))
	var total float64     // weight of the rows
	counting := uint32(0) // rows that have some
	for i := range d.rows {
		if w := d.rowWeight(i); w > 0 {
			total += w
			counting++
		}
	}
	if err := d.numbers.measure(ctx, all, d.rowWeight); err != nil {
		return err
	}
	for j := range d.Columns {
		c := &d.Columns[j]
		if c.Text {
			continue
		}
		m := &all[d.place(j)]
		if m.sum-m.sum != 0 { // infinite or NaN, which finite float32 numbers never add up to
			return &Error{File: d.Name, Column: d.ColumnName(j), Msg: "a value is infinite: numbers must be finite"}
		}
		if d.Sparse() {
			m.zeros(counting, total)
		}
		c.describe(m)
	}
	if d.texts != nil {
		d.measureTexts()
	}
	return nil
}

// addRows adds dense rows to the moments of their columns. Columns are shared
// out to all cores in stripes, whose moments stay in the cache for all rows.
func addRows(all []moments, first, rows int, x []float32, weight func(row int) float64) {
	const stripe = 512
	cols := len(all)
	onAllCores((cols+stripe-1)/stripe, func(s int) {
		lo, hi := s*stripe, min((s+1)*stripe, cols)
		for i := range rows {
			w := weight(first + i)
			for j, v := range x[i*cols+lo : i*cols+hi] {
				all[lo+j].add(v, w)
			}
		}
	})
}

// addSparse adds sparse rows to the moments of their columns. Every core has its
// own range of columns, with about as many cells as the others have.
func addSparse(all []moments, first int, m *Sparse, weight func(row int) float64) {
	bounds := m.Ranges(runtime.GOMAXPROCS(0))
	onAllCores(len(bounds)-1, func(part int) {
		lo, hi := bounds[part], bounds[part+1]
		for i := range m.rows {
			w := weight(first + i)
			index, value := m.row(i)
			from, _ := slices.BinarySearch(index, lo)
			for p := from; p < len(index) && index[p] < hi; p++ {
				all[index[p]].add(value[p], w)
			}
		}
	})
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
		at := d.place(j)
		for _, p := range share[d.texts.offset[at]:d.texts.offset[at+1]] {
			variance += p * (1 - p)
		}
		c.SD = math.Sqrt(variance)
		c.Missing = d.texts.count(at, uint32(len(d.Levels(j))))
	}
}

// moments are sums over a stored column.
type moments struct {
	sum, squares float64
	weight, lost float64 // of the numbers, and of the missing ones
	min, max     float32
	missing      uint32
	counting     uint32 // cells in rows that have a weight
}

func (m *moments) add(v float32, w float64) {
	if v != v {
		m.missing++
		m.lost += w
		if w > 0 {
			m.counting++
		}
		return
	}
	x := float64(v)
	m.sum += w * x // also without weight, where an infinite number shows
	if w == 0 {
		return
	}
	m.counting++
	if m.weight == 0 {
		m.min, m.max = v, v
	}
	m.min, m.max = min(m.min, v), max(m.max, v)
	m.squares += w * x * x
	m.weight += w
}

// zeros counts the rows that a sparse column does not list, of so many that have a
// weight. Without one a zero is none of the numbers of the column.
func (m *moments) zeros(counting uint32, total float64) {
	if m.counting == counting {
		return
	}
	m.weight = max(m.weight, total-m.lost) // which rounding may have made smaller
	m.min, m.max = min(m.min, 0), max(m.max, 0)
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
		c.SD = min(c.ofUnits(sd), math.MaxFloat64)
	}
	if math.IsInf(1/c.SD, 1) {
		c.SD = 0 // so small that nothing can be divided by it
	}
}

// value returns the number in the input that is stored as v.
func (c *Column) value(v float64) float64 {
	x := c.shift + c.ofUnits(v)
	// The largest numbers may have been rounded up beyond all numbers.
	return min(max(x, -math.MaxFloat64), math.MaxFloat64)
}

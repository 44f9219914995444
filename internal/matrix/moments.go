package matrix

import "fsa/internal/parallel"

// Moments are sums over a stored column.
type Moments struct {
	Sum, Squares  float64 // weighted
	Weight        float64 // of the numbers
	MissingWeight float64 // of the missing ones
	Min, Max      float32 // of the numbers that have a weight
	Missing       uint32
	Weighted      uint32 // cells in rows that have a weight
}

// Add adds a number of a row of weight w.
func (m *Moments) Add(v float32, w float64) {
	if v != v {
		m.Missing++
		m.MissingWeight += w
		if w > 0 {
			m.Weighted++
		}
		return
	}
	x := float64(v)
	m.Sum += w * x // also without weight, where an infinite number shows
	if w == 0 {
		return
	}
	m.Weighted++
	if m.Weight == 0 {
		m.Min, m.Max = v, v
	}
	m.Min, m.Max = min(m.Min, v), max(m.Max, v)
	m.Squares += w * x * x
	m.Weight += w
}

// AddZeros counts the rows that a sparse column does not list, of so many that have a
// weight, and of this weight in all. Without one a zero is none of the numbers of the
// column.
func (m *Moments) AddZeros(weighted uint32, total float64) {
	if m.Weighted == weighted {
		return
	}
	m.Weight = max(m.Weight, total-m.MissingWeight) // which rounding may have made smaller
	m.Min, m.Max = min(m.Min, 0), max(m.Max, 0)
}

// AddRows adds dense rows, the first of them by its number, to the moments of their
// columns. Columns are shared out to all cores in stripes, whose moments stay in the
// cache for all rows.
func AddRows(all []Moments, first, rows int, x []float32, weight func(row int) float64) {
	const stripe = 512
	cols := len(all)
	parallel.Each((cols+stripe-1)/stripe, func(s int) {
		lo, hi := s*stripe, min((s+1)*stripe, cols)
		for i := range rows {
			w := weight(first + i)
			for j, v := range x[i*cols+lo : i*cols+hi] {
				all[lo+j].Add(v, w)
			}
		}
	})
}

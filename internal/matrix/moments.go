package matrix

import (
	"math"

	"fsa/internal/kernel"
	"fsa/internal/parallel"
)

// Moments are sums over a stored column.
type Moments struct {
	Sum, Squares  float64 // weighted sums
	Weight        float64 // total weight of the numbers
	MissingWeight float64 // total weight of the missing values
	Min, Max      float32 // range of the numbers with a positive weight
	Missing       uint32
	Weighted      uint32 // number of cells in rows with a positive weight
}

// Add adds a number of a row with weight w.
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
	m.Sum += w * x // also without a weight, so that infinite numbers are detected
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

// AddZeros adds the cells that a sparse column does not list, given the number of rows with a
// positive weight and their total weight. Rows without a weight do not count.
func (m *Moments) AddZeros(weighted uint32, total float64) {
	if m.Weighted == weighted {
		return
	}
	m.Weight = max(m.Weight, total-m.MissingWeight) // rounding may have made it smaller
	m.Min, m.Max = min(m.Min, 0), max(m.Max, 0)
}

// AddRows adds dense rows to the moments of their columns; first is the index of the first row. The
// columns are divided among all cores in stripes, whose moments stay in the cache for all rows.
func AddRows(all []Moments, first, rows int, x []float32, weight func(row int) float64) {
	cols := len(all)
	parallel.Each((cols+stripe-1)/stripe, func(s int) {
		lo, hi := s*stripe, min((s+1)*stripe, cols)
		if counted, plain := ones(first, rows, weight); plain {
			if sums := new(plainSums); sums.begin(all[lo:hi]) {
				m := sums.of(hi - lo)
				four := make([][]float32, 0, 4) // rows that are added at once
				for i := range rows {
					row := x[i*cols+lo : i*cols+hi]
					if weight(first+i) == 0 {
						sums.ignore(row)
						continue
					}
					if four = append(four, row); len(four) == cap(four) {
						m.Add4(four[0], four[1], four[2], four[3])
						four = four[:0]
					}
				}
				for _, row := range four {
					m.Add(row)
				}
				sums.end(all[lo:hi], counted)
				return
			}
		}
		for i := range rows {
			w := weight(first + i)
			for j, v := range x[i*cols+lo : i*cols+hi] {
				all[lo+j].Add(v, w)
			}
		}
	})
}

// stripe is the number of columns that a thread processes at a time.
const stripe = 512

// ones returns the number of rows with weight 1, and whether all others have weight 0, as in a fold
// of cross-validation.
func ones(first, rows int, weight func(row int) float64) (count int, plain bool) {
	for i := range rows {
		switch weight(first + i) {
		case 1:
			count++
		case 0:
		default:
			return 0, false
		}
	}
	return count, true
}

// plainSums are the moments of a stripe while rows with weight 1 or 0 are added. Rows need not be
// counted one by one; the sums have the same bits and take a fraction of the time.
type plainSums struct {
	sum, squares [stripe]float64
	low, high    [stripe]float32
	missing      [stripe]uint32
	ignored      [stripe]uint32 // missing cells of rows without a weight
}

// ignore adds a row without a weight; only its missing and infinite numbers matter.
func (p *plainSums) ignore(row []float32) {
	for j, v := range row {
		if v-v == 0 {
			continue
		}
		if v != v {
			p.ignored[j]++
		} else {
			p.sum[j] += 0 * float64(v)
		}
	}
}

// begin continues from moments. It returns false unless all weights so far are integers, so that
// more rows can be added at once.
func (p *plainSums) begin(all []Moments) bool {
	for j := range all {
		m := &all[j]
		if m.Weight != math.Trunc(m.Weight) || m.MissingWeight != math.Trunc(m.MissingWeight) {
			return false
		}
		p.sum[j], p.squares[j], p.low[j], p.high[j] = m.Sum, m.Squares, m.Min, m.Max
		if m.Weight == 0 {
			p.low[j], p.high[j] = float32(math.Inf(1)), float32(math.Inf(-1))
		}
	}
	return true
}

// of returns the sums of the first columns.
func (p *plainSums) of(columns int) *kernel.Moments {
	return &kernel.Moments{Sum: p.sum[:columns], Squares: p.squares[:columns], Low: p.low[:columns], High: p.high[:columns], Missing: p.missing[:columns]}
}

// end adds the sums to moments; rows is the number of rows with weight 1.
func (p *plainSums) end(all []Moments, rows int) {
	for j := range all {
		m := &all[j]
		there := uint32(rows) - p.missing[j]
		m.Sum, m.Squares = p.sum[j], p.squares[j]
		if there > 0 {
			m.Min, m.Max = p.low[j], p.high[j]
		}
		m.Weight += float64(there)
		m.MissingWeight += float64(p.missing[j])
		m.Missing += p.missing[j] + p.ignored[j]
		m.Weighted += uint32(rows)
	}
}

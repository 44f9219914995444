package panel

import (
	"encoding/binary"
	"math"

	"fsa/data"
	"fsa/internal/matrix"
)

// moments describe the numbers of a column so far. Sums are relative to the first number, so that
// they keep their digits.
type moments struct {
	pivot, sum, squares float64
	min, max            float64
	missing             int
	precision           precision
	seen                bool
}

// precision says when a column is stored as float64 because a float32 rounds one of its numbers.
type precision uint8

const (
	undecided precision = iota // no number yet
	single                     // if the number is very large or very small
	lossless                   // always: the column is far from zero, or a target
)

// leastSquares is a sum of squares below which it may have lost digits.
const leastSquares = 1e-280

// addNarrow appends column j of the rows to run, as float32. It returns false if that does not
// represent the numbers well, or one is infinite; then m and run are invalid.
func (m *moments) addNarrow(run []float32, rows [][]float64, j int) bool {
	if m.precision == undecided {
		m.precision = choosePrecision(rows, j)
	}
	for i, row := range rows {
		v := row[j]
		x := float32(v)
		run[i] = x
		if w := float64(x); w != v {
			if v != v {
				m.missing++
				continue
			}
			if size := math.Abs(w); m.precision == lossless || !(size < 1<<matrix.WideExponent) || size < 1.0/(1<<matrix.WideExponent) {
				return false
			}
			v = w
		}
		m.add(v)
	}
	return !math.IsInf(m.max-m.min, 0)
}

// addWide appends column j of the rows to run. It returns false if a number is
// infinite.
func (m *moments) addWide(run []float64, rows [][]float64, j int) bool {
	for i, row := range rows {
		v := row[j]
		run[i] = v
		if v != v {
			m.missing++
			continue
		}
		if math.IsInf(v, 0) {
			return false
		}
		m.add(v)
	}
	return true
}

func (m *moments) add(v float64) {
	if !m.seen {
		m.seen, m.pivot, m.min, m.max = true, v, v, v
	}
	if v < m.min {
		m.min = v
	}
	if v > m.max {
		m.max = v
	}
	v -= m.pivot
	m.sum += v
	m.squares += v * v
}

// choosePrecision decides from the first numbers of a column.
func choosePrecision(rows [][]float64, j int) precision {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, row := range rows {
		if v := row[j]; v == v {
			lo, hi = min(lo, v), max(hi, v)
		}
	}
	switch {
	case lo > hi:
		return undecided
	case matrix.FarFromZero(min(math.Abs(lo), math.Abs(hi)), lo, hi):
		return lossless
	}
	return single
}

// profile describes a column with so many numbers in so many rows: those that are not listed are
// zero. If a sum is out of range, the SD is −1 and the column must be read to know it.
func (m *moments) profile(rows, listed int) data.Profile {
	n := float64(rows - m.missing)
	p := data.Profile{Cells: listed + m.missing, Missing: m.missing, Min: m.min, Max: m.max}
	if n == 0 {
		return p
	}
	sum, squares := m.sum, m.squares
	if zeros := rows - m.missing - listed; zeros > 0 {
		p.Min, p.Max = min(p.Min, 0), max(p.Max, 0)
		sum -= float64(zeros) * m.pivot
		squares += float64(zeros) * m.pivot * m.pivot
	}
	mean := sum / n
	p.Mean = min(max(m.pivot+mean, p.Min), p.Max)
	if mean-mean != 0 { // the sum is out of range; so is that of squares
		p.Mean = p.Min/2 + p.Max/2
	}
	if p.Min < p.Max {
		p.SD = math.Sqrt(max(0, squares/n-mean*mean))
		if !(squares > leastSquares && squares <= math.MaxFloat64) {
			p.SD = -1
		}
	}
	return p
}

func (m *moments) append(b []byte) []byte {
	le := binary.LittleEndian
	for _, v := range []float64{m.pivot, m.sum, m.squares, m.min, m.max} {
		b = le.AppendUint64(b, math.Float64bits(v))
	}
	b = le.AppendUint64(b, uint64(m.missing))
	b = append(b, byte(m.precision), 0)
	if m.seen {
		b[len(b)-1] = 1
	}
	return b
}

func (c *cursor) moments() (m moments) {
	for _, v := range []*float64{&m.pivot, &m.sum, &m.squares, &m.min, &m.max} {
		*v = math.Float64frombits(c.u64())
	}
	m.missing = c.size(1 << 48)
	if b := c.take(2); b != nil {
		m.precision, m.seen = precision(min(b[0], byte(lossless))), b[1] == 1
	}
	return m
}

package panel

import (
	"math"

	"fsa/data"
)

// tally has the sums of a column of a sparse table beside what the footer says of it. It takes one line of the processor's
// cache, because the cells of a row belong to columns that are far apart.
type tally struct {
	mean, lowest, highest float64 // of the footer; the range is that of the numbers after rounding to float32 as well
	sum, squares          float64 // relative to this mean
	min, max              float32
	listed, missing       int
}

func newTally(p *data.Profile) tally {
	t := tally{mean: p.Mean, lowest: p.Min, highest: p.Max, min: float32(math.Inf(1)), max: float32(math.Inf(-1))}
	if f := float64(float32(p.Min)); !math.IsInf(f, 0) {
		t.lowest = min(p.Min, f)
	}
	if f := float64(float32(p.Max)); !math.IsInf(f, 0) {
		t.highest = max(p.Max, f)
	}
	return t
}

// allows reports whether a cell can belong to a column with this profile.
func (s *tally) allows(v float64, p *data.Profile) bool {
	return v >= s.lowest && v <= s.highest || v != v && p.Missing > 0
}

// add takes a cell.
func (s *tally) add(v float64) {
	if v != v {
		s.missing++
		return
	}
	s.listed++
	s.min, s.max = min(s.min, float32(v)), max(s.max, float32(v))
	by := v - s.mean
	s.sum += by
	s.squares += by * by
}

// sums returns the sums of all cells.
func (s *tally) sums() sums {
	return sums{missing: s.missing, listed: s.listed, sum: s.sum, squares: s.squares, min: float64(s.min), max: float64(s.max)}
}

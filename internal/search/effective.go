package search

import (
	"math"

	"fsa/internal/tuning"
)

// Effective returns the effective sample size. If all weights are whole numbers, it is their sum
// divided by their greatest common divisor, because a row of weight 2 among rows of weight 1 must lead
// to the same model as two equal rows. Otherwise it is the number of rows with a weight above 0, and
// only the proportions of the weights matter.
func Effective(weight []float64, rows int) int {
	if weight == nil {
		return rows
	}
	sum, unit, n, whole := 0.0, 0.0, 0, true
	for _, w := range weight {
		if w > 0 {
			n++
		}
		if whole = whole && w == math.Trunc(w); whole {
			sum += w
			for unit, w = w, unit; w > 0; {
				unit, w = w, math.Mod(unit, w)
			}
		}
	}
	if whole && sum > 0 && sum/unit < math.MaxInt32 {
		return int(sum / unit)
	}
	return n
}

// Counted returns the number of rows with a weight above 0.
func Counted(weight []float64, rows int) int {
	if weight == nil {
		return rows
	}
	n := 0
	for _, w := range weight {
		if w > 0 {
			n++
		}
	}
	return n
}

// Many reports whether there are enough rows per coefficient that the lowest training loss is likely
// the best model.
func Many(rows, coefficients int) bool { return rows >= tuning.RowsPerCoefficient*coefficients }

// Bounded reports whether the Hessian bound of a number of coefficients takes few reads of a table.
func Bounded(rows, cells, coefficients int) bool {
	n := float64(coefficients)
	return float64(rows)*n*n <= float64(max(cells, tuning.WorkCells))
}

// Many is [Many] for the rows of the sample.
func (s *Sample) Many(coefficients int) bool { return Many(s.Effective, coefficients) }

// Refinable reports whether a number of coefficients can be moved to their optimum at little cost:
// there are enough rows or a ridge, and the Hessian bound takes few reads.
func (s *Sample) Refinable(coefficients int, ridge float64) bool {
	return (s.Many(coefficients) || ridge > 0) && Bounded(s.Effective, s.Design.X.Cells(), coefficients)
}

// MostCurves returns the largest number of curves with the given number of bins for which there are enough rows.
func (s *Sample) MostCurves(bins int) int {
	if bins == 0 {
		return math.MaxInt
	}
	return s.Effective / (tuning.RowsPerVariable * (bins + 1))
}

// SelectionNoise returns the share of the loss that the best n groups explain by chance if no group
// has any effect.
func (s *Sample) SelectionNoise(n int) float64 {
	return -math.Expm1(-float64(n) * math.Log(float64(s.Groups.Count())) / float64(s.Effective))
}

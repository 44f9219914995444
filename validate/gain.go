package validate

import "math"

// Gain accumulates the decrease of the loss of held-out rows from one model to another. Gains of several folds can be
// added.
type Gain struct {
	Rows                   int
	Weight, Sum, SquareSum float64
}

// Add adds the gain of a row with a weight.
func (g *Gain) Add(gain, weight float64) {
	g.Rows++
	g.Weight += weight
	g.Sum += weight * gain
	g.SquareSum += weight * gain * gain
}

// Join adds the gains of other rows.
func (g *Gain) Join(other Gain) {
	g.Rows += other.Rows
	g.Weight += other.Weight
	g.Sum += other.Sum
	g.SquareSum += other.SquareSum
}

// Mean returns the mean gain of a row and its standard error.
func (g *Gain) Mean() (mean, se float64) {
	mean = g.Sum / g.Weight
	return mean, math.Sqrt(max(g.SquareSum/g.Weight-mean*mean, 0) / max(float64(g.Rows)-1, 1))
}

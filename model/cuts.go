package model

import "fsa/loss"

// byClass returns the decision values of rows as classes want them, and their number for a row. Those of ordered
// classes become the logarithms of the probabilities of each class.
func (s *spec) byClass(z []float64) ([]float64, int) {
	if s.Settings.Cuts == nil {
		return z, s.Outputs
	}
	classes := len(s.Settings.Cuts) + 1
	out := make([]float64, 0, classes*len(z))
	for _, v := range z {
		out = loss.LogShares(out, s.Settings.Cuts, v)
	}
	return out, classes
}

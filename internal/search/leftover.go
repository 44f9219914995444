package search

import "slices"

// leftover is what a fit leaves over of an output, in the rows with a weight.
type leftover struct {
	rows   []int     // rows with a weight
	slope  []float64 // derivative of the loss of these rows by the decision value
	weight []float64 // curvature of the loss of these rows
}

// leftovers returns what a fit leaves over of each output.
func (s *Sample) leftovers(fit *Fit) []leftover {
	n, outputs := s.Rows(), s.Loss.Outputs()
	z, slope, weight := fit.Complete().Z, make([]float64, n*outputs), make([]float64, n)
	s.Loss.Eval(slope, slices.Clone(z), s.lossTarget())
	s.Loss.Curvature(weight, s.lossTarget())
	list := make([]leftover, outputs)
	for c := range list {
		l := &list[c]
		for i := range n {
			if weight[i] > 0 {
				l.rows, l.slope, l.weight = append(l.rows, i), append(l.slope, slope[c*n+i]), append(l.weight, weight[i])
			}
		}
	}
	return list
}

// dependent is the share of the square of a column below which what is left of it is rounding error.
const dependent = 1e-8

// residual returns what orthogonal columns do not explain of a column, weighted by the curvature of
// the loss. It is nil if that is nothing.
func (l *leftover) residual(x []float64, basis [][]float64) []float64 {
	x = slices.Clone(x)
	before := l.product(x, x)
	left := before
	for again := true; again; { // once is not orthogonal if the columns are nearly dependent
		for _, b := range basis {
			share := l.product(x, b) / l.product(b, b)
			for i, v := range b {
				x[i] -= share * v
			}
		}
		last := left
		left = l.product(x, x)
		again = left > dependent*before && left < last/4
	}
	if !(left > dependent*before) {
		return nil
	}
	return x
}

// product returns the inner product of two columns, weighted by the curvature of the loss.
func (l *leftover) product(a, b []float64) float64 {
	sum := 0.0
	for i, w := range l.weight {
		sum += w * a[i] * b[i]
	}
	return sum
}

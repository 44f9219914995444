package matrix

import "math"

// Normed is a Matrix that bounds what a product with it can be.
type Normed interface {
	Matrix
	// Norms returns the greatest norm of a row, and that of a column.
	Norms() (row, column float64)
}

var (
	_ Normed = (*Dense)(nil)
	_ Normed = (*Sparse)(nil)
)

// Norms implements [Normed].
func (d *Dense) Norms() (row, column float64) {
	squares := make([]float64, d.cols)
	for i := range d.rows {
		sum := 0.0
		for j, v := range d.row(i) {
			q := float64(v) * float64(v)
			sum += q
			squares[j] += q
		}
		row = max(row, math.Sqrt(sum))
	}
	return row, greatestRoot(squares)
}

// Norms implements [Normed].
func (s *Sparse) Norms() (row, column float64) {
	squares := make([]float64, s.cols)
	for i := range s.rows {
		sum := 0.0
		index, value := s.row(i)
		for p, j := range index {
			q := float64(value[p]) * float64(value[p])
			sum += q
			squares[j] += q
		}
		row = max(row, math.Sqrt(sum))
	}
	return row, greatestRoot(squares)
}

// greatestRoot returns the root of the greatest number.
func greatestRoot(squares []float64) (root float64) {
	for _, q := range squares {
		root = max(root, math.Sqrt(q))
	}
	return root
}

package matrix

import (
	"math"
	"testing"
)

// Norms are those of the cells, however they are stored.
func TestNorms(t *testing.T) {
	d := NewDense(3, 3, []float32{3, 0, 4, 0, 0, 0, 1, -12, 0})
	s := NewSparse(3)
	s.Add([]uint32{0, 2}, []float32{3, 4})
	s.Add(nil, nil)
	s.Add([]uint32{0, 1}, []float32{1, -12})
	for _, x := range []Normed{d, s} {
		if row, column := x.Norms(); row != math.Sqrt(145) || column != 12 {
			t.Errorf("%T: the norms are %g and %g", x, row, column)
		}
	}
}

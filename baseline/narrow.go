package baseline

import (
	"fsa/internal/kernel"
	"fsa/internal/matrix"
)

// narrow are vectors that a method reads again and again. Dense ones are stored as float32, which
// halves the memory traffic, for the kernels of dense tables. It is for one thread.
type narrow struct {
	*matrix.Vectors
	cells []float32 // nil if they are sparse
	one   []float64
}

func newNarrow(v *matrix.Vectors) *narrow {
	n := &narrow{Vectors: v, one: make([]float64, 1)}
	if dense(v) {
		n.cells = make([]float32, 0, v.Count*v.Length)
		for i := range v.Count {
			_, value := v.Cells(i)
			for _, x := range value {
				n.cells = append(n.cells, float32(x))
			}
		}
	}
	return n
}

// Dot is that of [matrix.Vectors].
func (n *narrow) Dot(i int, x []float64) float64 {
	if n.cells == nil {
		return n.Vectors.Dot(i, x)
	}
	kernel.Mul(n.one, n.vector(i), x)
	return n.one[0]
}

// Add is that of [matrix.Vectors].
func (n *narrow) Add(x []float64, i int, c float64) {
	if n.cells == nil {
		n.Vectors.Add(x, i, c)
		return
	}
	n.one[0] = c
	kernel.MulT(x, n.vector(i), n.one)
}

func (n *narrow) vector(i int) []float32 { return n.cells[i*n.Length : (i+1)*n.Length] }

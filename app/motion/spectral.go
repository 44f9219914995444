package motion

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// spectral partitions points into k clusters by an affinity: k-means on the
// rows, at length one, of the leading eigenvectors of the affinity that is
// normalised by the sums of its rows on both sides (Ng, Jordan and Weiss).
func spectral(affinity *mat.SymDense, k int) Labels {
	if k == 1 {
		return make(Labels, affinity.SymmetricDim())
	}
	return kmeans(rows(leading(normalise(affinity), k)), k)
}

// normalise divides by the roots of the sums of rows and columns.
func normalise(affinity *mat.SymDense) *mat.SymDense {
	n := affinity.SymmetricDim()
	scale := make([]float64, n)
	for i := range n {
		for j := range n {
			scale[i] += affinity.At(i, j)
		}
		if scale[i] > 0 {
			scale[i] = 1 / math.Sqrt(scale[i])
		}
	}
	out := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			out.SetSym(i, j, affinity.At(i, j)*scale[i]*scale[j])
		}
	}
	return out
}

// rows turns vectors into points, at length one.
func rows(vectors [][]float64) [][]float64 {
	out := make([][]float64, len(vectors[0]))
	for i := range out {
		out[i] = make([]float64, len(vectors))
		for c, v := range vectors {
			out[i][c] = v[i]
		}
		if length := floats.Norm(out[i], 2); length > 0 {
			floats.Scale(1/length, out[i])
		}
	}
	return out
}

package search

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// singular is the share of the largest eigenvalue below which one is rounding error.
const singular = 1e-9

// inverse is the pseudo-inverse of a symmetric matrix that is not negative, in the basis of its eigenvectors.
type inverse struct {
	vectors *mat.Dense // columns, one for each eigenvalue
	values  []float64
}

func invert(a *mat.Dense) inverse {
	n, _ := a.Dims()
	unit, scaled := make([]float64, n), mat.NewSymDense(n, nil)
	for i := range n {
		if v := a.At(i, i); v > 0 {
			unit[i] = 1 / math.Sqrt(v)
		}
	}
	for i := range n {
		for j := range i + 1 {
			scaled.SetSym(i, j, a.At(i, j)*unit[i]*unit[j])
		}
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(scaled, true) {
		return inverse{vectors: mat.NewDense(n, n, nil)}
	}
	vectors := mat.NewDense(n, n, nil)
	eigen.VectorsTo(vectors)
	for i, u := range unit {
		row := vectors.RawRowView(i)
		for k := range row {
			row[k] *= u
		}
	}
	return inverse{vectors, eigen.Values(nil)} // ascending
}

// solve returns bᵀx and the shortest x with a·x = b, and the rank of a.
func (v inverse) solve(b mat.Vector) (product float64, rank int, x *mat.VecDense) {
	n, _ := v.vectors.Dims()
	x = mat.NewVecDense(n, nil)
	for k, λ := range v.values {
		if last := v.values[len(v.values)-1]; λ <= 0 || λ <= singular*last {
			continue
		}
		way := v.vectors.ColView(k)
		along := mat.Dot(way, b)
		x.AddScaledVec(x, along/λ, way)
		product, rank = product+along*along/λ, rank+1
	}
	return product, rank, x
}

package motion

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// velocities returns for each point the vector of eq. (velocity): its movement from each frame to
// the next, and its last position.
func (s *Sequence) velocities() [][]float64 {
	out := make([][]float64, s.Points)
	for p, t := range s.Track {
		v := make([]float64, len(t))
		for i := range len(t) - 2 {
			v[i] = t[i] - t[i+2]
		}
		copy(v[len(t)-2:], t[len(t)-2:])
		out[p] = v
	}
	return out
}

// projection has points in the coordinates of their singular vectors.
type projection struct {
	// points holds for each point its row of V, the right singular vectors of
	// the matrix whose columns are the points.
	points [][]float64
	// value are the singular values, the largest first.
	value []float64
}

// project computes the singular value decomposition of vectors of equal length, and keeps as many
// directions as they span, at most the given number.
func project(vectors [][]float64, most int) projection {
	n, length := len(vectors), len(vectors[0])
	w := mat.NewDense(n, length, nil) // one row per point: its left vectors are needed
	for i, v := range vectors {
		w.SetRow(i, v)
	}
	var svd mat.SVD
	if !svd.Factorize(w, mat.SVDThin) {
		panic("motion: the singular value decomposition of finite numbers failed")
	}
	value := svd.Values(nil)
	rank := 1 // if all points are at the origin, they still need one coordinate
	for rank < min(most, len(value)) && value[rank] > 1e-12*value[0] {
		rank++
	}
	var u mat.Dense
	svd.UTo(&u)
	p := projection{points: make([][]float64, n), value: value[:rank]}
	for i := range n {
		p.points[i] = append([]float64(nil), u.RawRowView(i)[:rank]...)
	}
	return p
}

// rank returns the number of directions.
func (p projection) rank() int { return len(p.value) }

// to returns the coordinates of the points in the first d directions.
func (p projection) to(d int) [][]float64 {
	out := make([][]float64, len(p.points))
	for i, v := range p.points {
		out[i] = v[:d:d]
	}
	return out
}

// unit returns vectors scaled to length one. Zero vectors are not changed.
func unit(vectors [][]float64) [][]float64 {
	out := make([][]float64, len(vectors))
	for i, v := range vectors {
		out[i] = append([]float64(nil), v...)
		if length := floats.Norm(v, 2); length > 0 {
			floats.Scale(1/length, out[i])
		}
	}
	return out
}

// angular returns the affinity of eq. (angular-measure): the cosine of the angle between each two
// vectors, to the power 2α. The diagonal is 0, so that a point does not support its own cluster.
// With a diagonal of 1, the best candidate has twice the error on the benchmark.
func angular(vectors [][]float64, alpha float64) *mat.SymDense {
	u := unit(vectors)
	a := mat.NewSymDense(len(u), nil)
	for i := range u {
		for j := range i {
			c := floats.Dot(u[i], u[j])
			if alpha == 2 {
				c *= c
				c *= c
			} else {
				c = math.Pow(c*c, alpha)
			}
			a.SetSym(j, i, c)
		}
	}
	return a
}

// alpha of eq. (angular-measure).
const alpha = 2

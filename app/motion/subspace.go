package motion

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// rigidDims is the dimension of the affine subspace of the tracks of a rigid motion, seen by an
// affine camera.
const rigidDims = 3

// flat is an affine subspace: a point and orthonormal directions.
type flat struct {
	center []float64
	axes   [][]float64
}

// fitFlat returns the affine subspace of dimension three that is nearest to the members of a set of
// points, by least squares. Fewer than four members span a smaller subspace.
func fitFlat(points [][]float64, members []int) flat {
	width := len(points[0])
	f := flat{center: make([]float64, width)}
	if len(members) == 0 {
		return f
	}
	for _, i := range members {
		floats.Add(f.center, points[i])
	}
	floats.Scale(1/float64(len(members)), f.center)
	if len(members) <= width {
		f.axes = axesByPoints(points, members, f.center)
	} else {
		f.axes = axesByCoordinates(points, members, f.center)
	}
	return f
}

// axesByCoordinates finds the directions from the covariance of coordinates.
func axesByCoordinates(points [][]float64, members []int, center []float64) [][]float64 {
	width := len(center)
	cov := mat.NewSymDense(width, nil)
	raw := cov.RawSymmetric()
	x := make([]float64, width)
	for _, i := range members {
		floats.SubTo(x, points[i], center)
		for a, v := range x {
			floats.AddScaled(raw.Data[a*raw.Stride+a:a*raw.Stride+width], v, x[a:])
		}
	}
	return principal(cov)
}

// axesByPoints finds the directions from the inner products of the points,
// which are fewer than the coordinates.
func axesByPoints(points [][]float64, members []int, center []float64) [][]float64 {
	moved := make([][]float64, len(members))
	for a, i := range members {
		moved[a] = make([]float64, len(center))
		floats.SubTo(moved[a], points[i], center)
	}
	gram := mat.NewSymDense(len(members), nil)
	for a := range moved {
		for b := range a + 1 {
			gram.SetSym(b, a, floats.Dot(moved[a], moved[b]))
		}
	}
	var axes [][]float64
	for _, y := range principal(gram) {
		v := make([]float64, len(center))
		for a, w := range y {
			floats.AddScaled(v, w, moved[a])
		}
		axes = extend(axes, v)
	}
	return axes
}

// principal returns the leading eigenvectors of a matrix of inner products.
func principal(a *mat.SymDense) [][]float64 {
	n := a.SymmetricDim()
	trace := mat.Trace(a)
	if trace == 0 {
		return nil
	}
	k := min(rigidDims, n)
	if n <= 4*krylovStep {
		return decompose(a, k)
	}
	a.ScaleSym(1/trace, a)
	return leading(a, k)
}

// distance returns the distance of x from the subspace; moved is scratch space.
func (f flat) distance(x, moved []float64) float64 {
	floats.SubTo(moved, x, f.center)
	for _, a := range f.axes {
		floats.AddScaled(moved, -floats.Dot(a, moved), a)
	}
	return math.Sqrt(floats.Dot(moved, moved))
}

// distances returns the distance of every point to the subspace of its motion.
func distances(points [][]float64, labels Labels, motions int) []float64 {
	members := make([][]int, motions)
	for i, l := range labels {
		members[l] = append(members[l], i)
	}
	out, moved := make([]float64, len(points)), make([]float64, len(points[0]))
	for _, m := range members {
		f := fitFlat(points, m)
		for _, i := range m {
			out[i] = f.distance(points[i], moved)
		}
	}
	return out
}

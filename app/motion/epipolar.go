package motion

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// epipolar is the fundamental matrix of a rigid motion between two frames, row by row: positions p
// and q of a point in the two satisfy (q,1)ᵀF(p,1) = 0.
type epipolar [9]float64

// frames are two frames.
type frames struct{ f, g int }

// of returns the positions of a point in the two frames.
func (p frames) of(track []float64) (x, y, u, v float64) {
	return track[2*p.f], track[2*p.f+1], track[2*p.g], track[2*p.g+1]
}

// camera is a kind of epipolar geometry.
type camera struct {
	least int // points that are needed to fit one
	fit   func(tracks [][]float64, members []int, at frames) epipolar
}

var (
	perspective = camera{8, fitPerspective}
	affine      = camera{4, fitAffine}
)

// fitPerspective finds the matrix that fits points best, by the eight-point algorithm: it minimises
// the sum of squares of (q,1)ᵀF(p,1) at length one. Coordinates should be of order one. For points
// on a plane it returns one of many solutions.
func fitPerspective(tracks [][]float64, members []int, at frames) epipolar {
	const n = 9
	m := make([]float64, n*n)
	for _, i := range members {
		x, y, u, v := at.of(tracks[i])
		row := [n]float64{u * x, u * y, u, v * x, v * y, v, x, y, 1}
		addSquare(m, row[:])
	}
	return epipolar(weakest(m, n))
}

// fitAffine finds the matrix of an affine camera, which has only five parameters: the positions of
// a point in both frames together lie on a hyperplane.
func fitAffine(tracks [][]float64, members []int, at frames) epipolar {
	const n = 4
	var mean, row [n]float64
	for _, i := range members {
		x, y, u, v := at.of(tracks[i])
		row = [n]float64{x, y, u, v}
		floats.AddScaled(mean[:], 1/float64(len(members)), row[:])
	}
	m := make([]float64, n*n)
	for _, i := range members {
		x, y, u, v := at.of(tracks[i])
		row = [n]float64{x - mean[0], y - mean[1], u - mean[2], v - mean[3]}
		addSquare(m, row[:])
	}
	normal := weakest(m, n)
	return epipolar{0, 0, normal[2], 0, 0, normal[3], normal[0], normal[1], -floats.Dot(normal, mean[:])}
}

// addSquare adds the products of all pairs of numbers to the lower half of a matrix.
func addSquare(m, row []float64) {
	n := len(row)
	for a, r := range row {
		for b := range a + 1 {
			m[a*n+b] += r * row[b]
		}
	}
}

// weakest returns the direction in which a positive semidefinite matrix of n rows is smallest, by
// inverse iteration. It reads the lower half of the matrix and overwrites it. A small number is
// added to the diagonal to make the matrix invertible.
func weakest(m []float64, n int) []float64 {
	const (
		little = 1e-12 // of the trace
		rounds = 4
	)
	x := make([]float64, n)
	trace := 0.0
	for i := range x {
		x[i] = 1 + float64(i)/float64(n) // any direction will do
		trace += m[i*n+i]
	}
	if trace == 0 { // all points are at the same position
		return x
	}
	for j := range n { // Cholesky's factor, in place
		for i := j; i < n; i++ {
			v := m[i*n+j] - floats.Dot(m[i*n:i*n+j], m[j*n:j*n+j])
			if i == j {
				m[j*n+j] = math.Sqrt(max(v, 0) + little*trace)
			} else {
				m[i*n+j] = v / m[j*n+j]
			}
		}
	}
	for range rounds {
		for i := range x {
			x[i] = (x[i] - floats.Dot(m[i*n:i*n+i], x[:i])) / m[i*n+i]
		}
		for i := n - 1; i >= 0; i-- {
			x[i] /= m[i*n+i]
			floats.AddScaled(x[:i], -x[i], m[i*n:i*n+i])
		}
		floats.Scale(1/floats.Norm(x, 2), x)
	}
	return x
}

// sampson returns the squared distance, to first order, between the positions of a point and the
// nearest positions that satisfy the matrix.
func (e *epipolar) sampson(track []float64, at frames) float64 {
	x, y, u, v := at.of(track)
	a, b, c := e[0]*x+e[1]*y+e[2], e[3]*x+e[4]*y+e[5], e[6]*x+e[7]*y+e[8] // line in frame g
	d, h := e[0]*u+e[3]*v+e[6], e[1]*u+e[4]*v+e[7]                        // line in frame f
	off := u*a + v*b + c
	slope := a*a + b*b + d*d + h*h
	if slope == 0 {
		return 0
	}
	return off * off / slope
}

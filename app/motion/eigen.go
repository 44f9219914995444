package motion

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Settings of the search for eigenvectors.
const (
	krylovTolerance = 1e-9 // residual of an eigenvector of a matrix of norm one
	krylovStep      = 16   // vectors between two checks of the residuals
	krylovMost      = 256  // vectors after which the full decomposition is cheaper
	krylovSpare     = 2    // starting vectors in addition to the requested ones
)

// leading returns the k eigenvectors of the largest eigenvalues of a symmetric matrix of norm about
// one, the largest first.
//
// It is a block Lanczos method with full orthogonalisation. It starts with more vectors than
// requested, so that it finds equal eigenvalues, such as those of a graph in several parts, and
// takes a tenth of the time of a full decomposition, to which it falls back if convergence is slow.
func leading(a *mat.SymDense, k int) [][]float64 {
	n := a.SymmetricDim()
	rng := rand.New(rand.NewPCG(uint64(n), uint64(k)))
	var basis, image [][]float64 // orthonormal vectors, and their products with a
	for len(basis) < min(k+krylovSpare, n) {
		v := make([]float64, n)
		for i := range v {
			v[i] = rng.NormFloat64()
		}
		basis = extend(basis, v)
	}
	for len(image) < min(krylovMost, n) {
		w := multiply(a, basis[len(image)])
		image = append(image, w)
		basis = extend(basis, append([]float64(nil), w...))
		done := len(image) == len(basis) // nothing new: the space is invariant
		if !done && (len(image)%krylovStep != 0 || len(image) < 2*k) {
			continue
		}
		if vectors, residual := ritz(basis[:len(image)], image, k); done || residual < krylovTolerance {
			return vectors
		}
	}
	return decompose(a, k)
}

func multiply(a *mat.SymDense, v []float64) []float64 {
	w := make([]float64, len(v))
	blas64.Symv(1, a.RawSymmetric(), blas64.Vector{N: len(v), Data: v, Inc: 1}, 0, blas64.Vector{N: len(w), Data: w, Inc: 1})
	return w
}

// extend appends the part of v that is orthogonal to the basis, with length one, unless it is zero.
func extend(basis [][]float64, v []float64) [][]float64 {
	before := floats.Norm(v, 2)
	for range 2 { // a single pass leaves rounding errors
		for _, b := range basis {
			floats.AddScaled(v, -floats.Dot(b, v), b)
		}
	}
	length := floats.Norm(v, 2)
	if length <= 1e-10*before || length < 1e-14 {
		return basis
	}
	floats.Scale(1/length, v)
	return append(basis, v)
}

// ritz returns the k best eigenvectors within a space, whose images are given, and their residuals.
func ritz(basis, image [][]float64, k int) (vectors [][]float64, residual float64) {
	m := len(basis)
	h := mat.NewSymDense(m, nil)
	for i := range m {
		for j := range i + 1 {
			h.SetSym(j, i, floats.Dot(basis[j], image[i]))
		}
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(h, true) {
		return nil, math.Inf(1)
	}
	var y mat.Dense
	eigen.VectorsTo(&y)
	value := eigen.Values(nil) // ascending
	for c := m - 1; c >= max(m-k, 0); c-- {
		v, off := make([]float64, len(basis[0])), make([]float64, len(basis[0]))
		for i := range m {
			floats.AddScaled(v, y.At(i, c), basis[i])
			floats.AddScaled(off, y.At(i, c), image[i])
		}
		floats.AddScaled(off, -value[c], v)
		residual = max(residual, floats.Norm(off, 2))
		vectors = append(vectors, v)
	}
	return vectors, residual
}

// decompose finds all eigenvectors and returns the k leading ones.
func decompose(a *mat.SymDense, k int) [][]float64 {
	var eigen mat.EigenSym
	if !eigen.Factorize(a, true) {
		panic("motion: the eigenvalues of a finite symmetric matrix were not found")
	}
	var y mat.Dense
	eigen.VectorsTo(&y)
	n := a.SymmetricDim()
	vectors := make([][]float64, 0, k)
	for c := n - 1; c >= max(n-k, 0); c-- {
		vectors = append(vectors, mat.Col(nil, c, &y))
	}
	return vectors
}

package search

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"fsa/data"
	"fsa/internal/tuning"
)

// curveBasis is the basis in which the shape function of a variable is fitted: a constant, a straight line,
// and oscillating functions from the smoothest to the roughest (Demmler and Reinsch 1975).
//
// A shape function is given by its values at the knots. A ridge on these values would shrink it
// towards zero. In this basis a ridge shrinks it towards a straight line, and rough functions more
// than smooth ones. Every basis function has unit variance and is then divided by √(1 + ρμ). Its
// roughness μ is the sum over the inner knots of the squared distance between its value and the
// chord of the two neighbouring knots. The roughness of a line is 0.
type curveBasis struct {
	first  int        // column of the problem that belongs to the first knot
	values *mat.Dense // values of the basis functions (columns) at the knots (rows)
	back   *mat.Dense // inverse of values
	share  []float64  // share of the rows at each knot
}

// newCurveBasis returns the basis for the given knots. share is the share of the rows at each knot.
func newCurveBasis(first int, at data.Knots, share []float64) curveBasis {
	n := len(at)
	knots := make([]float64, n)
	for i, k := range at {
		knots[i] = data.Place(k, at[0], at[n-1]) // squares of large numbers would overflow
	}
	weight, mean, sd := knotWeights(knots, share)
	b := curveBasis{first: first, values: mat.NewDense(n, n, nil), back: mat.NewDense(n, n, nil), share: share}
	for i, k := range knots {
		b.values.Set(i, 0, 1)
		b.values.Set(i, 1, (k-mean)/sd)
	}
	form := roughness(knots, weight)
	apart := 1 + mat.Trace(form) // more than the largest eigenvalue
	for i := range n {           // shift the eigenvalues of the constant and the line by it, so that they come last
		for j := i; j < n; j++ {
			both := 1 + b.values.At(i, 1)*b.values.At(j, 1)
			form.SetSym(i, j, form.At(i, j)+apart*math.Sqrt(weight[i]*weight[j])*both)
		}
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(form, true) {
		panic("search: the roughness of curves has no eigenvectors")
	}
	var vectors mat.Dense
	eigen.VectorsTo(&vectors)
	for j, μ := range eigen.Values(nil)[:n-2] {
		shrink := math.Sqrt(1 + tuning.BendRoughness*max(μ, 0))
		for i := range n {
			b.values.Set(i, 2+j, vectors.At(i, j)/math.Sqrt(weight[i])/shrink)
		}
	}
	// The basis functions are orthogonal under the weights, so the inverse is the scaled transpose.
	for j := range n {
		square := 0.0
		for i := range n {
			square += weight[i] * b.values.At(i, j) * b.values.At(i, j)
		}
		for i := range n {
			b.back.Set(j, i, weight[i]*b.values.At(i, j)/square)
		}
	}
	return b
}

// knotWeights returns the weights of the knots, which sum to 1, and the weighted mean and standard
// deviation of the knots.
func knotWeights(knots, share []float64) (weight []float64, mean, sd float64) {
	const least = 1e-4 // smallest share of the rows at a knot, so that every weight is positive
	weight = make([]float64, len(knots))
	total := 0.0
	for i, w := range share {
		weight[i] = max(w, least)
		total += weight[i]
	}
	for i, k := range knots {
		weight[i] /= total
		mean += weight[i] * k
	}
	for i, k := range knots {
		sd += weight[i] * (k - mean) * (k - mean)
	}
	return weight, mean, math.Sqrt(sd)
}

// roughness returns the matrix R of the quadratic form uᵀRu that measures the roughness of a function
// with value uᵢ/√wᵢ at knot i and weight wᵢ: the sum of squared distances between the value at each
// inner knot and the chord of its two neighbours.
func roughness(knots, weight []float64) *mat.SymDense {
	form := mat.NewSymDense(len(knots), nil)
	for i := 1; i < len(knots)-1; i++ {
		share := chordShare(knots[i-1], knots[i], knots[i+1])
		chord := [3]float64{share - 1, 1, -share}
		for a := range chord {
			for b := a; b < len(chord); b++ {
				p, q := i-1+a, i-1+b
				form.SetSym(p, q, form.At(p, q)+chord[a]*chord[b]/math.Sqrt(weight[p]*weight[q]))
			}
		}
	}
	return form
}

// chordShare returns the weight of the right neighbour in the value of the chord of two knots at the knot between them.
func chordShare(left, middle, right float64) float64 {
	below, above := middle-left, right-middle
	if both := below + above; both > 0 {
		return below / both
	}
	return 0.5
}

// apply replaces the columns of the knots by the columns of the basis functions.
func (b *curveBasis) apply(x [][]float64) {
	n, _ := b.values.Dims()
	knots := x[b.first : b.first+n]
	members := make([][]float64, n)
	for j := range members {
		members[j] = make([]float64, len(knots[0]))
		for i, column := range knots {
			floats.AddScaled(members[j], b.values.At(i, j), column)
		}
	}
	copy(knots, members)
}

// toKnots converts coefficients of the basis into values at the knots, and toBasis converts them back.
func (b *curveBasis) toKnots(beta []float64) { b.multiply(b.values, beta) }
func (b *curveBasis) toBasis(beta []float64) { b.multiply(b.back, beta) }

func (b *curveBasis) multiply(m *mat.Dense, beta []float64) {
	n, _ := m.Dims()
	part := beta[b.first : b.first+n]
	var to mat.VecDense
	to.MulVec(m, mat.NewVecDense(n, part))
	copy(part, to.RawVector().Data)
}

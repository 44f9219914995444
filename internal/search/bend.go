package search

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"fsa/data"
	"fsa/internal/objective"
	"fsa/internal/tuning"
)

// bend is the basis that the curve of a variable is learned in: a constant, a straight line,
// and bends from the smoothest to the roughest.
//
// A curve is given by its values at the knots. A ridge on these values would pull the curve
// towards zero. In this basis it pulls the curve towards a line, and the rougher a bend is the
// more. Every member has unit variance, and is then divided by √(1 + ρμ), where its roughness μ
// is the sum of squares of how far its value at each knot is from the chord between the two
// neighbours. A line has none.
type bend struct {
	first  int        // column of the problem of the first knot
	values *mat.Dense // of each member of the basis, by columns, at the knots
	back   *mat.Dense // the inverse
}

// bends returns the bases of all curves among the columns of some groups.
func (s *Sample) bends(groups []int, ob *objective.Objective) []bend {
	d := s.Design
	if d.Bins == 0 {
		return nil
	}
	var list []bend
	at := 0
	for _, g := range groups {
		for _, v := range s.Groups.Of(g) {
			lo, hi := ob.First(v)
			if v < d.Numbers {
				knots := d.KnotsOf(v)
				list = append(list, newBend(at, knots, d.Mean[lo:lo+len(knots)]))
			}
			at += hi - lo
		}
	}
	return list
}

// newBend returns the basis for knots that have some shares of the rows.
func newBend(first int, at data.Knots, share []float64) bend {
	n := len(at)
	knots := make([]float64, n)
	for i, k := range at {
		knots[i] = data.Place(k, at[0], at[n-1]) // squares of large numbers would overflow
	}
	weight, mean, sd := knotWeights(knots, share)
	b := bend{first: first, values: mat.NewDense(n, n, nil), back: mat.NewDense(n, n, nil)}
	for i, k := range knots {
		b.values.Set(i, 0, 1)
		b.values.Set(i, 1, (k-mean)/sd)
	}
	form := roughness(knots, weight)
	apart := 1 + mat.Trace(form) // more than the roughness of any bend
	for i := range n {           // which the constant and the line get, so that they come last
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
	// The members are orthogonal under the weights, so that the inverse needs no factors.
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

// knotWeights returns the weights of knots, which sum to 1, and the mean and standard deviation
// of a number that stands at the knots with these weights.
func knotWeights(knots, share []float64) (weight []float64, mean, sd float64) {
	const least = 1e-4 // share of the rows of a knot, so that none is without weight
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

// roughness returns the quadratic form of the squared distances of values at the knots from the
// chords between their neighbours, of values that are divided by the roots of the weights.
func roughness(knots, weight []float64) *mat.SymDense {
	form := mat.NewSymDense(len(knots), nil)
	for i := 1; i < len(knots)-1; i++ {
		left, right := knots[i]-knots[i-1], knots[i+1]-knots[i]
		share := 0.5 // of the right neighbour
		if both := left + right; both > 0 {
			share = left / both
		}
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

// apply replaces the columns of the knots by those of the basis.
func (b *bend) apply(x [][]float64) {
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

// toKnots turns coefficients of the basis into values at the knots, and toBasis the reverse.
func (b *bend) toKnots(beta []float64) { b.multiply(b.values, beta) }
func (b *bend) toBasis(beta []float64) { b.multiply(b.back, beta) }

func (b *bend) multiply(m *mat.Dense, beta []float64) {
	n, _ := m.Dims()
	part := beta[b.first : b.first+n]
	var to mat.VecDense
	to.MulVec(m, mat.NewVecDense(n, part))
	copy(part, to.RawVector().Data)
}

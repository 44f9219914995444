package motion

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/lapack/lapack64"
)

// affineLasso writes a point as an affine combination of the others with few terms: it minimises
// ½‖Σ c_j y_j − y‖² + λ‖c‖₁ where the c_j sum to one. So the residual is Σ c_j (y_j − y), and only
// differences matter.
//
// It is an exact active-set method. On the points with a coefficient, and with the signs of these,
// the problem is a linear system; a step towards its solution ends where a coefficient becomes
// zero, which then leaves the active set, and at the solution the point that violates the
// optimality conditions most enters it.
type affineLasso struct {
	penalty float64
	away    [][]float64 // the points, relative to the represented point
	c, sign []float64
	active  []int
}

// Limits of the search, in squares of coordinates whose mean square is one.
const (
	lassoRidge     = 1e-9  // number of coefficients; if they outnumber the coordinates, the solution is not unique
	lassoTolerance = 1e-6  // share of the penalty by which conditions may be violated
	lassoZero      = 1e-13 // smaller coefficients are zero
	lassoMost      = 1000  // maximal number of steps
)

// solve returns the coefficients of a point. The coefficient of the point itself is zero.
func (l *affineLasso) solve(points [][]float64, of int) []float64 {
	l.start(points, of)
	residual := make([]float64, len(points[0]))
	for range lassoMost {
		target, level, ok := l.optimum()
		if !ok {
			break
		}
		if !l.step(target) {
			continue
		}
		clear(residual)
		for _, i := range l.active {
			floats.AddScaled(residual, l.c[i], l.away[i])
		}
		if !l.enter(residual, level, of) {
			break
		}
	}
	return l.c
}

// start begins with the nearest point as the only term.
func (l *affineLasso) start(points [][]float64, of int) {
	n := len(points)
	l.away, l.c, l.sign = make([][]float64, n), make([]float64, n), make([]float64, n)
	nearest, least := 0, math.Inf(1)
	for j, p := range points {
		l.away[j] = floats.SubTo(make([]float64, len(p)), p, points[of])
		if d := floats.Dot(l.away[j], l.away[j]); j != of && d < least {
			nearest, least = j, d
		}
	}
	l.c[nearest], l.sign[nearest], l.active = 1, 1, []int{nearest}
}

// optimum returns the best coefficients of the active points if their signs are ignored, and the
// multiplier of the constraint that they sum to one.
func (l *affineLasso) optimum() (target []float64, level float64, ok bool) {
	m := len(l.active)
	gram := blas64.Symmetric{N: m, Stride: m, Uplo: blas.Upper, Data: make([]float64, m*m)}
	right := blas64.General{Rows: m, Cols: 2, Stride: 2, Data: make([]float64, 2*m)}
	for a, i := range l.active {
		for b := a; b < m; b++ {
			gram.Data[a*m+b] = floats.Dot(l.away[i], l.away[l.active[b]])
		}
		gram.Data[a*m+a] += lassoRidge
		right.Data[2*a], right.Data[2*a+1] = -l.penalty*l.sign[i], 1
	}
	factor, ok := lapack64.Potrf(gram)
	if !ok {
		return nil, 0, false
	}
	lapack64.Potrs(factor, right)
	free, perLevel := 0.0, 0.0
	for a := range m {
		free, perLevel = free+right.Data[2*a], perLevel+right.Data[2*a+1]
	}
	level = (1 - free) / perLevel
	target = make([]float64, m)
	for a := range target {
		target[a] = right.Data[2*a] + level*right.Data[2*a+1]
	}
	return target, level, true
}

// step moves towards the target until a coefficient would change its sign, and reports whether it
// reached the target.
func (l *affineLasso) step(target []float64) bool {
	share := 1.0
	for a, i := range l.active {
		if target[a]*l.sign[i] < 0 {
			share = min(share, l.c[i]/(l.c[i]-target[a]))
		}
	}
	stay := l.active[:0]
	for a, i := range l.active {
		l.c[i] += share * (target[a] - l.c[i])
		if l.c[i]*l.sign[i] > lassoZero {
			stay = append(stay, i)
		} else {
			l.c[i] = 0
		}
	}
	there := share == 1 && len(stay) == len(target)
	l.active = stay
	return there
}

// enter adds the point that violates the optimality conditions most, and reports whether there is
// one.
func (l *affineLasso) enter(residual []float64, level float64, of int) bool {
	worst, found := l.penalty*(1+lassoTolerance), -1
	for j, d := range l.away {
		if j == of || l.c[j] != 0 {
			continue
		}
		slope := floats.Dot(d, residual) - level
		if math.Abs(slope) > worst {
			worst, found = math.Abs(slope), j
			l.sign[j] = -math.Copysign(1, slope)
		}
	}
	if found >= 0 {
		l.active = append(l.active, found)
	}
	return found >= 0
}

package paper

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// knockoffs selects columns at a false discovery rate by model-X knockoffs (Candès, Fan, Janson and Lv 2018) with the
// difference of lasso coefficients and the threshold knockoff+. Columns are standardised, and their correlation is known.
func knockoffs(x [][]float64, y []float64, by covariance, rate float64, seed uint64) []int {
	m := len(x)
	all := append(slices.Clone(x), knockoffCopies(x, by, seed)...)
	beta := crossValidatedLasso(all, y)
	w := make([]float64, m)
	var cutoffs []float64
	for j := range w {
		w[j] = math.Abs(beta[j]) - math.Abs(beta[m+j])
		if w[j] != 0 {
			cutoffs = append(cutoffs, math.Abs(w[j]))
		}
	}
	slices.Sort(cutoffs)
	for _, t := range cutoffs {
		negative, selected := 1.0, []int(nil)
		for j, v := range w {
			switch {
			case v >= t:
				selected = append(selected, j)
			case v <= -t:
				negative++
			}
		}
		if negative <= rate*float64(len(selected)) {
			return selected
		}
	}
	return nil
}

// knockoffCopies draws equicorrelated Gaussian knockoffs of standardised columns: given x they are normal with mean
// x − s·xΣ⁻¹ and covariance 2s·I − s²Σ⁻¹.
func knockoffCopies(x [][]float64, by covariance, seed uint64) [][]float64 {
	const below = 0.999 // so that the covariance has a Cholesky factor
	m, n := len(x), len(x[0])
	sigma := mat.NewSymDense(m, nil)
	for i := range m {
		for j := i; j < m; j++ {
			sigma.SetSym(i, j, by.between(i, j))
		}
	}
	s := below * min(1, 2*by.least)
	var factor mat.Cholesky
	var inverse mat.SymDense
	if !factor.Factorize(sigma) || factor.InverseTo(&inverse) != nil {
		panic("paper: a correlation matrix is singular")
	}
	conditional := mat.NewSymDense(m, nil)
	mean := mat.NewDense(m, m, nil)
	for i := range m {
		for j := i; j < m; j++ {
			v := -s * s * inverse.At(i, j)
			if i == j {
				v += 2 * s
			}
			conditional.SetSym(i, j, v)
		}
		for j := range m {
			mean.Set(i, j, -s*inverse.At(i, j))
		}
		mean.Set(i, i, 1-s*inverse.At(i, i))
	}
	var root mat.Cholesky
	var lower mat.TriDense
	if !root.Factorize(conditional) {
		panic("paper: the covariance of knockoffs is singular")
	}
	root.LTo(&lower)
	noise, given := mat.NewDense(m, n, nil), mat.NewDense(m, n, nil)
	random := rand.New(rand.NewPCG(seed, 7))
	for j := range m {
		given.SetRow(j, x[j])
		for i := range n {
			noise.Set(j, i, random.NormFloat64())
		}
	}
	var copies, deviation mat.Dense
	copies.Mul(mean, given)
	deviation.Mul(&lower, noise)
	copies.Add(&copies, &deviation)
	out := make([][]float64, m)
	for j := range out {
		out[j] = copies.RawRowView(j)
	}
	return out
}

// crossValidatedLasso returns the coefficients of the lasso at the penalty of the lowest squared error over five folds.
func crossValidatedLasso(x [][]float64, y []float64) []float64 {
	const folds, penalties, lowest = 5, 20, 0.02
	n := len(y)
	train := func(fold int) []float64 {
		weight := make([]float64, n)
		for i := range weight {
			if i%folds != fold {
				weight[i] = 1
			}
		}
		return weight
	}
	most := 0.0
	whole := newLasso(x, y, train(folds))
	for j := range x {
		most = max(most, math.Abs(whole.slope(j)))
	}
	path := make([]float64, penalties)
	for p := range path {
		path[p] = most * math.Pow(lowest, float64(p)/(penalties-1))
	}
	errors := make([]float64, penalties)
	for fold := range folds {
		l := newLasso(x, y, train(fold))
		for p, λ := range path {
			l.descend(λ)
			for i, r := range l.residual {
				if l.weight[i] == 0 {
					errors[p] += r * r
				}
			}
		}
	}
	best := slices.Index(errors, slices.Min(errors))
	for _, λ := range path[:best+1] {
		whole.descend(λ)
	}
	return whole.beta
}

// lasso minimises half the mean squared error plus λ‖β‖₁ by coordinate descent, from one penalty to the next.
type lasso struct {
	x                      [][]float64
	weight, residual, beta []float64
	square                 []float64 // mean square of each column
	rows                   float64
}

func newLasso(x [][]float64, y, weight []float64) *lasso {
	l := &lasso{x: x, weight: weight, residual: slices.Clone(y), beta: make([]float64, len(x)), square: make([]float64, len(x))}
	mean := 0.0
	for i, w := range weight {
		l.rows += w
		mean += w * y[i]
	}
	mean /= l.rows
	for i := range y {
		l.residual[i] -= mean
	}
	for j, column := range x {
		for i, v := range column {
			l.square[j] += weight[i] * v * v / l.rows
		}
	}
	return l
}

// slope returns the mean product of a column with the residuals.
func (l *lasso) slope(j int) float64 {
	sum := 0.0
	for i, v := range l.x[j] {
		sum += l.weight[i] * v * l.residual[i]
	}
	return sum / l.rows
}

// descend moves the coefficients to the optimum at a penalty: it passes over those that are not zero until they settle, and
// then over all.
func (l *lasso) descend(λ float64) {
	const settled, passes = 1e-3, 100
	active := func(j int) bool { return l.beta[j] != 0 }
	for range passes {
		for range passes {
			if l.pass(λ, active) < settled*λ {
				break
			}
		}
		if l.pass(λ, func(int) bool { return true }) < settled*λ {
			return
		}
	}
}

// pass updates the coefficients of some columns, and returns the largest change.
func (l *lasso) pass(λ float64, of func(j int) bool) (largest float64) {
	for j, column := range l.x {
		if !of(j) {
			continue
		}
		g := l.slope(j) + l.square[j]*l.beta[j]
		next := float64(cmp.Compare(g, 0)) * max(math.Abs(g)-λ, 0) / l.square[j]
		if change := next - l.beta[j]; change != 0 {
			for i, v := range column {
				l.residual[i] -= change * v
			}
			l.beta[j] = next
			largest = max(largest, math.Abs(change))
		}
	}
	return largest
}

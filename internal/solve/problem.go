// Package solve fits a model to a few selected columns until it converges. It holds these columns as float64 values,
// independent of the storage of the table, and works for any loss: it computes their Gram matrix, takes quasi-Newton
// steps and swaps columns.
package solve

import (
	"errors"
	"slices"

	"fsa/loss"
)

// Problem is the mean loss of z = b + Xβ plus Σ (Ridge + Penalty_j)·β_j².
type Problem struct {
	X       [][]float64 // columns
	Penalty []float64   // additional λ of each column
	Ridge   float64     // λ of all columns
	// Adaptive makes the ridge weaker on columns with large coefficients; see [Problem.solveAdaptive].
	Adaptive bool
	Loss     loss.Loss
	Target   loss.Target
	// Intercept adds an intercept for each output. It is not penalised.
	Intercept bool
	// Quadratic says that the loss is quadratic and has one output. Its curvature is then equal to its bound.
	Quadratic bool
	// Tolerance is the smallest predicted decrease of the objective for which the solver takes another step; 0 means
	// machine precision.
	Tolerance float64
	// Threads is the number of threads; 0 means 1. The result does not depend on it.
	Threads int
	// Constraints limit the coefficients.
	Constraints []Constraint
	// Device holds a copy of the columns and computes the sums over rows; nil means the processor. Columns of X must
	// not be replaced while it is set.
	Device Device
	// Known are columns whose products another problem has.
	Known Known

	null       []float64 // curvature of each row at the null model, times its weight
	nullWeight float64   // total weight of the rows
	residual   []float64 // derivative of a quadratic loss at the null model, for each row
	slopes     []float64 // derivative of the mean loss at the null model by each coefficient and, last, the intercept
	cache      *cache    // shared by copies of the problem
	gram       []float64 // Gram matrix of the columns and the intercept (last), weighted by the curvature at the null model and divided by the total weight
}

// Solution is the optimum on some columns.
type Solution struct {
	Beta      [][]float64 // by output, then column
	Intercept []float64   // by output
	Z         []float64   // margins, output after output
	Loss      float64     // mean loss without the penalty
	Objective float64     // mean loss plus the penalty
}

// Onto converts a solution on the ascending columns of to a starting point on other columns. New columns get a
// coefficient of zero. The result has no margins.
func (s *Solution) Onto(of, columns []int) *Solution {
	to := &Solution{Beta: make([][]float64, len(s.Beta)), Intercept: s.Intercept}
	for c := range s.Beta {
		to.Beta[c] = make([]float64, len(columns))
		for i, col := range columns {
			if at, found := slices.BinarySearch(of, col); found {
				to.Beta[c][i] = s.Beta[c][at]
			}
		}
	}
	return to
}

// ErrSingular is returned if the Hessian is singular even after a jitter was added to its diagonal.
var ErrSingular = errors.New("solve: the Hessian is not positive definite")

// outputs returns the number of margins of a row.
func (p *Problem) outputs() int { return p.Loss.Outputs() }

// rows returns the number of rows.
func (p *Problem) rows() int { return len(p.Target.Y) }

// start returns the initial solution of the iterations: from, or zero if from is nil or has other columns.
func (p *Problem) start(cols []int, from *Solution) *Solution {
	outputs := p.outputs()
	s := &Solution{Beta: make([][]float64, outputs), Intercept: make([]float64, outputs)}
	for c := range s.Beta {
		s.Beta[c] = make([]float64, len(cols))
		if from != nil && len(from.Beta[c]) == len(cols) {
			copy(s.Beta[c], from.Beta[c])
			s.Intercept[c] = from.Intercept[c]
		}
	}
	return s
}

// measure computes the losses of a solution from its margins and sets r to the derivatives of the loss. It returns the
// total weight of the rows.
func (p *Problem) measure(r []float64, s *Solution, cols []int) (weight float64) {
	s.Loss, weight = p.Loss.Eval(r, s.Z, p.Target)
	s.Loss /= weight
	p.penalise(s, cols)
	return weight
}

// penalise sets the objective of a solution from its loss.
func (p *Problem) penalise(s *Solution, cols []int) {
	s.Objective = s.Loss
	for _, beta := range s.Beta {
		for j, col := range cols {
			s.Objective += (p.Ridge + p.Penalty[col]) * beta[j] * beta[j]
		}
	}
}

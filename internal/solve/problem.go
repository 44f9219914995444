// Package solve learns a model on a few columns to its optimum: what selection has
// left. It holds these columns as numbers, so that their Gram matrix, quasi-Newton steps
// and exact swaps can be had, whatever the storage they came from and whatever the loss.
package solve

import (
	"errors"
	"slices"

	"fsa/loss"
)

// Problem is the mean loss of z = b + Xβ plus Σ (Ridge + Penalty_j)·β_j².
type Problem struct {
	X       [][]float64 // columns
	Penalty []float64   // λ of each column,
	Ridge   float64     // and of all of them
	// Adaptive says that the ridge is the weaker on a column the larger its coefficients are; see [Problem.solveAdaptive].
	Adaptive bool
	Loss     loss.Loss
	Target   loss.Target
	// Intercept says that there is one for each output. It is not penalised.
	Intercept bool
	// Quadratic says that the loss is, with one output and the curvature that it gives as its bound.
	Quadratic bool
	// Tolerance is by how much the objective has to promise to fall for another step; 0
	// means as far as numbers go.
	Tolerance float64
	// Threads is how many may work on blocks of rows; 0 means 1. The result is the same for any number.
	Threads int
	// There has the columns elsewhere, to learn from them; nil means here. X is then not replaced.
	There Elsewhere

	null       []float64 // curvature of each row at the null model, times its weight,
	nullWeight float64   // and the weight of all
	residual   []float64 // derivative of a quadratic loss at the null model,
	slopes     []float64 // and that of the mean by each coefficient, last the intercept
	kept       *kept     // which copies share
	gram       []float64 // products of all columns and last the intercept, weighted by the curvature of the null model, over the weight
}

// Solution is the optimum on some columns.
type Solution struct {
	Beta      [][]float64 // by output, then column
	Intercept []float64   // by output
	Z         []float64   // margins, output after output
	Loss      float64     // mean, without the penalty
	Objective float64     // mean, with it
}

// Onto returns what a solution on some columns, in ascending order, says of others: it has no
// margins, and columns that it does not know have no coefficient.
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

// ErrSingular says that the columns have no optimum that can be found.
var ErrSingular = errors.New("solve: the Hessian is not positive definite")

// outputs returns the number of margins of a row.
func (p *Problem) outputs() int { return p.Loss.Outputs() }

// rows returns the number of rows.
func (p *Problem) rows() int { return len(p.Target.Y) }

// start returns the solution that iterations begin with.
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

// measure sets the losses of a solution whose margins are known and r to their
// derivatives, and returns the weight of all rows.
func (p *Problem) measure(r []float64, s *Solution, cols []int) (weight float64) {
	s.Loss, weight = p.Loss.Eval(r, s.Z, p.Target)
	s.Loss /= weight
	p.penalise(s, cols)
	return weight
}

// penalise sets the objective of a solution whose loss is known.
func (p *Problem) penalise(s *Solution, cols []int) {
	s.Objective = s.Loss
	for _, beta := range s.Beta {
		for j, col := range cols {
			s.Objective += (p.Ridge + p.Penalty[col]) * beta[j] * beta[j]
		}
	}
}

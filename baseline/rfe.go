package baseline

import (
	"cmp"
	"context"
	"fmt"

	"fsa/data"
	"fsa/internal/matrix"
	"fsa/model"
)

// RFE is recursive feature elimination (Guyon, Weston, Barnhill and Vapnik, 2002). It trains a
// linear support vector machine, drops the variables with the smallest coefficients, and
// repeats until K are left. The last machine is trained on those. Each machine starts from the
// solution of the one before.
//
// Iterations limits the number of passes over the rows of the last machine, 0 meaning 1000,
// and that of the others to a tenth of it.
type RFE struct {
	Options
	// Drop is the share of the variables dropped per round, at least one variable; 0 means 0.2.
	// Larger shares are faster, smaller ones more reliable.
	Drop float64
	// C is the price of a row within the margin; 0 means 1.
	C float64
}

var _ Fitter = RFE{}

// Fit implements [Fitter].
func (m RFE) Fit(ctx context.Context, d *data.Dataset) (*model.Model, error) {
	drop := cmp.Or(m.Drop, 0.2)
	if !(drop > 0 && drop < 1) {
		return nil, fmt.Errorf("%w: dropping a share of %v: it must lie between 0 and 1", model.ErrOptions, drop)
	}
	m.LossName = orLoss(m.LossName, "svm")
	t, err := newTask(ctx, "rfe", d, m.Options, "svm")
	if err != nil {
		return nil, err
	}
	// A machine need not converge to find the variables to drop.
	epochs := cmp.Or(m.Iterations, 1000)
	machine := linearSVM{C: cmp.Or(m.C, 1), Tolerance: 0.01, Epochs: max(1, epochs/10), Seed: m.Seed}
	variables := t.design.Usable
	alpha := make([]float64, len(t.Y))
	for rounds := 1; ; rounds++ {
		last := len(variables) <= m.K
		if last {
			machine.Tolerance, machine.Epochs = 0, epochs
		}
		rows, err := rowsOf(ctx, t.design, nil, variables)
		if err != nil {
			return nil, err
		}
		beta, intercept, err := machine.fit(ctx, rows, t.Y, t.Weight, alpha)
		if err != nil {
			return nil, err
		}
		if last {
			return t.linear(rounds, intercept, variables, beta)
		}
		gone := max(1, int(drop*float64(len(variables))))
		var kept []int
		for _, at := range largest(beta, max(len(variables)-gone, m.K)) {
			kept = append(kept, variables[at])
		}
		variables = kept
	}
}

// rowsOf returns some rows of some variables of a design; nil means all of them.
func rowsOf(ctx context.Context, g *data.Design, rows, variables []int) (*matrix.Vectors, error) {
	part, err := g.Select(ctx, rows, variables)
	if err != nil {
		return nil, err
	}
	return rowsOfDesign(ctx, part)
}

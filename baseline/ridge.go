package baseline

import (
	"context"
	"fmt"

	"fsa/data"
	"fsa/eval"
	"fsa/model"
)

// Ridge is least squares on all variables with the penalty ½α‖β‖² added to half the mean
// squared error. It does not select variables: K is ignored. α is chosen from the paper's grid
// by the error on a held-out fifth of the rows.
//
// It solves for as many unknowns as there are variables or rows, whichever are fewer. The
// matrix products are computed once for all penalties, with and without the held-out rows.
type Ridge struct{ Options }

var _ Fitter = Ridge{}

// ridgeGrid are the penalties of the paper, the strongest first.
func ridgeGrid() []float64 { return []float64{1, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5} }

// maxRidge bounds the side of the matrix that is factored.
const maxRidge = 20000

// ridgeSolver finds the coefficients of the usable variables for a penalty.
type ridgeSolver interface {
	// tryOut returns the error on the rows of weight held, of what is learned
	// from those of weight train with each penalty.
	tryOut(ctx context.Context, grid, train, held []float64) ([]float64, error)
	// solve learns from all rows.
	solve(ctx context.Context, penalty float64) (intercept float64, beta []float64, err error)
}

// Fit implements [Fitter].
func (o Ridge) Fit(ctx context.Context, d *data.Dataset) (*model.Model, error) {
	if o.LossName == "" || o.LossName == "auto" {
		o.LossName = "squared"
	}
	o.K = d.Width()
	t, err := newTask(ctx, "ridge", d, o.Options, "squared")
	if err != nil {
		return nil, err
	}
	if side := min(len(t.design.Usable), len(t.Y)); side > maxRidge {
		return nil, fmt.Errorf("%w: %s has at least %d rows and variables: ridge needs at most %d of one of them", model.ErrOptions, d.Name, side, maxRidge)
	}
	s, err := t.ridge(ctx)
	if err != nil {
		return nil, err
	}
	grid := ridgeGrid()
	train, held := t.holdOut()
	wrong, err := s.tryOut(ctx, grid, train, held)
	if err != nil {
		return nil, err
	}
	intercept, beta, err := s.solve(ctx, grid[leastOf(wrong)])
	if err != nil {
		return nil, err
	}
	return t.linear(len(grid), intercept, t.design.Usable, beta)
}

// ridge prepares the regression on all usable variables.
func (t *task) ridge(ctx context.Context) (ridgeSolver, error) {
	if len(t.design.Usable) > len(t.Y) {
		return newDualRidge(ctx, t)
	}
	return &primalRidge{task: t}, ctx.Err()
}

// primalRidge solves for the coefficients of the variables.
type primalRidge struct {
	*task
	all *scatter // of all rows; nil before they were seen
}

func (r *primalRidge) tryOut(ctx context.Context, grid, train, held []float64) ([]float64, error) {
	s := newScatter(r.task)
	if err := s.add(ctx, train); err != nil {
		return nil, err
	}
	wrong := make([]float64, len(grid))
	for at, penalty := range grid {
		intercept, beta, err := s.solve(penalty)
		if err != nil {
			return nil, err
		}
		wrong[at] = eval.RMSE(r.margins(intercept, r.design.Usable, beta), r.Y, held)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	r.all = s
	return wrong, s.add(ctx, held)
}

func (r *primalRidge) solve(ctx context.Context, penalty float64) (float64, []float64, error) {
	if r.all == nil {
		s := newScatter(r.task)
		if err := s.add(ctx, r.weights()); err != nil {
			return 0, nil, err
		}
		r.all = s
	}
	return r.all.solve(penalty)
}

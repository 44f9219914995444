package baseline

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"fsa/data"
	"fsa/eval"
	"fsa/model"
)

// Ridge is least squares on all variables with the penalty ½α‖β‖² beside half
// the mean squared error. It selects nothing: K is ignored. Of the paper's
// grid of α the one is taken that predicts a held-out fifth of the rows best.
type Ridge struct{ Options }

var _ Fitter = Ridge{}

// ridgeGrid are the penalties of the paper, the strongest first.
func ridgeGrid() []float64 { return []float64{1, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5} }

// maxRidge bounds the side of the matrix that is factored.
const maxRidge = 20000

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
	usable := t.design.Usable
	if side := min(len(usable), len(t.Y)); side > maxRidge {
		return nil, fmt.Errorf("%w: ridge solves for rows or variables, and %s has at least %d of both: want at most %d of one", model.ErrOptions, d.Name, side, maxRidge)
	}
	train, held := t.holdOut()
	solve, err := t.weighing(train).ridge(ctx)
	if err != nil {
		return nil, err
	}
	grid := ridgeGrid()
	wrong := make([]float64, len(grid))
	for at, penalty := range grid {
		intercept, beta, err := solve(penalty)
		if err != nil {
			return nil, err
		}
		wrong[at] = eval.RMSE(t.margins(intercept, usable, beta), t.Y, held)
	}
	if solve, err = t.ridge(ctx); err != nil {
		return nil, err
	}
	intercept, beta, err := solve(grid[leastOf(wrong)])
	if err != nil {
		return nil, err
	}
	return t.linear(len(grid), intercept, usable, beta)
}

// ridge prepares the regression on all usable variables, for any penalty. It
// solves for as many unknowns as there are variables or rows, whichever are
// fewer.
func (t *task) ridge(ctx context.Context) (solve func(penalty float64) (intercept float64, beta []float64, err error), err error) {
	l := newRowLoss(t)
	at := t.start(l)
	row := make([]float64, len(t.Y))
	l.bound(row)
	if len(t.design.Usable) > len(t.Y) {
		return t.ridgeByRows(ctx, at, row)
	}
	q := newQuadratic(t, row)
	if err := q.add(ctx, t.design.Usable); err != nil {
		return nil, err
	}
	slope := make([]float64, len(q.variables))
	if err := q.slopes(ctx, slope, at.pull, 0); err != nil {
		return nil, err
	}
	return func(penalty float64) (float64, []float64, error) {
		step, ok := q.factorize(slices.Repeat([]float64{penalty}, len(slope)))
		if !ok {
			return 0, nil, fmt.Errorf("baseline: ridge %v has no solution", penalty)
		}
		beta := step(slope)
		// Once more, from there, because products are of rounded columns.
		pull, left := make([]float64, len(row)), make([]float64, len(slope))
		q.direction(pull, beta, 0)
		for i, dz := range pull {
			pull[i] = at.pull[i] + row[i]*dz
		}
		if err := q.slopes(ctx, left, pull, 0); err != nil {
			return 0, nil, err
		}
		for a, b := range beta {
			left[a] += penalty * b
		}
		floats.Add(beta, step(left))
		intercept := at.intercept
		for a, b := range beta {
			intercept -= q.mean[a] * b
		}
		return intercept, beta, ctx.Err()
	}, nil
}

// ridgeByRows is ridge for fewer rows than variables. With A the centred
// table whose rows are multiplied by the roots of their weights, and r the
// residuals at the start alike, β = Aᵀ(AAᵀ + αI)⁻¹r.
func (t *task) ridgeByRows(ctx context.Context, at point, row []float64) (solve func(penalty float64) (intercept float64, beta []float64, err error), err error) {
	rows, err := t.design.ByRow(ctx)
	if err != nil {
		return nil, err
	}
	n := len(t.Y)
	mean := make([]float64, t.columns.Count)
	for v := range mean {
		mean[v] = t.columns.Dot(v, row) // the weights sum to 1
	}
	residual, root := make([]float64, n), make([]float64, n)
	for i, h := range row {
		root[i] = math.Sqrt(h)
		residual[i] = root[i] * (t.Y[i] - at.intercept)
	}
	// Dense rows are centred here, which are a copy of our own. For sparse ones
	// the product of i and j has to be lowered by constant[i] + constant[j].
	product := newMultiplier(rows, slices.Repeat([]float64{1}, rows.Length))
	constant, square := make([]float64, n), floats.Dot(mean, mean)
	for i := range constant {
		if _, x := rows.Cells(i); dense(rows) {
			floats.Sub(x, mean)
		} else {
			constant[i] = rows.Dot(i, mean) - square/2
		}
		product.add(rows, i, 0)
	}
	gram, err := product.products(ctx, t.Threads, nil)
	if err != nil {
		return nil, err
	}
	return func(penalty float64) (float64, []float64, error) {
		solve, ok := factorize(n, func(i, j int) float64 {
			a := root[i] * root[j] * (gram[i][j] - constant[i] - constant[j])
			if i == j {
				a += penalty
			}
			return a
		})
		if !ok {
			return 0, nil, fmt.Errorf("baseline: ridge %v has no solution", penalty)
		}
		x, left := make([]float64, n), slices.Clone(residual)
		intercept, beta := at.intercept, make([]float64, len(t.design.Usable))
		for range 2 { // once more on what is left, because products are of rounded rows
			floats.Add(x, solve(left))
			dual, sum := make([]float64, n), 0.0
			for i := range dual {
				dual[i] = root[i] * x[i]
				sum += dual[i]
			}
			intercept = at.intercept
			for k, v := range t.design.Usable {
				beta[k] = t.columns.Dot(v, dual) - mean[v]*sum
				intercept -= mean[v] * beta[k]
			}
			for i, z := range t.margins(intercept, t.design.Usable, beta) {
				left[i] = root[i]*(t.Y[i]-z) - penalty*x[i]
			}
		}
		return intercept, beta, ctx.Err()
	}, nil
}

package paper

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"fsa/data"
	"fsa/data/synth"
	"fsa/loss"
	"fsa/model"
)

// A selection that is not the truth may have a lower loss than the truth: then the rows are the
// reason, and no search would have found it. If its loss is higher, the search has failed.

// comparableLosses are the losses by which a selection is compared with the truth.
var comparableLosses = map[string]loss.Loss{"logistic": loss.Logistic{}, "svm": loss.SVM{}, "lorenz": loss.Lorenz{}, "squared": loss.Squared{}}

// clearly is the share by which a loss has to be higher: more than the error of its minimum.
const clearly = 1e-6

// failed returns 100 if the search of a model failed on a table, else 0.
func failed(ctx context.Context, m *model.Model, c synth.Config) (float64, error) {
	selected, truth := indices(m), synth.Truth(c)
	slices.Sort(selected)
	if slices.Equal(selected, truth) {
		return 0, nil
	}
	bad, err := searchFailed(ctx, m, c, selected, truth)
	if bad {
		return 100, err
	}
	return 0, err
}

// indices returns the columns of the selected variables.
func indices(m *model.Model) []int {
	var list []int
	for _, v := range m.Selected() {
		list = append(list, v.Index)
	}
	return list
}

// searchFailed reports whether the true variables of a table, fitted to their optimum under the
// ridge of the model, have a lower loss than the selected ones fitted in the same way.
func searchFailed(ctx context.Context, m *model.Model, c synth.Config, selected, truth []int) (bool, error) {
	columns := slices.Concat(selected, truth)
	x, y, err := readColumns(ctx, c, columns)
	if err != nil {
		return false, err
	}
	l := comparableLosses[m.Loss()]
	if m.Task() == model.Classification {
		for i := range y {
			y[i] = 2*y[i] - 1
		}
	}
	ridge := m.Training().Ridge
	found := minimum(l, x[:len(selected)], y, ridge)
	best := minimum(l, x[len(selected):], y, ridge)
	return found > best+clearly*math.Abs(best), nil
}

// readColumns makes a table again and returns some of its columns, standardised as fsa does it, and
// the target.
func readColumns(ctx context.Context, c synth.Config, columns []int) (x [][]float64, y []float64, err error) {
	r, err := synth.NewReader(c)
	if err != nil {
		return nil, nil, err
	}
	defer r.Close()
	x = make([][]float64, len(columns))
	width := r.Schema().Width
	for b, err := range data.Blocks(ctx, r) {
		if err != nil {
			return nil, nil, err
		}
		for k, j := range columns {
			for i := range b.Rows {
				x[k] = append(x[k], b.Dense[i*width+j])
			}
		}
		y = append(y, b.Label...)
	}
	for _, column := range x {
		var mean, square float64
		n := float64(len(column))
		for _, v := range column {
			mean += v / n
		}
		for _, v := range column {
			square += (v - mean) * (v - mean) / n
		}
		for i := range column {
			column[i] = (column[i] - mean) / math.Sqrt(square)
		}
	}
	return x, y, nil
}

// minimum returns the least mean loss plus ridge‖β‖² of a linear model with a free intercept on
// some columns, by Newton's method from zero. The second derivatives of the loss are differences of
// its first ones, made positive if the loss is not convex.
func minimum(l loss.Loss, x [][]float64, y []float64, ridge float64) float64 {
	const (
		steps = 200
		near  = 1e-4 // distance of the margins between which a second derivative is measured
	)
	rows, n := len(y), len(x)+1
	t := loss.Target{Y: y}
	r, above, below, z := make([]float64, rows), make([]float64, rows), make([]float64, rows), make([]float64, rows)
	margins := func(beta []float64, shift float64) []float64 {
		for i := range z {
			z[i] = beta[0] + shift
		}
		for k, column := range x {
			for i, v := range column {
				z[i] += beta[k+1] * v
			}
		}
		return z
	}
	objective := func(beta []float64) float64 {
		sum, weight := l.Eval(r, margins(beta, 0), t)
		for _, b := range beta[1:] {
			sum += weight * ridge * b * b
		}
		return sum / weight
	}
	beta := make([]float64, n)
	least := objective(beta)
	damping := 1e-9
	for range steps {
		l.Eval(above, margins(beta, near), t)
		l.Eval(below, margins(beta, -near), t)
		l.Eval(r, margins(beta, 0), t)
		grad, h := mat.NewVecDense(n, nil), mat.NewSymDense(n, nil)
		column := func(k int, i int) float64 {
			if k == 0 {
				return 1
			}
			return x[k-1][i]
		}
		for i := range rows {
			curved := max((above[i]-below[i])/(2*near), 0) / float64(rows)
			for k := range n {
				v := column(k, i)
				grad.SetVec(k, grad.AtVec(k)+r[i]*v/float64(rows))
				for q := range k + 1 {
					h.SetSym(q, k, h.At(q, k)+curved*v*column(q, i))
				}
			}
		}
		for k := range n {
			if k > 0 {
				grad.SetVec(k, grad.AtVec(k)+2*ridge*beta[k])
				h.SetSym(k, k, h.At(k, k)+2*ridge)
			}
			h.SetSym(k, k, h.At(k, k)+damping)
		}
		var factor mat.Cholesky
		step := mat.NewVecDense(n, nil)
		if !factor.Factorize(h) || factor.SolveVecTo(step, grad) != nil {
			damping = max(10*damping, 1e-6)
			continue
		}
		next := make([]float64, n)
		for k := range next {
			next[k] = beta[k] - step.AtVec(k)
		}
		value := objective(next)
		for length := 0.5; value > least && length > 1e-6; length /= 2 {
			for k := range next {
				next[k] = beta[k] - length*step.AtVec(k)
			}
			value = objective(next)
		}
		if !(value < least-1e-12*math.Abs(least)) {
			break
		}
		beta, least = next, value
	}
	return least
}

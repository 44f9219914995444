package baseline

import (
	"context"

	"fsa/internal/matrix"
	"fsa/loss"
)

// rowLoss is the mean loss of a task as a function of the margins of its rows.
type rowLoss struct {
	loss.Loss
	target loss.Target
	total  float64 // weight of all rows
}

// newRowLoss returns the squared or the logistic loss of a task.
func newRowLoss(t *task) *rowLoss {
	l := &rowLoss{Loss: loss.Squared{}, target: loss.Target{Y: t.Y, Weight: t.Weight}}
	if t.Loss() == "logistic" {
		l.Loss = loss.Logistic{}
	}
	for i := range t.Y {
		l.total += t.weight(i)
	}
	return l
}

// value returns the mean loss and sets slope to its derivative by each margin.
func (l *rowLoss) value(slope, z []float64) float64 {
	sum, _ := l.Eval(slope, z, l.target)
	for i := range slope {
		slope[i] /= l.total
	}
	return sum / l.total
}

// bound sets row to a bound on the second derivative by each margin, wherever
// the margins are. That of the squared loss is the derivative itself.
func (l *rowLoss) bound(row []float64) {
	l.Curvature(row, l.target)
	for i := range row {
		row[i] /= l.total
	}
}

// curvature sets row to the second derivative of the logistic loss by each
// margin, where its first is slope. A share of the bound keeps it positive.
func (l *rowLoss) curvature(row, slope []float64) {
	const least = 1e-5
	l.bound(row)
	for i, s := range slope {
		w := 4 * row[i] // the bound is a quarter of the weight
		if w > 0 {
			p := min(max(s, -s)/w, 1)
			row[i] = max(w*p*(1-p), least*row[i])
		}
	}
}

// quadratic is a second-order model of the mean loss as a function of the coefficients of some
// variables, with the best intercept for each value of them. This is equivalent to centring the
// variables, but keeps the zeros of sparse ones.
type quadratic struct {
	columns   *matrix.Vectors
	threads   int
	row       []float64 // second derivative by the margin of each row
	total     float64   // their sum
	variables []int     // columns that are in the model
	mean      []float64 // of each of them, rows weighing as in row
	product   multiplier
	gram      [][]float64
}

// newQuadratic returns a model without variables.
func newQuadratic(t *task, row []float64) *quadratic {
	q := &quadratic{columns: t.columns, threads: t.Threads, row: row, product: newMultiplier(t.columns, row)}
	for _, h := range row {
		q.total += h
	}
	return q
}

// add brings variables into the model.
func (q *quadratic) add(ctx context.Context, variables []int) error {
	q.measure(variables)
	for at := len(q.gram); at < len(q.variables); at++ {
		q.product.add(q.columns, q.variables[at], q.mean[at])
	}
	gram, err := q.product.products(ctx, q.threads, q.gram)
	q.gram = gram
	return err
}

// measure brings variables into the model without taking products.
func (q *quadratic) measure(variables []int) {
	q.variables = append(q.variables, variables...)
	for _, v := range variables {
		q.mean = append(q.mean, q.columns.Dot(v, q.row)/q.total)
	}
}

// slopes sets dst to the derivative of the mean loss by each coefficient of the
// model, where its derivative by the margins is slope and sums to sum.
func (q *quadratic) slopes(ctx context.Context, dst, slope []float64, sum float64) error {
	return each(ctx, q.threads, len(dst), func(at int) {
		dst[at] = q.columns.Dot(q.variables[at], slope) - q.mean[at]*sum
	})
}

// direction sets dz to the change of the margins as the coefficients of the
// model change by step, and the intercept with them. It returns the change of
// the intercept; sum is as in slopes.
func (q *quadratic) direction(dz, step []float64, sum float64) float64 {
	change := -sum / q.total
	for at, d := range step {
		change -= q.mean[at] * d
	}
	for i := range dz {
		dz[i] = change
	}
	for at, d := range step {
		if d != 0 {
			q.columns.Add(dz, q.variables[at], d)
		}
	}
	return change
}

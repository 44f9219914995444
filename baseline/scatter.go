package baseline

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"fsa/internal/gram"
)

// scatter holds the sums over rows that a least squares regression on all usable
// variables needs, about the means of these rows. Rows can be added.
type scatter struct {
	t        *task
	weight   float64   // of the rows
	mean     []float64 // of each variable
	response float64   // mean of it
	square   []float64 // lower half of Σ w(x−mean)(x−mean)ᵀ, row after row
	cross    []float64 // Σ w(x−mean)(y−response)
}

func newScatter(t *task) *scatter { return &scatter{t: t} }

// scatterRows is how many dense rows are added at a time: so much of some dozen
// variables stays in the cache.
const scatterRows = 1024

// add adds the rows with a positive weight.
func (s *scatter) add(ctx context.Context, weight []float64) error {
	var rows []int
	for i, w := range weight {
		if w > 0 {
			rows = append(rows, i)
		}
	}
	most := max(len(rows), 1)
	if dense(s.t.columns) {
		most = scatterRows
	}
	for ; len(rows) > 0; rows = rows[min(most, len(rows)):] {
		part, err := s.of(ctx, rows[:min(most, len(rows))], weight)
		if err != nil {
			return err
		}
		s.merge(part)
	}
	return nil
}

// of returns the sums of some rows alone.
func (s *scatter) of(ctx context.Context, rows []int, weight []float64) (*scatter, error) {
	p := len(s.t.design.Usable)
	part := &scatter{t: s.t, mean: make([]float64, p), cross: make([]float64, p), square: make([]float64, p*p)}
	for _, i := range rows {
		part.weight += weight[i]
		part.response += weight[i] * s.t.Y[i]
	}
	part.response /= part.weight
	if dense(s.t.columns) {
		return part, part.multiplyDense(ctx, rows, weight)
	}
	return part, part.multiplySparse(ctx, rows, weight)
}

// multiplyDense fills in means and products. Columns are centred and multiplied
// by the roots of the weights.
func (s *scatter) multiplyDense(ctx context.Context, rows []int, weight []float64) error {
	width := gram.Padded(len(rows))
	cells := make([]float64, len(s.mean)*width)
	root, pull := make([]float64, len(rows)), make([]float64, len(rows))
	for at, i := range rows {
		root[at] = math.Sqrt(weight[i])
		pull[at] = root[at] * (s.t.Y[i] - s.response)
	}
	err := each(ctx, s.t.Threads, len(s.mean), func(a int) {
		_, value := s.t.columns.Cells(s.t.design.Usable[a])
		sum := 0.0
		for _, i := range rows {
			sum += weight[i] * value[i]
		}
		s.mean[a] = sum / s.weight
		to := cells[a*width:]
		for at, i := range rows {
			to[at] = root[at] * (value[i] - s.mean[a])
			s.cross[a] += pull[at] * to[at]
		}
	})
	if err != nil {
		return err
	}
	return gram.Add(ctx, s.t.Threads, s.square, cells, len(s.mean))
}

// multiplySparse does the same with the numbers that are not zero. Rows that are
// not listed weigh nothing.
func (s *scatter) multiplySparse(ctx context.Context, rows []int, weight []float64) error {
	only, pull := make([]float64, len(s.t.Y)), make([]float64, len(s.t.Y))
	for _, i := range rows {
		only[i], pull[i] = weight[i], weight[i]*(s.t.Y[i]-s.response)
	}
	product := newMultiplier(s.t.columns, only)
	for a, v := range s.t.design.Usable {
		s.mean[a] = s.t.columns.Dot(v, only) / s.weight
		s.cross[a] = s.t.columns.Dot(v, pull)
		product.add(s.t.columns, v, s.mean[a])
	}
	products, err := product.products(ctx, s.t.Threads, nil)
	for a, row := range products {
		copy(s.square[a*len(products):], row[:a+1])
	}
	return err
}

// merge adds the sums of other rows (Chan, Golub and LeVeque, 1983).
func (s *scatter) merge(other *scatter) {
	if s.weight == 0 {
		*s = *other
		return
	}
	total := s.weight + other.weight
	share := s.weight * other.weight / total
	apart := make([]float64, len(s.mean))
	floats.SubTo(apart, other.mean, s.mean)
	far := other.response - s.response
	p := len(s.mean)
	for a := range p {
		row := s.square[a*p : a*p+a+1]
		floats.Add(row, other.square[a*p:a*p+a+1])
		floats.AddScaled(row, share*apart[a], apart[:a+1])
		s.cross[a] += other.cross[a] + share*apart[a]*far
	}
	floats.AddScaled(s.mean, other.weight/total, apart)
	s.response += other.weight / total * far
	s.weight = total
}

// intercept returns the best one for coefficients.
func (s *scatter) intercept(beta []float64) float64 { return s.response - floats.Dot(s.mean, beta) }

// solve returns the coefficients and the intercept that minimise half the mean
// squared error plus half the penalty times the square of the coefficients.
func (s *scatter) solve(penalty float64) (intercept float64, beta []float64, err error) {
	p := len(s.mean)
	l, ok := gram.Factorize(p, func(i, j int) float64 {
		a := s.square[i*p+j] / s.weight
		if i == j {
			a += penalty
		}
		return a
	})
	if !ok {
		return 0, nil, fmt.Errorf("baseline: ridge %v has no solution", penalty)
	}
	beta = make([]float64, p)
	beta = l.Solve(floats.ScaleTo(beta, 1/s.weight, s.cross))
	return s.intercept(beta), beta, nil
}

package baseline

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"

	"fsa/internal/matrix"
)

// halfSquares judges subsets by least squares. It stores the products of variables for each half,
// so that a subset that differs little from an earlier one is judged without reading the rows
// again.
type halfSquares struct {
	t     *task
	place map[int]int // of a variable among those seen
	half  [2]*half
}

var _ judge = (*halfSquares)(nil)

// half is one half of the rows, with the products of the variables used so far.
type half struct {
	rows    []int
	columns *matrix.Vectors
	weight  []float64 // of each row
	total   float64
	level   float64   // the mean response
	pull    []float64 // weight times response, less its mean
	square  float64   // of the response less its mean, weighted

	mean    []float64 // of each variable seen
	cross   []float64 // its product with the response
	product multiplier
	gram    [][]float64 // products with each other
}

func newHalfSquares(ctx context.Context, t *task, rows [2][]int) (*halfSquares, error) {
	s := &halfSquares{t: t, place: map[int]int{}}
	for h := range s.half {
		part, err := t.design.Select(ctx, rows[h], nil)
		if err != nil {
			return nil, err
		}
		columns, err := columnsOfDesign(ctx, part)
		if err != nil {
			return nil, err
		}
		s.half[h] = newHalf(t, rows[h], columns)
	}
	return s, nil
}

func newHalf(t *task, rows []int, columns *matrix.Vectors) *half {
	e := &half{rows: rows, columns: columns}
	for _, i := range rows {
		w := t.weight(i)
		e.weight = append(e.weight, w)
		e.total += w
		e.level += w * t.Y[i]
	}
	e.level = e.share(e.level)
	for at, i := range rows {
		y := t.Y[i] - e.level
		e.pull = append(e.pull, e.weight[at]*y)
		e.square += e.weight[at] * y * y
	}
	e.product = newMultiplier(columns, e.weight)
	return e
}

// share divides a sum by the total weight; it returns zero if no row has a weight.
func (e *half) share(sum float64) float64 {
	if e.total == 0 {
		return 0
	}
	return sum / e.total
}

// see computes the products of variables that were not used before.
func (s *halfSquares) see(ctx context.Context, variables []int) error {
	var fresh []int
	for _, v := range variables {
		if _, known := s.place[v]; !known {
			s.place[v] = len(s.place)
			fresh = append(fresh, v)
		}
	}
	for _, e := range s.half {
		for _, v := range fresh {
			mean := e.share(e.columns.Dot(v, e.weight))
			e.mean = append(e.mean, mean)
			e.cross = append(e.cross, e.columns.Dot(v, e.pull))
			e.product.add(e.columns, v, mean)
		}
		var err error
		if e.gram, err = e.product.products(ctx, s.t.Threads, e.gram); err != nil {
			return err
		}
	}
	return nil
}

func (s *halfSquares) test(ctx context.Context, variables []int) (float64, error) {
	if err := s.see(ctx, variables); err != nil {
		return 0, err
	}
	places := make([]int, len(variables))
	for a, v := range variables {
		places[a] = s.place[v]
	}
	var sum, total float64
	for h, e := range s.half {
		beta := e.solve(places)
		// The error on the other half follows from its products: the error around its own mean, and
		// the difference between the means of the halves.
		other := s.half[1-h]
		left, gap := other.square, other.level-e.level
		all := make([]float64, len(s.place))
		for a, p := range places {
			all[p] = beta[a]
			gap -= beta[a] * (other.mean[p] - e.mean[p])
		}
		for a, p := range places {
			left += beta[a] * (floats.Dot(other.gram[p], all) - 2*other.cross[p])
		}
		sum += max(left+other.total*gap*gap, 0)
		total += other.total
	}
	return math.Sqrt(sum / total), nil
}

// solve returns the least squares solution of a half. A tiny ridge makes it unique if there are
// more variables than rows. If there is still no solution, the coefficients are zero.
func (e *half) solve(places []int) []float64 {
	const (
		trace = 1e-8
		rest  = 1e-12 // what rounding may leave of a square
	)
	cross := make([]float64, len(places))
	for a, p := range places {
		cross[a] = e.cross[p]
	}
	solve, ok := factorize(len(places), func(a, b int) float64 {
		product, mean := e.gram[places[a]][places[b]], e.mean[places[a]]
		switch {
		case a != b:
			return product
		case product <= rest*e.total*mean*mean:
			return 1 // the same in all rows of this half
		}
		return (1 + trace) * product
	})
	if !ok {
		return make([]float64, len(places))
	}
	return solve(cross)
}

func (s *halfSquares) fit(ctx context.Context, variables []int) (float64, []float64, error) {
	return s.t.refit(ctx, variables, 0)
}

package baseline

import (
	"context"
	"math"
	"math/rand/v2"
)

// newJudge returns the judge of a task, with rows halved at random.
func newJudge(t *task, rng *rand.Rand) judge {
	half := make([]uint8, len(t.Y)) // 0 or 1 for each row
	for at, i := range rng.Perm(len(half)) {
		half[i] = uint8(at % 2)
	}
	if t.Loss() == "squared" {
		return newHalfSquares(t, half)
	}
	s := &halfMachines{t: t, machine: linearSVM{C: 1, Tolerance: 0.01, Epochs: 200, Seed: t.Seed}}
	for i, h := range half {
		s.rows[h] = append(s.rows[h], i)
	}
	return s
}

// halfMachines judges by support vector machines.
type halfMachines struct {
	t       *task
	machine linearSVM
	rows    [2][]int
}

var _ judge = (*halfMachines)(nil)

func (s *halfMachines) test(ctx context.Context, variables []int) (float64, error) {
	var wrong, total float64
	for h := range s.rows {
		learn, err := rowsOf(ctx, s.t.design, s.rows[h], variables)
		if err != nil {
			return 0, err
		}
		var y, weight []float64
		for _, i := range s.rows[h] {
			y, weight = append(y, s.t.Y[i]), append(weight, s.t.weight(i))
		}
		beta, intercept, err := s.machine.fit(ctx, learn, y, weight, nil)
		if err != nil {
			return 0, err
		}
		test, err := rowsOf(ctx, s.t.design, s.rows[1-h], variables)
		if err != nil {
			return 0, err
		}
		for at, i := range s.rows[1-h] {
			w := s.t.weight(i)
			total += w
			if s.t.Y[i]*(test.Dot(at, beta)+intercept) <= 0 {
				wrong += w
			}
		}
	}
	return wrong / total, nil
}

func (s *halfMachines) fit(ctx context.Context, variables []int) (float64, []float64, error) {
	rows, err := rowsOf(ctx, s.t.design, nil, variables)
	if err != nil {
		return 0, nil, err
	}
	final := linearSVM{C: s.machine.C, Seed: s.machine.Seed}
	beta, intercept, err := final.fit(ctx, rows, s.t.Y, s.t.Weight, nil)
	return intercept, beta, err
}

// halfSquares judges by least squares. The products of variables are kept, by
// half, so that a subset that differs little from one before is judged without
// another look at the rows.
type halfSquares struct {
	t      *task
	y      []float64    // response, less its mean
	weight [2][]float64 // of each row in each half
	place  map[int]int  // of a variable among those seen
	seen   []int
	// Of each half: the products of what was seen, the first being a constant,
	// with each other (a triangle) and with the response; and the response's.
	gram   [2][][]float64
	cross  [2][]float64
	square [2]float64
}

var _ judge = (*halfSquares)(nil)

func newHalfSquares(t *task, half []uint8) *halfSquares {
	s := &halfSquares{t: t, place: map[int]int{}}
	mean := t.start(newRowLoss(t)).intercept
	for _, y := range t.Y {
		s.y = append(s.y, y-mean)
	}
	for h := range s.weight {
		s.weight[h] = make([]float64, len(half))
		var total, y float64
		for i := range half {
			if half[i] == uint8(h) {
				w := t.weight(i)
				s.weight[h][i] = w
				total += w
				y += w * s.y[i]
				s.square[h] += w * s.y[i] * s.y[i]
			}
		}
		s.gram[h], s.cross[h] = [][]float64{{total}}, []float64{y}
	}
	return s
}

// see takes up variables that were not seen before.
func (s *halfSquares) see(ctx context.Context, variables []int) error {
	for _, v := range variables {
		if _, known := s.place[v]; known {
			continue
		}
		s.seen = append(s.seen, v)
		column := make([]float64, len(s.t.Y))
		for h := range s.weight {
			clear(column)
			s.t.columns.Add(column, v, 1)
			row, cross := make([]float64, len(s.seen)+1), 0.0
			for i, w := range s.weight[h] {
				column[i] *= w
				row[0] += column[i]
				cross += column[i] * s.y[i]
			}
			err := each(ctx, s.t.Threads, len(s.seen), func(at int) { row[at+1] = s.t.columns.Dot(s.seen[at], column) })
			if err != nil {
				return err
			}
			s.gram[h], s.cross[h] = append(s.gram[h], row), append(s.cross[h], cross)
		}
		s.place[v] = len(s.seen)
	}
	return nil
}

// product returns that of the variables at two places.
func (s *halfSquares) product(h, a, b int) float64 { return s.gram[h][max(a, b)][min(a, b)] }

func (s *halfSquares) test(ctx context.Context, variables []int) (float64, error) {
	if err := s.see(ctx, variables); err != nil {
		return 0, err
	}
	places := []int{0}
	for _, v := range variables {
		places = append(places, s.place[v])
	}
	var sum, total float64
	for h := range s.gram {
		beta := s.solve(h, places)
		// The residual of the other half, from its products alone.
		other := 1 - h
		e := s.square[other]
		for a, p := range places {
			e -= 2 * beta[a] * s.cross[other][p]
			for b, q := range places {
				e += beta[a] * beta[b] * s.product(other, p, q)
			}
		}
		sum += max(e, 0)
		total += s.gram[h][0][0]
	}
	return math.Sqrt(sum / total), nil
}

// solve returns the least squares of a half. A trace of ridge decides where
// there are more variables than rows. Where there is no solution for all that,
// the coefficients are zero.
func (s *halfSquares) solve(h int, places []int) []float64 {
	const trace = 1e-8
	cross := make([]float64, len(places))
	for a, p := range places {
		cross[a] = s.cross[h][p]
	}
	beta, ok := solvePositive(func(a, b int) float64 {
		product := s.product(h, places[a], places[b])
		switch {
		case a != b:
			return product
		case product == 0:
			return 1 // zero in all rows of this half
		}
		return (1 + trace) * product
	}, cross)
	if !ok {
		return make([]float64, len(places))
	}
	return beta
}

func (s *halfSquares) fit(ctx context.Context, variables []int) (float64, []float64, error) {
	return s.t.refit(ctx, variables, 0)
}

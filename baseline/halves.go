package baseline

import (
	"context"
	"math/rand/v2"

	"fsa/internal/matrix"
)

// newJudge returns the judge of a task, with rows halved at random.
func newJudge(ctx context.Context, t *task, rng *rand.Rand) (judge, error) {
	var half [2][]int
	side := make([]int, len(t.Y))
	for at, i := range rng.Perm(len(side)) {
		side[i] = at % 2
	}
	for i, h := range side {
		half[h] = append(half[h], i)
	}
	if t.Loss() == "squared" {
		return newHalfSquares(ctx, t, half)
	}
	return &halfMachines{t: t, machine: linearSVM{C: 1, Tolerance: 0.01, Epochs: 200, Seed: t.Seed}, rows: half}, nil
}

// halfMachines judges by support vector machines.
type halfMachines struct {
	t       *task
	machine linearSVM
	rows    [2][]int
}

var _ judge = (*halfMachines)(nil)

func (s *halfMachines) test(ctx context.Context, variables []int) (float64, error) {
	var half [2]*matrix.Vectors
	for h := range half {
		var err error
		if half[h], err = rowsOf(ctx, s.t.design, s.rows[h], variables); err != nil {
			return 0, err
		}
	}
	var wrong, total float64
	for h := range half {
		var y, weight []float64
		for _, i := range s.rows[h] {
			y, weight = append(y, s.t.Y[i]), append(weight, s.t.weight(i))
		}
		beta, intercept, err := s.machine.fit(ctx, half[h], y, weight, nil)
		if err != nil {
			return 0, err
		}
		for at, i := range s.rows[1-h] {
			w := s.t.weight(i)
			total += w
			if s.t.Y[i]*(half[1-h].Dot(at, beta)+intercept) <= 0 {
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

package solve

import (
	"context"
	"math"
	"slices"
)

const (
	adaptiveRounds = 3    // number of times the ridge is adapted to the coefficients
	adaptiveLeast  = 0.01 // smallest size of a coefficient in this formula, as a share of the mean size
)

// solveAdaptive returns the optimum under an adaptive ridge (Grandvalet 1998), which is weaker on large coefficients and
// stronger on small ones. It solves the problem a few times, each time with ridges that depend on the last coefficients.
// The penalty λβ²/|β|^1.5 approximates λ√|β| (bridge regression, Frank and Friedman 1993), which lies between the lasso
// and the best subset, but no coefficient becomes zero. The coefficients of a column in several outputs share one ridge.
func (p *Problem) solveAdaptive(ctx context.Context, cols []int, from *Solution) (*Solution, error) {
	plain := *p
	plain.Adaptive = false
	s, err := plain.Optimum(ctx, cols, from)
	if err != nil || len(cols) == 0 {
		return s, err
	}
	lengths := s.lengths()
	typical := total(lengths) / float64(len(cols))
	if typical == 0 {
		return s, nil
	}
	plain.Ridge = 0
	for range adaptiveRounds {
		plain.Penalty = slices.Clone(p.Penalty)
		for i, col := range cols {
			ratio := typical / (lengths[i] + adaptiveLeast*typical)
			plain.Penalty[col] += p.Ridge * (ratio * math.Sqrt(ratio)) // ratio^1.5; the bits of [math.Pow] depend on the processor
		}
		if s, err = plain.Optimum(ctx, cols, s); err != nil {
			return nil, err
		}
		lengths = s.lengths()
	}
	plain.Complete(s, cols) // with the last ridges
	return s, nil
}

// lengths returns, for each column, the norm of its coefficients over the outputs.
func (s *Solution) lengths() []float64 {
	list := make([]float64, len(s.Beta[0]))
	for _, beta := range s.Beta {
		for i, b := range beta {
			list[i] = math.Hypot(list[i], b)
		}
	}
	return list
}

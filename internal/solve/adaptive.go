package solve

import (
	"context"
	"math"
	"slices"
)

const (
	adaptiveRounds = 3    // in which the ridge follows the coefficients
	adaptivePower  = 1.5  // of how many times shorter than the mean a coefficient is: its ridge is as many times as strong
	adaptiveLeast  = 0.01 // of the mean, that a coefficient counts for
)

// solveAdaptive learns with an adaptive ridge (Grandvalet 1998), which is weaker on large coefficients and stronger on
// small ones: those that were learned last say how strong, a few times over. With λβ²/|β|^1.5 it comes near the penalty
// λ√|β| (bridge regression, Frank and Friedman 1993), which lies between the lasso and the best subset, but no
// coefficient becomes zero. The coefficients of a column in several outputs count together.
func (p *Problem) solveAdaptive(ctx context.Context, cols []int, from *Solution) (*Solution, error) {
	plain := *p
	plain.Adaptive = false
	s, err := plain.Solve(ctx, cols, from)
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
			plain.Penalty[col] += p.Ridge * math.Pow(typical/(lengths[i]+adaptiveLeast*typical), adaptivePower)
		}
		if s, err = plain.Solve(ctx, cols, s); err != nil {
			return nil, err
		}
		lengths = s.lengths()
	}
	return s, nil
}

// lengths returns that of the coefficients of each column.
func (s *Solution) lengths() []float64 {
	list := make([]float64, len(s.Beta[0]))
	for _, beta := range s.Beta {
		for i, b := range beta {
			list[i] = math.Hypot(list[i], b)
		}
	}
	return list
}

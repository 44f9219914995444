package search

import "context"

// steps runs a descent with a ridge, and then the improvements of a direct recipe.
func (s *Sample) steps(ctx context.Context, recipe Recipe, ridge float64, size int) (*Fit, error) {
	f, err := s.anneal(ctx, recipe.Select.Descent.round(ridge, size))
	if err == nil && recipe.Polish {
		f, err = s.polish(ctx, recipe.Select.Descent, f)
	}
	if err == nil && recipe.HessianSwaps {
		f, err = s.hessianSwaps(ctx, recipe.Select.Descent, f)
	}
	return f, err
}

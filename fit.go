package fsa

import (
	"context"
	"errors"
	"fmt"

	"fsa/anneal"
	"fsa/data"
)

// Fit selects o.K variables of a dataset and learns a model on them.
func Fit(ctx context.Context, d *data.Dataset, o Options) (*Model, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	s, err := newSearch(ctx, d, o)
	if err != nil {
		return nil, err
	}
	f, err := s.find(ctx)
	if err == nil && s.retry {
		f, err = s.again(ctx, f)
	}
	if errors.Is(err, anneal.ErrDiverged) && o.Eta > 0 {
		return nil, fmt.Errorf("fsa: eta = %v is too large for this data: leave it out to have it chosen: %w", o.Eta, err)
	}
	if err != nil {
		return nil, err
	}
	return newModel(ctx, s, f)
}

// find selects variables and learns a model on them.
func (s *search) find(ctx context.Context) (*fitted, error) {
	f, err := s.anneal(ctx)
	if err == nil && s.Polish {
		f, err = s.polish(ctx, f)
	}
	if err == nil && s.swaps {
		f, err = s.exchange(ctx, f)
	}
	return f, err
}

package search

import (
	"context"
	"slices"

	"fsa/anneal"
)

// Form returns the sample in the form of a selection: with square roots, with shape functions, with interactions, or itself.
func (r *Runner) Form(ctx context.Context, by Selection) (*Sample, error) {
	bins := by.Bins
	switch {
	case by.Interactions.Most > 0:
		return r.paired(ctx, by)
	case by.Roots:
		return r.roots(ctx)
	case bins == 0:
		return r.Sample, nil
	}
	if s := r.curved[bins]; s != nil {
		return s, nil
	}
	s, err := r.Curved(ctx, bins)
	r.curved[bins] = s
	return s, err
}

// roots returns the sample with the square roots of its numbers.
func (r *Runner) roots(ctx context.Context) (s *Sample, err error) {
	if r.rooted == nil {
		r.rooted, err = r.Rooted(ctx)
	}
	return r.rooted, err
}

// paired returns the sample with the pairs that a selection may select: those that the score test
// finds in what the additive model of the same selection leaves over.
func (r *Runner) paired(ctx context.Context, by Selection) (*Sample, error) {
	if s := r.pairs[by]; s != nil {
		return s, nil
	}
	plain := by
	plain.Interactions = Interactions{}
	s, err := r.Form(ctx, plain)
	if err != nil {
		return nil, err
	}
	from, size := r, r.largest(s.MostCurves(by.Bins))
	if r.Only > 0 {
		from = NewRunner(r.Sample, r.sizes)
		from.Only, from.curved = size, r.curved
		defer from.Close()
	}
	additive, err := from.Run(ctx, Recipe{Select: plain, Ridge: by.Ridge}, size)
	if err != nil {
		return nil, err
	}
	found, err := r.screen(ctx, additive, min(by.Interactions.Most, slices.Max(r.sizes)), by.Interactions.Knots)
	if err != nil {
		return nil, err
	}
	if len(found) > 0 {
		if s, err = s.WithInteractions(ctx, found); err != nil {
			return nil, err
		}
		s.setParents(by.Interactions.Heredity)
	}
	r.pairs[by] = s
	return s, nil
}

// largest returns the largest size of the runner that has enough variables and is at most the given one, or the smallest
// size of all.
func (r *Runner) largest(most int) int {
	size, _ := bounds(r.sizes, r.Groups.Count())
	for _, k := range r.sizes {
		if k <= min(most, r.Groups.Count()) {
			size = max(size, k)
		}
	}
	return size
}

// Lipschitz returns the Lipschitz constant of the gradient at the start of a selection, without a
// ridge.
func (r *Runner) Lipschitz(ctx context.Context, by Selection) (anneal.Lipschitz, error) {
	s, err := r.Form(ctx, by)
	if err != nil {
		return anneal.Lipschitz{}, err
	}
	return s.selecting(by).lipschitz(ctx)
}

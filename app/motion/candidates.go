package motion

import (
	"context"
	"fmt"
)

// Candidates segments a sequence in many ways and returns the different
// results.
func Candidates(ctx context.Context, s *Sequence, pool Pool) ([]Candidate, error) {
	if err := pool.Validate(); err != nil {
		return nil, err
	}
	if err := s.check(); err != nil {
		return nil, fmt.Errorf("motion: %s: %w", s.Name, err)
	}
	list, err := velocityCandidates(ctx, s)
	if err != nil {
		return nil, err
	}
	if pool == WidePool && s.Motions > 1 {
		more, err := widerCandidates(ctx, s)
		if err != nil {
			return nil, err
		}
		list = append(list, more...)
	}
	return distinct(list), nil
}

// distinct numbers motions in the order in which they appear, and merges equal segmentations.
func distinct(list []Candidate) []Candidate {
	var out []Candidate
	place := map[string]int{}
	for _, c := range list {
		c.Labels = c.Labels.canonical()
		key := make([]byte, len(c.Labels))
		for i, l := range c.Labels {
			key[i] = byte(l) // labels are below MaxMotions
		}
		at, seen := place[string(key)]
		if !seen {
			at = len(out)
			place[string(key)] = at
			out = append(out, Candidate{Labels: c.Labels})
		}
		out[at].Origins = append(out[at].Origins, c.Origins...)
	}
	return out
}

// velocityCandidates is velocity clustering: spectral clustering by angle of the projected
// velocities, in every dimension from 2K to 4K, as far as they exist.
func velocityCandidates(ctx context.Context, s *Sequence) ([]Candidate, error) {
	p := project(s.velocities(), 4*s.Motions)
	var list []Candidate
	// Velocities of lower rank are clustered once, without projection.
	for d := min(2*s.Motions, p.rank()); d <= p.rank(); d++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		list = append(list, by(fmt.Sprintf("%s%d", VC, d), spectral(angular(p.to(d), alpha), s.Motions)))
	}
	return list, nil
}

package motion

import (
	"context"
	"fmt"
)

// Pool says which candidate segmentations there are to choose from.
type Pool string

const (
	// PaperPool is the paper's: velocity clustering in 2K to 4K dimensions.
	PaperPool Pool = "paper"
	// WidePool adds other methods to it.
	WidePool Pool = "wide"
)

// Validate says whether there is such a pool.
func (p Pool) Validate() error {
	if p != PaperPool && p != WidePool {
		return fmt.Errorf("unknown pool %q: it must be %s or %s", p, PaperPool, WidePool)
	}
	return nil
}

// halves says whether models for the pool learn from halves of sequences too.
// In the wide pool there are mistakes of many kinds to learn from without them,
// and little is left to win at several times the cost.
func (p Pool) halves() bool { return p == PaperPool }

// Candidate is a segmentation, and the methods that came to it.
type Candidate struct {
	Labels  Labels
	Origins []string
}

// by returns a segmentation that a method made.
func by(method string, labels Labels) Candidate {
	return Candidate{Labels: labels, Origins: []string{method}}
}

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

// distinct names motions in the order in which they appear and unites
// segmentations that are equal.
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

// alpha of eq. (angular-measure).
const alpha = 2

// velocityCandidates is velocity clustering: spectral clustering by angle of
// the projected velocities, for every dimension from 2K to 4K that there is.
func velocityCandidates(ctx context.Context, s *Sequence) ([]Candidate, error) {
	p := project(s.velocities(), 4*s.Motions)
	var list []Candidate
	// Velocities of lower rank are clustered once, as they are.
	for d := min(2*s.Motions, p.rank()); d <= p.rank(); d++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		list = append(list, by(fmt.Sprintf("%s%d", VC, d), spectral(angular(p.to(d), alpha), s.Motions)))
	}
	return list, nil
}

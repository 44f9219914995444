package search

import (
	"context"
	"math"
	"slices"

	"fsa/data"
	"fsa/internal/parallel"
	"fsa/internal/tuning"
)

// screen returns the pairs of variables that explain what a fit leaves over, ascending, each in the form that is more
// significant: as a product, or as a surface with at most the given number of knots per number (0: products only).
// It tests all pairs and then adds the best ones one by one. Each must be significant given its two
// variables, their squares and the pairs before it, at a level that is divided by the number of all
// pairs (Bonferroni). Adding pairs ends when a look at all pairs finds no other.
func (s *Sample) screen(ctx context.Context, fit *Fit, most, knots int) ([]data.PairTerm, error) {
	t, err := newPairTest(s, fit, knots)
	if err != nil {
		return nil, err
	}
	var found []data.PairTerm
	for more := true; more && len(found) < most; {
		list, err := t.candidates(ctx, candidatesPerPair*most)
		if err != nil {
			return nil, err
		}
		list = slices.DeleteFunc(list, func(c candidate) bool {
			return slices.ContainsFunc(found, func(p data.PairTerm) bool { return p.Interaction == c.pair })
		})
		before := len(found)
		if found, err = t.addBest(ctx, list, found, most); err != nil {
			return nil, err
		}
		more = len(found) > before
	}
	slices.SortFunc(found, func(a, b data.PairTerm) int { return slices.Compare(a.Interaction[:], b.Interaction[:]) })
	return found, nil
}

// addBest adds the most significant of some pairs, one by one, until there are enough or no other is significant. A pair is
// tested again only if it was the most significant one before the last pair was added.
func (t *pairTest) addBest(ctx context.Context, list []candidate, found []data.PairTerm, most int) ([]data.PairTerm, error) {
	queue := make([]*tested, len(list))
	if err := parallel.Do(ctx, t.Threads, len(list), func(_, k int) (err error) {
		queue[k], err = t.test(ctx, list[k])
		return err
	}); err != nil {
		return nil, err
	}
	for len(queue) > 0 && len(found) < most {
		slices.SortFunc(queue, (*tested).compare)
		best := queue[0]
		switch {
		case best.logP+math.Log(t.count()) >= math.Log(tuning.PairLevel):
			return found, nil
		case best.given < len(t.added):
			var err error
			if queue[0], err = t.test(ctx, best.candidate); err != nil {
				return nil, err
			}
		default:
			t.add(best.columns)
			found, queue = append(found, data.PairTerm{Interaction: best.pair, Shapes: best.shapes}), queue[1:]
		}
	}
	return found, nil
}

package search

import (
	"cmp"
	"context"
	"slices"

	"fsa/internal/tuning"
)

// NearSet is a selection of groups, ascending, and the mean loss of its fit.
type NearSet struct {
	Groups []int
	Loss   float64
}

// Near returns the selections with as many groups as a fit whose loss is at most the given share above the lowest one, the
// best first. They are found by swaps of one group, from the fit and then from every selection that is found, also through
// selections that are up to [tuning.NearDetour] times as far from the lowest loss. The groups that may be swapped in are
// those of [Sample.Replacements]. Complete is false if the search ended at the limit of fits.
func (s *Sample) Near(ctx context.Context, f *Fit, margin float64) (sets []NearSet, complete bool, err error) {
	pool := slices.Clone(f.Groups)
	for i := range f.Groups {
		more, err := s.Replacements(ctx, f, i, tuning.SwapPool)
		if err != nil {
			return nil, false, err
		}
		pool = append(pool, more...)
	}
	slices.Sort(pool)
	pool = slices.Compact(pool)
	subsets, err := s.Subsets(ctx, pool, f.Ridge, f.Adaptive)
	if err != nil {
		return nil, false, err
	}
	n := nearSearch{subsets: subsets, pool: pool, seen: map[string]bool{}, fits: tuning.NearFits}
	if err := n.try(ctx, slices.Sorted(slices.Values(f.Groups))); err != nil {
		return nil, false, err
	}
	complete = true
	for at := 0; at < len(n.found); at++ {
		if n.found[at].Loss > n.limit(margin*tuning.NearDetour) {
			continue
		}
		if n.fits <= 0 {
			complete = false
			break
		}
		if err := n.swaps(ctx, n.found[at].Groups); err != nil {
			return nil, false, err
		}
	}
	for _, set := range n.found {
		if set.Loss <= n.limit(margin) {
			sets = append(sets, set)
		}
	}
	slices.SortStableFunc(sets, func(a, b NearSet) int { return cmp.Or(cmp.Compare(a.Loss, b.Loss), slices.Compare(a.Groups, b.Groups)) })
	return sets, complete, nil
}

// nearSearch holds the selections that were fitted so far.
type nearSearch struct {
	subsets *Subsets
	pool    []int
	seen    map[string]bool
	found   []NearSet
	best    float64
	fits    int // that may still be made
}

// limit returns the loss that is a share above the lowest one.
func (n *nearSearch) limit(share float64) float64 { return n.best * (1 + share) }

// try fits a selection, unless it was fitted before.
func (n *nearSearch) try(ctx context.Context, groups []int) error {
	key := keyOf(groups)
	if n.seen[key] {
		return nil
	}
	n.seen[key] = true
	n.fits--
	loss, _, err := n.subsets.lossOf(ctx, groups)
	if err != nil {
		return err
	}
	if n.found = append(n.found, NearSet{groups, loss}); len(n.found) == 1 || loss < n.best {
		n.best = loss
	}
	return nil
}

// swaps tries all swaps of a selection.
func (n *nearSearch) swaps(ctx context.Context, groups []int) error {
	for i := range groups {
		for _, g := range n.pool {
			if slices.Contains(groups, g) {
				continue
			}
			next := slices.Clone(groups)
			next[i] = g
			slices.Sort(next)
			if err := n.try(ctx, next); err != nil {
				return err
			}
		}
	}
	return nil
}

// keyOf returns a text that no other selection has.
func keyOf(groups []int) string {
	var key []byte
	for _, g := range groups {
		key = append(key, byte(g), byte(g>>8), byte(g>>16), byte(g>>24))
	}
	return string(key)
}

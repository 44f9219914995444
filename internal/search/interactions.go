package search

import (
	"context"
	"slices"

	"fsa/internal/objective"
)

// Interactions says which pairs of variables a selection may add to them. The zero value adds none.
type Interactions struct {
	// Most is the largest number of pairs.
	Most int
	// Heredity says which variables of a pair must be selected with it.
	Heredity Heredity
}

// Heredity says which variables of a pair must be selected with it.
type Heredity string

// The kinds of heredity: both variables, at least one, or none.
const (
	Strong Heredity = "strong"
	Weak   Heredity = "weak"
	Free   Heredity = "none"
)

// paired returns the sample with the pairs that a selection may select: those that the score test
// finds in what the additive model of the same selection leaves over.
func (r *Runner) paired(ctx context.Context, by Selection) (*Sample, error) {
	if s := r.pairs[by]; s != nil {
		return s, nil
	}
	plain := by
	plain.Interactions = Interactions{}
	largest := slices.Max(r.sizes)
	most := min(largest, r.Groups.Count())
	from := NewRunner(r.Sample, r.sizes)
	from.Only = most
	defer from.Close()
	additive, err := from.Run(ctx, Recipe{Select: plain, Ridge: by.Ridge}, most)
	if err != nil {
		return nil, err
	}
	found, err := r.screen(ctx, additive, min(by.Interactions.Most, largest))
	if err != nil {
		return nil, err
	}
	s := r.Sample
	if len(found) > 0 {
		if s, err = r.WithInteractions(ctx, found); err != nil {
			return nil, err
		}
		s.setParents(by.Interactions.Heredity)
	}
	r.pairs[by] = s
	return s, nil
}

// setParents sets the variables that a pair needs.
func (s *Sample) setParents(h Heredity) {
	if s.heredity = h; h == Free {
		return
	}
	d := s.Design
	of := map[int]int{} // group of each column of the dataset
	for g := range s.Groups.Count() {
		for _, v := range s.Groups.Of(g) {
			if d.Product(v) == nil {
				of[d.Variables[v]] = g
			}
		}
	}
	s.parents = map[int][2]int{}
	for g := range s.Groups.Count() {
		if p := d.Product(s.Groups.Of(g)[0]); p != nil {
			s.parents[g] = [2]int{of[p.Interaction[0]], of[p.Interaction[1]]}
		}
	}
}

// raise raises the strengths of groups, which are ascending, so that a pair is not stronger than the
// variables that it needs: both with strong heredity, and the stronger one with weak heredity. If the
// weakest groups are dropped, and of equal ones the last, every pair then keeps them.
func (s *Sample) raise(strength []float64, groups []int) {
	for i, g := range groups {
		parents, pair := s.parents[g]
		if !pair {
			continue
		}
		a, hasA := slices.BinarySearch(groups, parents[0])
		b, hasB := slices.BinarySearch(groups, parents[1])
		if s.heredity == Weak && hasA && hasB {
			hasA = strength[a] >= strength[b]
			hasB = !hasA
		}
		if hasA {
			strength[a] = max(strength[a], strength[i])
		}
		if hasB {
			strength[b] = max(strength[b], strength[i])
		}
	}
}

// addProducts adds the interactions of the design to the groups: each is a group.
func (s *Sample) addProducts() {
	d := s.Design
	first, count := d.Products()
	if count == 0 {
		return
	}
	groups := objective.Lists()
	for g := range s.Groups.Count() {
		groups.Add(s.Groups.Of(g)...)
	}
	var own []int
	for v := first; v < first+count; v++ {
		p := d.Product(v)
		if p.SD > 0 {
			own = append(own, v)
		}
		if (v+1 == first+count || d.Product(v+1).Interaction != p.Interaction) && own != nil {
			groups.Add(own...)
			own = nil
		}
	}
	s.Groups = groups
}

package search

import (
	"slices"

	"fsa/internal/objective"
)

// setParents sets the variables that a pair needs.
func (s *Sample) setParents(h Heredity) {
	if s.heredity = h; h == Apart {
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

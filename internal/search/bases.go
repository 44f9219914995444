package search

import "fsa/internal/objective"

// bases returns the bases of all shape functions among the columns of the given groups.
func (s *Sample) bases(groups []int, ob *objective.Objective) []curveBasis {
	d := s.Design
	if d.Bins == 0 {
		return nil
	}
	var list []curveBasis
	at := 0
	for _, g := range groups {
		for _, v := range s.Groups.Of(g) {
			lo, hi := ob.First(v)
			if v < d.Numbers && d.Product(v) == nil {
				knots := d.KnotsOf(v)
				list = append(list, newCurveBasis(at, knots, d.Mean[lo:lo+len(knots)]))
			}
			at += hi - lo
		}
	}
	return list
}

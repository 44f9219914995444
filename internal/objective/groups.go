package objective

import "slices"

// Groups is a list of groups of variables. The variables of group j are vars[first[j]:first[j+1]], or
// vars[j] if first is nil. Complete groups never change, so lists of millions can be shared.
type Groups struct{ first, vars []int }

// Single returns groups of one variable each.
func Single(vars []int) Groups { return Groups{vars: vars} }

// Lists returns an empty list of groups, to which groups of any size can be added.
func Lists() Groups { return Groups{first: []int{0}} }

// Add appends a group. A group added to [Single] groups must have one variable.
func (g *Groups) Add(vars ...int) {
	g.vars = append(g.vars, vars...)
	if g.first != nil {
		g.first = append(g.first, len(g.vars))
	}
}

// Count returns the number of groups.
func (g Groups) Count() int {
	if g.first == nil {
		return len(g.vars)
	}
	return len(g.first) - 1
}

// Variables returns the number of variables in all groups.
func (g Groups) Variables() int { return len(g.vars) }

// Of returns the variables of group j.
func (g Groups) Of(j int) []int {
	if g.first == nil {
		return g.vars[j : j+1]
	}
	return g.vars[g.first[j]:g.first[j+1]]
}

// Pick returns the given groups alone.
func (g Groups) Pick(list []int) Groups {
	to := Groups{vars: make([]int, 0, len(list))}
	if g.first != nil {
		to.first = append(make([]int, 0, len(list)+1), 0)
	}
	for _, j := range list {
		to.Add(g.Of(j)...)
	}
	return to
}

// single reports whether every group has one variable.
func (g Groups) single() bool {
	for j, at := range g.first {
		if at != j {
			return false
		}
	}
	return true
}

func (g Groups) clone() Groups { return Groups{first: g.first, vars: slices.Clone(g.vars)} }

package fsa

import (
	"math"
	"slices"

	"fsa/data"
)

// groups are variables of a design that are kept or dropped together: those of
// group j are vars[first[j]:first[j+1]], or the one at j where first is nil. Once
// complete they are not changed any more, and lists of millions are shared.
type groups struct{ first, vars []int }

// add appends a group, of one variable where first is nil.
func (g *groups) add(vars ...int) {
	g.vars = append(g.vars, vars...)
	if g.first != nil {
		g.first = append(g.first, len(g.vars))
	}
}

// count returns the number of groups.
func (g groups) count() int {
	if g.first == nil {
		return len(g.vars)
	}
	return len(g.first) - 1
}

// of returns the variables of group j.
func (g groups) of(j int) []int {
	if g.first == nil {
		return g.vars[j : j+1]
	}
	return g.vars[g.first[j]:g.first[j+1]]
}

// weight returns what the strength of group j is multiplied by: the root mean square
// of what that of its variables is.
func (g groups) weight(d *data.Design, j int) float64 {
	vars := g.of(j)
	if len(vars) == 1 {
		return d.Weight(vars[0])
	}
	var sum float64
	for _, v := range vars {
		sum += d.Weight(v) * d.Weight(v)
	}
	return math.Sqrt(sum / float64(len(vars)))
}

// pick returns the given groups alone.
func (g groups) pick(list []int) groups {
	to := groups{vars: make([]int, 0, len(list))}
	if g.first != nil {
		to.first = append(make([]int, 0, len(list)+1), 0)
	}
	for _, j := range list {
		to.add(g.of(j)...)
	}
	return to
}

// groupVariables returns the groups as variables of the design, and which of
// them must stay. Variables that do not vary belong to none.
func groupVariables(d *data.Dataset, design *data.Design, o *Options) (all groups, force []int, err error) {
	if len(o.Groups) == 0 && len(o.Force) == 0 {
		return groups{vars: design.Usable}, nil, nil
	}
	place := slices.Repeat([]int{-1}, len(d.Columns)) // usable variable of the design, or −1
	for _, v := range design.Usable {
		place[design.Variables[v]] = v
	}
	group := slices.Repeat([]int{-1}, len(design.Variables)) // group of each variable
	// find returns the usable variable of the design that a name stands for, or −1.
	find := func(name, where string) (int, error) {
		j := d.Lookup(name)
		if d.Empty(name) {
			return -1, nil
		}
		if j < 0 {
			return -1, optionError("there is no variable %q, which %s, in %s", name, where, d.Name)
		}
		return place[j], nil
	}
	all.first = []int{0}
	for _, names := range o.Groups {
		var members []int
		for _, name := range names {
			v, err := find(name, "a group lists")
			if err != nil {
				return groups{}, nil, err
			}
			if v < 0 {
				continue
			}
			if group[v] >= 0 {
				return groups{}, nil, optionError("variable %q is listed twice in the groups", name)
			}
			group[v] = all.count()
			members = append(members, v)
		}
		if len(members) > 0 {
			all.add(members...)
		}
	}
	for _, v := range design.Usable {
		if group[v] < 0 {
			group[v] = all.count()
			all.add(v)
		}
	}
	must := map[int]bool{}
	for _, name := range o.Force {
		v, err := find(name, "is to be forced")
		if err != nil {
			return groups{}, nil, err
		}
		if v < 0 {
			return groups{}, nil, optionError("variable %q cannot be forced: it takes one value only", name)
		}
		if !must[group[v]] {
			must[group[v]] = true
			force = append(force, group[v])
		}
	}
	if len(force) > o.K {
		return groups{}, nil, optionError("%d variables are forced, but k = %d", len(force), o.K)
	}
	if len(o.Groups) > 0 && o.K > all.count() {
		return groups{}, nil, optionError("k = %d, but there are %d groups", o.K, all.count())
	}
	return all, force, nil
}

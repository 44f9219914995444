package fsa

import (
	"math"
	"slices"

	"fsa/data"
	"fsa/internal/objective"
)

// groupWeight returns what the strength of group j is multiplied by: the root mean square
// of what that of its variables is.
func groupWeight(g objective.Groups, d *data.Design, j int) float64 {
	vars := g.Of(j)
	if len(vars) == 1 {
		return d.Weight(vars[0])
	}
	var sum float64
	for _, v := range vars {
		sum += d.Weight(v) * d.Weight(v)
	}
	return math.Sqrt(sum / float64(len(vars)))
}

// groupVariables returns the groups as variables of the design, and which of
// them must stay. Variables that do not vary belong to none.
func groupVariables(d *data.Dataset, design *data.Design, o *Options) (all objective.Groups, force []int, err error) {
	if len(o.Groups) == 0 && len(o.Force) == 0 && !d.HasParts() {
		return objective.Single(design.Usable), nil, nil
	}
	place := slices.Repeat([]int{-1}, len(d.Columns)) // usable variable of the design, or −1
	for _, v := range design.Usable {
		place[design.Variables[v]] = v
	}
	group := slices.Repeat([]int{-1}, len(design.Variables)) // group of each variable
	parts := d.Parts()
	// together returns a variable and the parts of its column.
	together := func(v int) []int {
		all := []int{v}
		for _, j := range parts[d.Columns[design.Variables[v]].Index] {
			if part := place[j]; part >= 0 && part != v {
				all = append(all, part)
			}
		}
		return all
	}
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
	all = objective.Lists()
	for _, names := range o.Groups {
		var members []int
		for _, name := range names {
			v, err := find(name, "a group lists")
			if err != nil {
				return objective.Groups{}, nil, err
			}
			if v < 0 {
				continue
			}
			if group[v] >= 0 {
				return objective.Groups{}, nil, optionError("variable %q is listed twice in the groups", name)
			}
			for _, part := range together(v) {
				group[part] = all.Count()
				members = append(members, part)
			}
		}
		if len(members) > 0 {
			all.Add(members...)
		}
	}
	for _, v := range design.Usable {
		if group[v] >= 0 {
			continue
		}
		members := together(v)
		for _, part := range members {
			group[part] = all.Count()
		}
		all.Add(members...)
	}
	must := map[int]bool{}
	for _, name := range o.Force {
		v, err := find(name, "is to be forced")
		if err != nil {
			return objective.Groups{}, nil, err
		}
		if v < 0 {
			return objective.Groups{}, nil, optionError("variable %q cannot be forced: it takes one value only", name)
		}
		if !must[group[v]] {
			must[group[v]] = true
			force = append(force, group[v])
		}
	}
	if o.K != Auto && len(force) > o.K {
		return objective.Groups{}, nil, optionError("%d variables are forced, but k = %d", len(force), o.K)
	}
	if len(o.Groups) > 0 && o.K > all.Count() {
		return objective.Groups{}, nil, optionError("k = %d, but there are %d groups", o.K, all.Count())
	}
	return all, force, nil
}

package search

import (
	"fmt"
	"slices"

	"fsa/data"
	"fsa/internal/objective"
)

// SetGroups sets the groups in which the variables of a dataset are selected. The variables that one
// list names form a group, and every other variable is a group of its own. Constant variables belong
// to no group. Every interaction of the design is a group. force names variables that must be selected. Errors name the wrong entry of the lists.
func (s *Sample) SetGroups(d *data.Dataset, groups [][]string, force []string) (err error) {
	if s.Groups, s.Force, err = groupVariables(d, s.Design, groups, force); err != nil {
		return err
	}
	s.addProducts()
	s.setPrices(d)
	return s.setQuotas(d)
}

func groupVariables(d *data.Dataset, design *data.Design, lists [][]string, forced []string) (all objective.Groups, force []int, err error) {
	if len(lists) == 0 && len(forced) == 0 && !d.HasParts() {
		return objective.Single(design.Usable), nil, nil
	}
	place := slices.Repeat([]int{-1}, len(d.Columns)) // usable variable of the design of each column, or −1
	for _, v := range design.Usable {
		place[design.Variables[v]] = v
	}
	group := slices.Repeat([]int{-1}, len(design.Variables)) // group of each variable
	parts := d.Parts()
	// together returns the variable v and the other variables of the same column, such as parts of a date.
	together := func(v int) []int {
		all := []int{v}
		for _, j := range parts[d.Columns[design.Variables[v]].Index] {
			if part := place[j]; part >= 0 && part != v {
				all = append(all, part)
			}
		}
		return all
	}
	// find returns the usable variable of the design with a name, or −1 if it is constant.
	find := func(name, where string) (int, error) {
		j := d.Lookup(name)
		if d.Empty(name) {
			return -1, nil
		}
		if j < 0 {
			return -1, fmt.Errorf("there is no variable %q, which %s, in %s", name, where, d.Name)
		}
		return place[j], nil
	}
	all = objective.Lists()
	for _, names := range lists {
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
				return objective.Groups{}, nil, fmt.Errorf("variable %q is listed twice in the groups", name)
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
	for _, name := range forced {
		v, err := find(name, "must be selected")
		if err != nil {
			return objective.Groups{}, nil, err
		}
		if v < 0 {
			return objective.Groups{}, nil, fmt.Errorf("variable %q cannot be forced: it takes one value only", name)
		}
		if !must[group[v]] {
			must[group[v]] = true
			force = append(force, group[v])
		}
	}
	return all, force, nil
}

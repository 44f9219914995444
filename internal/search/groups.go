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

// grouping sorts the variables of a dataset into groups.
type grouping struct {
	*data.Dataset
	design *data.Design
	parts  map[int][]int // columns of the dataset that are parts of one column of the table, such as of a date
	place  []int         // usable variable of the design of each column, or −1
	group  []int         // group of each variable, or −1
	groups objective.Groups
}

// groupVariables returns the groups, and those that must be selected.
func groupVariables(d *data.Dataset, design *data.Design, lists [][]string, forced []string) (groups objective.Groups, force []int, err error) {
	if len(lists) == 0 && len(forced) == 0 && !d.HasParts() {
		return objective.Single(design.Usable), nil, nil
	}
	of := grouping{Dataset: d, design: design, parts: d.Parts(), groups: objective.Lists()}
	of.place, of.group = slices.Repeat([]int{-1}, len(d.Columns)), slices.Repeat([]int{-1}, len(design.Variables))
	for _, v := range design.Usable {
		of.place[design.Variables[v]] = v
	}
	for _, names := range lists {
		if err := of.list(names); err != nil {
			return objective.Groups{}, nil, err
		}
	}
	for _, v := range design.Usable {
		if of.group[v] < 0 {
			of.groups.Add(of.join(v)...)
		}
	}
	force, err = of.force(forced)
	return of.groups, force, err
}

// find returns the usable variable of the design with a name, or −1 if it is constant.
func (of *grouping) find(name, where string) (int, error) {
	if of.Empty(name) {
		return -1, nil
	}
	j := of.Lookup(name)
	if j < 0 {
		return -1, fmt.Errorf("there is no variable %q, which %s, in %s", name, where, of.Name)
	}
	return of.place[j], nil
}

// join puts the variable v and the other variables of the same column into the next group, and returns them.
func (of *grouping) join(v int) []int {
	members := []int{v}
	for _, j := range of.parts[of.Columns[of.design.Variables[v]].Index] {
		if part := of.place[j]; part >= 0 && part != v {
			members = append(members, part)
		}
	}
	for _, part := range members {
		of.group[part] = of.groups.Count()
	}
	return members
}

// list adds the group of the variables that a list names.
func (of *grouping) list(names []string) error {
	var members []int
	for _, name := range names {
		v, err := of.find(name, "a group lists")
		switch {
		case err != nil:
			return err
		case v < 0:
		case of.group[v] >= 0:
			return fmt.Errorf("variable %q is listed twice in the groups", name)
		default:
			members = append(members, of.join(v)...)
		}
	}
	if len(members) > 0 {
		of.groups.Add(members...)
	}
	return nil
}

// force returns the groups of the variables that must be selected.
func (of *grouping) force(names []string) (force []int, err error) {
	for _, name := range names {
		v, err := of.find(name, "must be selected")
		switch {
		case err != nil:
			return nil, err
		case v < 0:
			return nil, fmt.Errorf("variable %q cannot be forced: it takes one value only", name)
		case !slices.Contains(force, of.group[v]):
			force = append(force, of.group[v])
		}
	}
	return force, nil
}

package part

import (
	"slices"

	"fsa/data"
)

// Together stores the columns of each group side by side, and groups before all others, so that no process has a part of
// one. Columns are named as those of a dataset are. What names nothing is left to others to refuse.
func (t *Table) Together(groups [][]string) {
	if len(groups) == 0 {
		return
	}
	taken := make([]bool, t.Width())
	var sizes []int
	for _, names := range groups {
		before := len(t.order)
		for _, name := range names {
			if v := t.find(name); v >= 0 && !taken[v] {
				taken[v] = true
				t.order = append(t.order, v)
			}
		}
		sizes = append(sizes, len(t.order)-before)
	}
	for v := range taken {
		if !taken[v] {
			t.order = append(t.order, v)
		}
	}
	t.cut = t.cut.Together(sizes)
}

// find returns the variable of a name, or number counted from 0, or −1.
func (t *Table) find(name string) int {
	if t.sparse != nil {
		v, found := slices.BinarySearch(t.place, t.sparse.schema.FindColumn(name))
		if !found {
			return -1
		}
		return v
	}
	return t.schema().FindColumn(name)
}

// schema describes the variables of a dense table.
func (t *Table) schema() *data.Schema {
	s := &data.Schema{Width: t.Width(), Names: t.Columns}
	if t.nameless {
		s.Names = nil
	}
	return s
}

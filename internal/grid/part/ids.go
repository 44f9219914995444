package part

import (
	"math"
	"slices"

	"fsa/data"
	"fsa/data/kind"
)

// mayNumberRows reports whether a variable has a name like an identifier's and was not asked for.
func (t *Table) mayNumberRows(v int) bool {
	return t.held == 0 && t.sparse == nil && !t.nameless && t.kindOf(v).Kind == kind.Number && data.CalledID(t.Columns[v]) && !t.used(v)
}

// used reports whether a variable was asked for.
func (t *Table) used(v int) bool {
	return slices.ContainsFunc(t.use, func(name string) bool { return t.find(name) == v })
}

// addNumbers takes the numbers of a row.
func (p *own) addNumbers(cells []float64) {
	for _, id := range p.ids {
		if v := cells[p.place[p.numbers[id.place]]]; !id.whole || v != math.Trunc(v) {
			id.whole, id.values = false, nil
		} else {
			id.values = append(id.values, v)
		}
	}
}

// findIDs leaves out columns whose numbers are different in all rows.
func (t *Table) findIDs(all []summary, to *data.StoredTable) {
	values := map[int][]float64{}
	for _, part := range all {
		for _, id := range part.IDs {
			values[id.Place] = append(values[id.Place], id.numbers()...)
		}
	}
	for place, list := range values {
		if slices.Sort(list); len(list) == t.Rows && len(slices.Compact(list)) == t.Rows {
			to.Columns[place].Left = data.RowNumbers(t.Rows)
		}
	}
}

package data

import (
	"cmp"
	"slices"
)

// Only the columns of a sparse table that occur are stored: a table with a hundred million possible
// columns has only a few of them. While rows are added, columns are numbered in order of first
// appearance and looked up by their index.

// ordinary marks a column whose numbers are stored in units of one, as nearly all are, so that its
// power need not be looked up. Column numbers are always smaller.
const ordinary = 1 << 31

// occurring returns a pointer to the number of column j, which is one more than its index in found.
// A new column is added to found.
func (b *Builder) occurring(j uint32) *uint32 {
	number := b.places.find(j)
	if number == nil {
		number = b.places.at(j)
	}
	if *number == 0 {
		b.found, b.powers = append(b.found, j), append(b.powers, 0)
		*number = uint32(len(b.found))
	}
	return number
}

// sortColumns sorts the columns of a sparse table in the order of the input.
func (b *Builder) sortColumns() {
	b.places = nil
	b.sparse.Trim()
	order := make([]uint32, len(b.found))
	for k := range order {
		order[k] = uint32(k)
	}
	slices.SortFunc(order, func(x, y uint32) int { return cmp.Compare(b.found[x], b.found[y]) })
	b.columns = make([]Column, len(b.found))
	to := make([]uint32, len(b.found))
	for k, from := range order {
		b.columns[k] = Column{Index: int(b.found[from]), power: b.powers[from]}
		to[from] = uint32(k)
	}
	b.found, b.powers = nil, nil
	b.sparse.Renumber(to)
}

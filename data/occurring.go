package data

import (
	"cmp"
	"slices"
)

// Of a sparse table only columns that occur are kept: a table of a hundred
// million possible columns has a few of them. While rows come in, columns are
// numbered by first appearance, and found again by the number of each.

// ordinary marks the number of a column whose numbers are stored in units of one,
// as nearly all are: its power need not be looked up. Columns are fewer.
const ordinary = 1 << 31

// occurring returns where the number of column j is kept, one more than its
// position in found. It is added there if it is new.
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

// sortColumns brings the columns of a sparse table into the order of the input.
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

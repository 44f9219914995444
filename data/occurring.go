package data

import (
	"cmp"
	"slices"
)

// Of a sparse table only columns that occur are kept: a table of a hundred
// million possible columns has a few of them. While rows come in, columns are
// numbered by first appearance; pages of numbers find them again.

const (
	pageBits = 14
	pageSize = 1 << pageBits
)

// occurring returns the position of column j in columns, where it is added if
// it is new.
func (b *Builder) occurring(j uint32) uint32 {
	page := int(j >> pageBits)
	if page >= len(b.pages) {
		b.pages = append(b.pages, make([][]uint32, page+1-len(b.pages))...)
	}
	if b.pages[page] == nil {
		b.pages[page] = make([]uint32, pageSize)
	}
	at := &b.pages[page][j&(pageSize-1)]
	if *at == 0 {
		b.columns = append(b.columns, Column{Index: int(j)})
		*at = uint32(len(b.columns)) // one more than its position
	}
	return *at - 1
}

// sortColumns brings the columns of a sparse table into the order of the input.
func (b *Builder) sortColumns() {
	b.pages = nil
	b.sparse.cols = len(b.columns)
	b.sparse.trim()
	for k := range b.columns {
		b.columns[k].place = k
	}
	slices.SortFunc(b.columns, func(a, c Column) int { return cmp.Compare(a.Index, c.Index) })
	to := make([]uint32, len(b.columns))
	for k := range b.columns {
		to[b.columns[k].place] = uint32(k)
		b.columns[k].place = k
	}
	for _, c := range b.sparse.chunks {
		for p, j := range c.index {
			c.index[p] = to[j]
		}
	}
}

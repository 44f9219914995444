package data

import "slices"

// numberTable holds a number for each column of a wide table, mostly zero, in pages. If columns
// with a number are close together, a page has space for all its columns and lookup is immediate.
// If they are scattered, for example by hashing, the page lists them, and a column takes little
// more memory than its number.
type numberTable []numberPage

type numberPage struct {
	numbers []uint32 // for all columns of the page, or only for the listed ones
	columns []uint16 // the listed columns, ascending
}

const (
	pageBits = 14
	pageSize = 1 << pageBits
	mostFew  = pageSize / 64 // maximal number of listed columns; with more, a whole page takes at most 256 bytes per column
)

// find returns a pointer to the number of column j if its page is whole, and nil otherwise. It is
// short enough to be inlined.
func (t numberTable) find(j uint32) *uint32 {
	if at := int(j >> pageBits); at < len(t) {
		if page := t[at].numbers; len(page) == pageSize {
			return &page[j%pageSize]
		}
	}
	return nil
}

// at returns a pointer to the number of column j, which is valid until the next call.
func (t *numberTable) at(j uint32) *uint32 {
	if number := t.find(j); number != nil {
		return number
	}
	at, column := int(j>>pageBits), uint16(j%pageSize)
	if at >= len(*t) {
		*t = append(*t, make(numberTable, at+1-len(*t))...)
	}
	p := &(*t)[at]
	i, ok := slices.BinarySearch(p.columns, column)
	if ok {
		return &p.numbers[i]
	}
	if len(p.columns) < mostFew {
		p.columns, p.numbers = slices.Insert(p.columns, i, column), slices.Insert(p.numbers, i, 0)
		return &p.numbers[i]
	}
	all := make([]uint32, pageSize)
	for i, c := range p.columns {
		all[c] = p.numbers[i]
	}
	*p = numberPage{numbers: all}
	return &all[column]
}

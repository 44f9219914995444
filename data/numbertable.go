package data

import "slices"

// numberTable holds a number for each column of a wide table of which few occur,
// zero for the others, in pages. Where columns that occur stand together a page has
// room for all that it might have, so that they are found at once. Where they are
// scattered, by a hash say, it lists those that it has, and a column costs little
// more than its number.
type numberTable []numberPage

type numberPage struct {
	numbers []uint32 // of all columns of the page, or of some
	columns []uint16 // these, ascending
}

const (
	pageBits = 14
	pageSize = 1 << pageBits
	mostFew  = pageSize / 64 // columns that are listed; for each of more, a whole page takes 256 bytes at most
)

// find returns where the number of column j is kept if it is in a whole page, else
// nil. It is short enough to be inlined.
func (t numberTable) find(j uint32) *uint32 {
	if at := int(j >> pageBits); at < len(t) {
		if page := t[at].numbers; len(page) == pageSize {
			return &page[j%pageSize]
		}
	}
	return nil
}

// at returns where the number of column j is kept until the next call.
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

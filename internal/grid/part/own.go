package part

import (
	"math"
	"slices"
)

// own is the part of a dense table that a process holds: some of its rows and columns.
type own struct {
	*Table
	fromRow, toRow int
	from, to       int       // range of indices among the numbers
	low, high      []float64 // range of each of these numbers
	firstText      int       // index of the first text
	texts          []*codes  // the texts from there on
	ids            []*rowNumbers
}

// columns returns the variables of which the part has at least a piece.
func (p *own) columns() []int {
	all := slices.Clone(p.numbers[p.from:p.to])
	for _, c := range p.texts {
		all = append(all, c.variable)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// sideBySide reports whether some variables are next to each other where they are read.
func (p *own) sideBySide(variables []int) bool {
	for k, v := range variables {
		if p.place[v] != p.place[variables[0]]+k {
			return false
		}
	}
	return true
}

// widen rounds the numbers of a row to float32, and widens the range of each column to include
// them. It returns the index of an infinite number, or −1.
func (p *own) widen(row []float32, cells []float64) int {
	low, high, row := p.low[:len(cells)], p.high[:len(cells)], row[:len(cells)]
	for k, v := range cells {
		if v-v != 0 && v == v {
			return k
		}
		if v < low[k] {
			low[k] = v
		}
		if v > high[k] {
			high[k] = v
		}
		row[k] = float32(v)
	}
	return -1
}

// rowNumbers holds the numbers of a column with a name like an identifier's, in the rows of this
// process, while all are integers.
type rowNumbers struct {
	place  int // index among the numbers
	values []float64
	whole  bool
}

// codes holds the categories of a text in the rows of this process, numbered in the order of their
// appearance.
type codes struct {
	text
	rows   []uint32
	number []uint32 // of each category of the reader, or missing
	levels []string
	count  []int // rows of each category
	gone   int   // rows without a text
}

// missing is the code of a missing text until the number of texts is known.
const missing = math.MaxUint32

// add takes a category by its number in the list of the reader.
func (c *codes) add(code int, known []string) {
	for len(c.number) <= code {
		c.number = append(c.number, missing)
	}
	if c.number[code] == missing {
		c.number[code] = uint32(len(c.levels))
		c.levels, c.count = append(c.levels, known[code]), append(c.count, 0)
	}
	c.rows = append(c.rows, c.number[code])
	c.count[c.number[code]]++
}

package panel

import (
	"fmt"
	"sort"

	"fsa/data"
	"fsa/internal/matrix/paged"
)

// Occurring implements [data.Store].
func (t *Table) Occurring() []int {
	cols := make([]int, len(t.foot.columns))
	for k, c := range t.foot.columns {
		cols[k] = int(c.index)
	}
	return cols
}

// Groups implements [data.Store].
func (t *Table) Groups() []int {
	first := []int{0}
	for _, g := range t.foot.groups {
		first = append(first, first[len(first)-1]+g.rows)
	}
	return first
}

// ReadCells implements [data.Store].
func (t *Table) ReadCells(g int) (*paged.Cells, error) {
	b, err := t.readGroup(g)
	if err != nil {
		return nil, err
	}
	return &paged.Cells{Start: b.Start, Index: b.Index, Value: b.Value, Bytes: t.foot.groupSize(g)}, nil
}

// readGroup returns the rows of a group as a sparse block.
func (t *Table) readGroup(g int) (*data.Block, error) {
	info := &t.foot.groups[g]
	checks, err := t.checks(g)
	if err != nil {
		return nil, err
	}
	sizes := []int{4 * info.rows, 4 * info.cells, info.valueSize() * info.cells}
	parts := make([][]byte, len(sizes))
	at := info.offset
	for i, n := range sizes {
		parts[i] = make([]byte, n)
		if err := t.read(parts[i], at); err != nil {
			return nil, err
		}
		if checksum(parts[i]) != checks[i] {
			return nil, t.damaged(g, "the cells")
		}
		at += int64(n)
	}
	b := &data.Block{Rows: info.rows, Start: make([]int, 1, info.rows+1), Index: numbers[uint32](parts[1])}
	for _, n := range numbers[uint32](parts[0]) {
		b.Start = append(b.Start, b.Start[len(b.Start)-1]+int(n))
	}
	if b.Start[b.Rows] != info.cells {
		return nil, t.damaged(g, "the rows")
	}
	for i := range b.Rows {
		before := -1
		for _, j := range b.Index[b.Start[i]:b.Start[i+1]] {
			if int(j) <= before || int(j) >= t.foot.width {
				return nil, &data.Error{File: t.name, Msg: fmt.Sprintf("column %d follows column %d in a row of %d columns: the file is damaged; convert the table again", j, before, t.foot.width)}
			}
			before = int(j)
		}
	}
	if info.wide {
		b.Value = numbers[float64](parts[2])
		return b, t.verifyGroup(g, b)
	}
	b.Value = make([]float64, info.cells)
	for i, v := range numbers[float32](parts[2]) {
		b.Value[i] = float64(v)
	}
	return b, t.verifyGroup(g, b)
}

// readSpread sets dst to rows lo to hi−1 of some columns of a sparse table, with their zeros.
func (t *Table) readSpread(dst []float32, cols []int, lo, hi int) (int64, error) {
	clear(dst)
	place := make(map[uint32]int, len(cols))
	for k, j := range cols {
		place[uint32(j)] = k
	}
	var total int64
	first := t.Groups()
	for g := sort.SearchInts(first, lo+1) - 1; g+1 < len(first) && first[g] < hi; g++ {
		b, err := t.readGroup(g)
		if err != nil {
			return total, err
		}
		total += t.foot.groupSize(g)
		for i := max(lo, first[g]); i < min(hi, first[g+1]); i++ {
			row := dst[(i-lo)*len(cols) : (i-lo+1)*len(cols)]
			for c := b.Start[i-first[g]]; c < b.Start[i-first[g]+1]; c++ {
				if k, ok := place[b.Index[c]]; ok {
					row[k] = inUnits(b.Value[c], t.Profile(cols[k]))
				}
			}
		}
	}
	return total, nil
}

package part

import (
	"encoding/binary"
	"fmt"
	"math"

	"fsa/data"
	"fsa/data/kind"
	"fsa/internal/collective"
)

// Join makes one table of the files of all processes, of which each has the rows of its own part and no
// others: those of the first process come first. All processes call it together.
func (t *Table) Join(c collective.Comm) error {
	counts, err := collective.GatherAll(c, collective.Bytes([]int64{int64(t.Rows)}))
	if err != nil {
		return err
	}
	t.held, t.Rows = t.Rows, 0
	for p, n := range counts {
		if p == c.Rank() {
			t.first = t.Rows
		}
		t.Rows += int(binary.NativeEndian.Uint64(n))
	}
	y, err := joined(c, t.target.Y)
	if err != nil {
		return err
	}
	weight, err := joined(c, t.target.Weight)
	if err != nil {
		return err
	}
	target := *t.target
	target.Y, target.Weight = y, weight
	t.target = &target
	return t.Together(nil)
}

// Joinable refuses what [Table.Join] cannot make one table of.
func (t *Table) Joinable() error {
	if t.sparse != nil {
		return t.refuse("", "the table is sparse", "write its rows with their zeros")
	}
	for v, name := range t.Columns {
		if k := t.kindOf(v).Kind; k != kind.Number {
			return t.refuse(name, fmt.Sprintf("the column is of the kind %s", k), "leave it out, or write it as numbers")
		}
	}
	if t.target.Categories != nil {
		return &data.Error{File: t.path, Msg: "the response is a text: write its classes as numbers"}
	}
	return nil
}

// joined returns the numbers of all processes, one after another; nil if there are none.
func joined(c collective.Comm, mine []float64) ([]float64, error) {
	parts, err := collective.GatherAll(c, collective.Bytes(mine))
	if err != nil {
		return nil, err
	}
	var all []float64
	for _, part := range parts {
		for ; len(part) > 0; part = part[8:] {
			all = append(all, math.Float64frombits(binary.NativeEndian.Uint64(part)))
		}
	}
	return all, nil
}

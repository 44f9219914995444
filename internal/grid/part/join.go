package part

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"

	"fsa/data"
	"fsa/internal/collective"
)

// Join makes one table of the files of all processes, each of which has the rows of its own part
// and no others; those of the first process come first. All processes call it together.
func (t *Table) Join(c collective.Comm) error {
	heads, err := collective.GatherAll(c, t.header().Sum(nil))
	if err != nil {
		return err
	}
	for rank, head := range heads {
		if !bytes.Equal(head, heads[0]) {
			return &data.Error{File: t.path, Msg: fmt.Sprintf("the columns of process %d are not those of process 0: give all of them the same columns, in the same order", rank)}
		}
	}
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
	group, err := joined(c, t.target.Group)
	if err != nil {
		return err
	}
	target := *t.target
	target.Y, target.Weight, target.Group = y, weight, group
	t.target = &target
	return t.Together(nil)
}

// joined returns the numbers of all processes, one process after another; nil if there are none.
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

package main

import (
	"fmt"

	"fsa/data"
	"fsa/data/open"
)

// gathered holds the rows of a table that are measured at the end, which needs all of them: their
// targets, their predictions, and their intervals of CV+. Without a target, none are held.
type gathered struct {
	collector *data.Collector
	name      string
	bad       error // why the target cannot be used

	decision, low, high []float64
	ranger              *ranger

	rows   int
	memory int64 // that may be used; 0 for no limit
	perRow int64 // that they take, in bytes
	holds  bool
}

// program is roughly what the program takes besides the rows that are measured, while it predicts.
const program = 64 << 20

func newGathered(name string, s *data.Schema, roles data.Roles, memory int64, outputs int, r *ranger) *gathered {
	const growing = 2.25 // share of a list that also exists while it grows
	const sorting = 3    // numbers of a row while rows are sorted and classes are compared
	numbers := outputs + 1
	for _, used := range []bool{roles.Weight != "" || roles.WeightVector != nil, roles.Query != "" || roles.QueryVector != nil, r != nil && r.of != nil, r != nil && r.of != nil} {
		if used {
			numbers++
		}
	}
	return &gathered{
		collector: data.NewCollector(name, s, roles), name: name, ranger: r, memory: memory,
		holds: roles.Target != "" || roles.TargetVector != nil, perRow: 8 * int64(growing*float64(numbers)+float64(outputs+sorting)),
	}
}

// add takes the rows of a block.
func (g *gathered) add(b *data.Block, rows *batch) {
	if g.bad != nil {
		return
	}
	g.holds = g.holds || b.Label != nil
	if held := int64(g.rows + b.Rows); g.holds && g.memory > 0 && program+held*g.perRow > max(g.memory, program+g.memory/4) {
		g.bad = &open.MemoryError{File: g.name, Memory: g.memory, Cure: fmt.Sprintf("to evaluate the predictions of more than %d rows, allow more", g.rows)}
	} else {
		g.bad = g.collector.Add(b)
	}
	g.rows += b.Rows
	switch {
	case g.bad != nil: // the rows held so far are useless
		g.collector, g.decision, g.low, g.high = nil, nil, nil, nil
	case g.holds:
		g.decision = append(g.decision, rows.Decision...)
		if g.ranger != nil && g.ranger.of != nil {
			g.low, g.high = append(g.low, rows.ranges.low...), append(g.high, rows.ranges.high...)
		}
	}
}

// target returns the target of all rows, nil if there is none.
func (g *gathered) target() (*data.Target, error) {
	if g.bad != nil {
		return nil, g.bad
	}
	return g.collector.Target()
}

package main

import (
	"fmt"

	"fsa/data"
	"fsa/data/open"
)

// gathered holds what is needed to evaluate the predictions at the end: the targets, predictions
// and CV+ intervals of all rows. Without a target, it holds nothing.
type gathered struct {
	collector *data.Collector
	name      string
	bad       error // why the target cannot be used

	decision, low, high []float64
	ranger              *ranger

	rows   int
	memory int64 // memory that may be used; 0 for no limit
	perRow int64 // memory per row, in bytes
	holds  bool
}

// program is roughly the memory of the program while it predicts, besides the rows that are
// evaluated.
const program = 64 << 20

func newGathered(name string, s *data.Schema, roles data.Roles, memory int64, outputs int, r *ranger) *gathered {
	const growing = 2.25 // memory of a list while it grows, relative to its length
	const sorting = 3    // numbers per row while rows are sorted and classes are compared
	numbers := outputs + max(1, len(roles.Targets))
	for _, used := range []bool{roles.Weight != "" || roles.WeightVector != nil, roles.Query != "" || roles.QueryVector != nil, r != nil && r.of != nil, r != nil && r.of != nil} {
		if used {
			numbers++
		}
	}
	return &gathered{
		collector: data.NewCollector(name, s, roles), name: name, ranger: r, memory: memory,
		holds: roles.Target != "" || roles.Targets != nil || roles.TargetVector != nil, perRow: 8 * int64(growing*float64(numbers)+float64(outputs+sorting)),
	}
}

// add adds the rows of a block.
func (g *gathered) add(b *data.Block, rows *batch) {
	if g.bad != nil {
		return
	}
	g.holds = g.holds || b.Label != nil
	if held := int64(g.rows + b.Rows); g.holds && g.memory > 0 && program+held*g.perRow > max(g.memory, program+g.memory/4) {
		g.bad = &open.MemoryError{File: g.name, Memory: g.memory, Cure: fmt.Sprintf("to evaluate the predictions of more than %d rows, allow more memory", g.rows)}
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

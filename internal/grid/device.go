package grid

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sort"

	"fsa/anneal"
	"fsa/internal/objective"
	"fsa/internal/parallel"
)

var (
	_ objective.Device   = (*Matrix)(nil)
	_ objective.Together = (*Matrix)(nil)
)

// ErrUnsupported is the error of a fit that a grid does not support.
var ErrUnsupported = errors.New("grid: this cannot be fitted on a grid, only on one machine")

// Place implements [objective.Device]: an objective of this table is computed by the processes that
// hold the table.
func (m *Matrix) Place(ctx context.Context, ob *objective.Objective) (objective.Placed, error) {
	p, err := ob.Parts()
	if err != nil {
		return nil, fmt.Errorf("%w: %v", ErrUnsupported, err)
	}
	on, ok := p.X.(*Matrix)
	if !ok || on.grid != m.grid {
		return nil, fmt.Errorf("%w: its table is elsewhere", ErrUnsupported)
	}
	m = on
	if most := mostSelected / m.rows; p.Final > most {
		return nil, fmt.Errorf("grid: %d columns of %d rows that are selected do not fit into every process: select at most %d", p.Final, m.rows, most)
	}
	if !m.whole(&p) {
		return nil, fmt.Errorf("%w: columns of a group are in several slices, or groups are not in the order of the slices", ErrUnsupported)
	}
	return m.place(&p), ctx.Err()
}

// whole reports whether each group is in one slice, and groups are in the order of the slices.
func (m *Matrix) whole(p *objective.Parts) bool {
	before := 0
	for j := range p.Groups() {
		lo, hi := p.Span(j)
		for i, column := range p.Columns[lo:hi] {
			c := m.sliceOf(column)
			if c < before || i > 0 && c != before {
				return false
			}
			before = c
		}
	}
	return true
}

// sliceOf returns the slice that contains a column.
func (m *Matrix) sliceOf(column int) int {
	return sort.Search(len(m.cut.Slices)-1, func(c int) bool { return m.column(m.cut.Slices[c+1]) > column })
}

// place returns the objective of some parts.
func (m *Matrix) place(p *objective.Parts) *Objective {
	o := &Objective{
		grid: m.grid, table: m, cut: m.cut, loss: p.Loss, outputs: p.Loss.Outputs(), y: p.Y, w: p.Weight, ridge: p.Ridge, final: p.Final, meter: p.Meter,
		first: m.shards[0], single: p.First == nil, free: newVectors(p.Free), groups: p.Groups(), owned: p.Owned,
		curve: p.Curve, knots: p.Knots, curved: p.Curved,
	}
	if o.layout = anneal.Uniform(o.groups, o.outputs, p.Free); !o.single {
		offsets := make([]int, len(p.First))
		for j, at := range p.First {
			offsets[j] = o.outputs * at
		}
		o.layout = anneal.Grouped(offsets, p.Free)
	}
	for c, group := 0, 0; c < len(m.cut.Slices)-1; c++ {
		first, end := group, m.column(m.cut.Slices[c+1])
		begin, _ := p.Span(first)
		for ; group < o.groups; group++ {
			if lo, _ := p.Span(group); p.Columns[lo] >= end {
				break
			}
		}
		behind, _ := p.Span(group)
		o.living, o.columns = append(o.living, group-first), append(o.columns, behind-begin)
		if c >= m.slices[0] && c < m.slices[1] {
			o.slices = append(o.slices, m.newSlice(c, first, group, p))
		}
	}
	measured := m.measured()
	for s, tiles := range m.tiles {
		sh := shard{lo: m.cut.Shards[m.shards[0]+s], hi: m.cut.Shards[m.shards[0]+s+1]}
		for c, x := range tiles {
			sl := o.slices[c]
			if sl.stored = 0; x != nil {
				_, sl.stored = x.Dims()
			}
			sl.spread = make([]float64, o.outputs*sl.stored)
		}
		sh.tiles = slices.Clone(measured[s])
		for c := range sh.tiles {
			sh.tiles[c].own = p.Owned
		}
		o.shards = append(o.shards, sh)
	}
	o.settle()
	o.batch(p.Batches)
	return o
}

// newSlice returns a slice of groups from to to−1.
func (m *Matrix) newSlice(number, from, to int, p *objective.Parts) *slice {
	begin, _ := p.Span(from)
	end, _ := p.Span(to)
	s := &slice{number: number, vectors: newVectors((end - begin) * p.Loss.Outputs()), must: make([]bool, to-from), first: []int{0}}
	for j := from; j < to; j++ {
		_, hi := p.Span(j)
		s.original, s.first = append(s.original, j), append(s.first, hi-begin)
	}
	s.vars = m.tiled(number - m.slices[0])
	at := make([]int, len(s.vars)+1) // first column of each in the tiles
	for k, v := range s.vars {
		at[k+1] = at[k] + m.column(v+1) - m.column(v)
	}
	for _, j := range p.Columns[begin:end] {
		v := m.variable(j)
		k, found := slices.BinarySearch(s.vars, v)
		if !found {
			panic(errDropped)
		}
		s.from, s.column = append(s.from, j), append(s.column, at[k]+j-m.column(v))
		s.scale = append(s.scale, p.Scale[j])
		offset := 0.0
		if p.Offset != nil {
			offset = p.Offset[j]
		}
		s.offset = append(s.offset, offset)
		if p.Penalty != nil {
			s.penalty = append(s.penalty, p.Penalty[j])
		}
	}
	s.arrange(p.Loss.Outputs())
	s.lying = slices.Clone(s.original)
	return s
}

// Close implements [objective.Device]. The table stays.
func (m *Matrix) Close() {}

// measured returns the tiles of this process with their bounds. They are measured once, and only if
// a fit needs them.
func (m *Matrix) measured() [][]tile {
	if m.norms == nil {
		m.norms = make([][]tile, len(m.tiles))
		parallel.Each(len(m.tiles), func(s int) {
			for _, x := range m.tiles[s] {
				m.norms[s] = append(m.norms[s], measured(x))
			}
		})
	}
	return m.norms
}

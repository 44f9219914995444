package search

import (
	"context"
	"math"
	"slices"

	"fsa/internal/solve"
	"fsa/internal/tuning"
)

// eliminated is the share of the groups that are dropped before the others are fitted again from scratch, which keeps
// rounding errors small.
const eliminated = 0.2

// eliminates reports whether the sizes below the largest one are found by elimination instead of a longer descent. This
// is worthwhile if the loss is quadratic, so that elimination reads no rows, and if steps use minibatches: then there are
// many rows per coefficient, and a descent would take many steps from one size to the next. Elimination knows no limits.
func (s *Sample) eliminates(by Selection, most int) bool {
	if _, needed := s.Needed(); needed != nil { // the sets of the descent have them
		return false
	}
	return s.Limits == nil && by.Loss == "" && s.Kind.Quadratic && s.Single && by.Descent.Batch < s.Rows() && by.Descent.Eta == 0 && most <= tuning.ExactCoefficients
}

// eliminate fills the sets below the largest one: the remaining groups are fitted to their optimum, and
// the weakest is dropped. A descent that takes many steps between one size and the next does the same.
func (p *path) eliminate(ctx context.Context) error {
	least, s := p.below, p.selecting
	if least == 0 {
		return nil
	}
	if err := p.prepare(ctx, 0); err != nil {
		return err
	}
	if len(p.members) < least { // the record is damaged or of another fit
		return foreign(p.by.task())
	}
	p.below = 0
	groups, problem := p.members, p.shared.Problem
	problem.Ridge = p.by.Ridge
	weight, weightOf := make([]float64, len(groups)), s.strengthWeight()
	for i, g := range groups {
		if weight[i] = weightOf(g); slices.Contains(s.Force, g) {
			weight[i] = math.Inf(1)
		}
	}
	for left := p.shared.columns(); len(left) > least; {
		m, err := problem.Model(ctx, left)
		if err != nil {
			return err
		}
		for range max(int(eliminated*float64(len(left))), 1) {
			if len(m.Columns) == least {
				break
			}
			m.Drop(s.weakest(m, weight, groups))
			set := make([]int, len(m.Columns))
			for i, col := range m.Columns {
				set[i] = groups[col]
			}
			p.sets[len(set)] = set
		}
		left = m.Columns
	}
	return nil
}

// weakest returns the index of the column with the smallest weighted coefficient; the last one of equal ones. Groups
// holds the group of each column.
func (s *Sample) weakest(m *solve.Model, weight []float64, groups []int) int {
	strength, of := make([]float64, len(m.Columns)), make([]int, len(m.Columns))
	for i, col := range m.Columns {
		of[i] = groups[col]
		if strength[i] = math.Inf(1); !math.IsInf(weight[col], 1) {
			strength[i] = math.Abs(m.Beta[i]) * weight[col]
		}
	}
	s.raise(strength, of)
	at, least := -1, math.Inf(1)
	for i, v := range strength {
		if v <= least {
			at, least = i, v
		}
	}
	return at
}

package search

import (
	"context"
	"errors"
	"math"
	"slices"

	"fsa/internal/solve"
)

// Effects estimates the effects of some groups from models that half samples have selected, each without what the rows that
// selected it add. Its model has the groups of the half sample, and those that most half samples have selected.
//
// The estimate of a half sample is b − (Σφ − Σ'φ), where b are the coefficients of its model on all rows without their bias,
// and φ the influence of each row on them, which is summed over the half itself and over the other half. To the first order
// it is the estimate on the other half, and it does not need the optimum of a likelihood on few rows. Its variance is 2V if
// that of b is V.
// The estimate of a group is the mean over the half samples that have chosen it, which has less variance: the variance W
// among them is that of the division into halves, given the table, and averaging removes it. This leaves 2V − W. If every
// half sample has chosen the group, W = V, and the mean is about the estimate on all rows.
type Effects struct {
	sample *Sample
	ridge  float64
	often  []int           // groups that most half samples have selected, ascending
	sums   map[int]*effect // by group
}

// effect has the sums of a group over the half samples that have chosen it, for each coefficient.
type effect struct {
	n                          float64
	estimate, square, variance []float64
}

// NewEffects returns the effects of the given groups of a sample, before any half sample is added. Selected has the
// groups of each half sample. Fits have the given ridge.
func (s *Sample) NewEffects(groups []int, selected [][]int, ridge float64) *Effects {
	e := &Effects{sample: s, ridge: ridge, sums: map[int]*effect{}}
	for _, g := range groups {
		e.sums[g] = &effect{}
		times := 0
		for _, half := range selected {
			if slices.Contains(half, g) {
				times++
			}
		}
		if 2*times >= len(selected) {
			e.often = append(e.often, g)
		}
	}
	slices.Sort(e.often)
	return e
}

// Add adds a half sample: its rows, its selected groups, and those of them that it is sure of. A model that the rows cannot
// determine is left out.
func (e *Effects) Add(ctx context.Context, selected, chosen, rows []int) error {
	if !slices.ContainsFunc(chosen, func(g int) bool { return e.sums[g] != nil }) {
		return nil
	}
	selected = slices.Concat(selected, e.often)
	slices.Sort(selected)
	selected = slices.Compact(selected)
	err := e.fit(ctx, selected, rows, func(g int, estimate, variance []float64) {
		if sum := e.sums[g]; sum != nil && slices.Contains(chosen, g) {
			sum.add(estimate, variance)
		}
	})
	return unlessSingular(err)
}

func unlessSingular(err error) error {
	if errors.Is(err, solve.ErrSingular) {
		return nil
	}
	return err
}

// fit fits groups on all rows, and calls a function with the coefficients of each group, or the values of shape functions at
// the knots, and their variances. They have no bias, and what some rows add beyond the others is subtracted.
func (e *Effects) fit(ctx context.Context, groups, without []int, to func(g int, estimate, variance []float64)) error {
	f, err := e.sample.Learn(ctx, groups, e.ridge, false, nil)
	if err != nil {
		return err
	}
	optimum, err := f.problem.Debiased(f.Complete(), f.columns)
	if err != nil {
		return err
	}
	influence, err := f.problem.Influence(optimum, f.columns)
	if err != nil {
		return err
	}
	estimate := optimum.Beta[0]
	f.problem.toKnots(estimate, influence)
	// Residuals are smaller than errors, as the model was fitted to them.
	rows, variance := float64(e.sample.Counted), make([]float64, len(influence))
	for j, of := range influence {
		for _, x := range of {
			variance[j] += x * x * rows / max(rows-float64(len(estimate))-1, 1)
			if without != nil {
				estimate[j] += x
			}
		}
		for _, row := range without {
			estimate[j] -= 2 * of[row]
		}
	}
	for i, g := range groups {
		lo, hi := f.problem.first[i], f.problem.first[i+1]
		to(g, estimate[lo:hi], variance[lo:hi])
	}
	return nil
}

// toKnots converts the coefficients of shape functions, and what each row adds to them, to values at the knots with mean 0.
func (p *problem) toKnots(estimate []float64, influence [][]float64) {
	row := make([]float64, len(estimate))
	for _, b := range p.bases {
		knots, _ := b.values.Dims()
		part := func(v []float64) {
			b.toKnots(v)
			mean := 0.0
			for k, w := range b.share {
				mean += w * v[b.first+k]
			}
			for k := range knots {
				v[b.first+k] -= mean
			}
		}
		part(estimate)
		for i := range influence[0] {
			for j := b.first; j < b.first+knots; j++ {
				row[j] = influence[j][i]
			}
			part(row)
			for j := b.first; j < b.first+knots; j++ {
				influence[j][i] = row[j]
			}
		}
	}
}

// add adds the estimate of a half sample, and its variance on all rows.
func (e *effect) add(estimate, variance []float64) {
	if e.n++; e.n == 1 {
		n := len(estimate)
		e.estimate, e.square, e.variance = make([]float64, n), make([]float64, n), make([]float64, n)
	}
	for j, v := range estimate {
		e.estimate[j] += v
		e.square[j] += v * v
		e.variance[j] += variance[j]
	}
}

// Plain returns the coefficients of the model of all groups on all rows without their bias, as if they had not been selected,
// and their standard errors.
func (e *Effects) Plain(ctx context.Context, groups []int) (estimate, se map[int][]float64, err error) {
	estimate, se = map[int][]float64{}, map[int][]float64{}
	return estimate, se, e.fit(ctx, groups, nil, func(g int, of, variance []float64) {
		estimate[g] = of
		for _, v := range variance {
			se[g] = append(se[g], math.Sqrt(v))
		}
	})
}

// Of returns the coefficients of a group in the units of the design, or the values of shape functions at the knots, and
// their standard errors; nil if no half sample has chosen the group.
func (e *Effects) Of(group int) (estimate, se []float64) {
	of := e.sums[group]
	for j, v := range of.estimate {
		mean, variance := v/of.n, of.variance[j]/of.n
		among := max(of.square[j]/of.n-mean*mean, 0)
		estimate, se = append(estimate, mean), append(se, math.Sqrt(2*variance-min(among, variance)))
	}
	return estimate, se
}

package baseline

import (
	"context"
	"math"

	"fsa/data"
	"fsa/model"
)

// MRMR selects variables of maximum relevance and minimum redundancy (Peng, Long and Ding,
// 2005), one after the other. The next variable has the largest mutual information with the
// target minus the mean of that with the variables selected before. A model is then fitted on
// the selection.
//
// For this, every variable and a numeric target have three states: more than half a standard
// deviation below the mean, more than that above it, and in between.
type MRMR struct{ Options }

var _ Fitter = MRMR{}

// Fit implements [Fitter].
func (m MRMR) Fit(ctx context.Context, d *data.Dataset) (*model.Model, error) {
	t, err := newTask(ctx, "mrmr", d, m.Options, "squared", "logistic")
	if err != nil {
		return nil, err
	}
	variables, err := t.relevant(ctx)
	if err != nil {
		return nil, err
	}
	intercept, beta, err := t.refit(ctx, variables, 0)
	if err != nil {
		return nil, err
	}
	return t.linear(len(variables), intercept, variables, beta)
}

// relevant returns the variables that are chosen, in the order of their choice.
func (t *task) relevant(ctx context.Context) ([]int, error) {
	usable := t.design.Usable
	relevance, redundancy := make([]float64, len(usable)), make([]float64, len(usable))
	count, entropy := t.newCensus(), newEntropies(len(t.Y))
	partner := make([]uint8, len(t.Y))
	about := func(dst []float64) error {
		count.meet(partner)
		return each(ctx, t.Threads, len(usable), func(at int) {
			n := count.count(usable[at])
			dst[at] += entropy.information(&n)
		})
	}
	t.responseStates(partner)
	if err := about(relevance); err != nil {
		return nil, err
	}
	var variables []int
	taken := make([]bool, len(usable))
	for len(variables) < min(t.K, len(usable)) {
		best, score := -1, math.Inf(-1)
		for at := range usable {
			s := relevance[at]
			if len(variables) > 0 {
				s -= redundancy[at] / float64(len(variables))
			}
			if !taken[at] && s > score {
				best, score = at, s
			}
		}
		taken[best] = true
		variables = append(variables, usable[best])
		count.states(partner, usable[best])
		if err := about(redundancy); err != nil {
			return nil, err
		}
	}
	return variables, nil
}

// responseStates sets dst to the state of each response.
func (t *task) responseStates(dst []uint8) {
	if t.Loss() == "logistic" {
		for i, y := range t.Y {
			dst[i] = state(y, 0, 1)
		}
		return
	}
	var total, mean, square float64
	for i, y := range t.Y {
		total += t.weight(i)
		mean += t.weight(i) * y
	}
	mean /= total
	for i, y := range t.Y {
		square += t.weight(i) * (y - mean) * (y - mean)
	}
	for i, y := range t.Y {
		dst[i] = state(y, mean, math.Sqrt(square/total))
	}
}

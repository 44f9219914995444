package baseline

import (
	"context"
	"math"

	"fsa"
	"fsa/data"
)

// MRMR chooses variables of maximum relevance and minimum redundancy (Peng, Long
// and Ding, 2005) one after the other: next comes the variable whose mutual
// information with the response, less the mean of that with the variables
// chosen before, is largest. A model is then fitted to the choice.
//
// For this every variable, and a response of numbers, has three states: more
// than half a standard deviation below the mean, as much above it, and
// between.
type MRMR struct{ Options }

var _ Fitter = MRMR{}

// Fit implements [Fitter].
func (m MRMR) Fit(ctx context.Context, d *data.Dataset) (*fsa.Model, error) {
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
	x := newCodes(t.columns, usable, func(v int, x float64) uint8 {
		c := &t.Data.Columns[t.design.Variables[v]]
		return state(x, (c.Mean-t.design.Center[v])/t.design.Unit[v], c.SD/t.design.Unit[v])
	})
	relevance, redundancy := make([]float64, len(usable)), make([]float64, len(usable))
	partner := newStates(t)
	about := func(dst []float64) error {
		return each(ctx, t.Threads, len(usable), func(at int) { dst[at] += partner.information(x, usable[at]) })
	}
	t.responseStates(partner.state)
	partner.count()
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
		partner.take(x, usable[best])
		if err := about(redundancy); err != nil {
			return nil, err
		}
	}
	return variables, nil
}

// levels is the number of states of a variable.
const levels = 3

// state returns the state of a number.
func state(x, mean, sd float64) uint8 {
	switch {
	case x < mean-sd/2:
		return 0
	case x > mean+sd/2:
		return 2
	}
	return 1
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

// states are those of what all variables are compared with.
type states struct {
	state  []uint8   // of each row
	weight []float64 // of each row, as a share
	share  [levels]float64
}

func newStates(t *task) *states {
	s := &states{state: make([]uint8, len(t.Y)), weight: make([]float64, len(t.Y))}
	var total float64
	for i := range t.Y {
		total += t.weight(i)
	}
	for i := range t.Y {
		s.weight[i] = t.weight(i) / total
	}
	return s
}

// take takes over the states of a variable.
func (s *states) take(x *codes, v int) {
	index, code := x.index[v], x.code[v]
	if index == nil {
		copy(s.state, code)
	} else {
		for i := range s.state {
			s.state[i] = x.zero[v]
		}
		for p, i := range index {
			s.state[i] = code[p]
		}
	}
	s.count()
}

// count measures how frequent each state is.
func (s *states) count() {
	s.share = [levels]float64{}
	for i, state := range s.state {
		s.share[state] += s.weight[i]
	}
}

// information returns the mutual information with variable v, in nats.
func (s *states) information(x *codes, v int) float64 {
	var joint [levels][levels]float64 // by state of the variable, then ours
	index, code := x.index[v], x.code[v]
	if index == nil {
		for i, c := range code {
			joint[c][s.state[i]] += s.weight[i]
		}
	} else {
		rest := s.share
		for p, i := range index {
			joint[code[p]][s.state[i]] += s.weight[i]
			rest[s.state[i]] -= s.weight[i]
		}
		for b, r := range rest {
			joint[x.zero[v]][b] += r
		}
	}
	var sum float64
	for _, row := range joint {
		var share float64
		for _, p := range row {
			share += p
		}
		for b, p := range row {
			if p > 1e-15 { // less is what rounding leaves
				sum += p * math.Log(p/(share*s.share[b]))
			}
		}
	}
	return sum
}

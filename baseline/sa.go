package baseline

import (
	"cmp"
	"context"
	"math/rand/v2"
	"slices"

	"fsa/data"
	"fsa/internal/portable"
	"fsa/model"
)

// SA is feature selection by simulated annealing, a search around another method. It changes a
// subset of the variables at random, trains a model on each half of the rows and tests it on
// the other half. The change is accepted if the error falls or, with a probability that
// decreases over time, if it rises. The model is least squares for a numeric target and a
// linear support vector machine for two classes.
//
// As in the paper, which used the R package caret, the search starts with a fifth of the
// variables and their number is free: K is ignored. Fixed keeps the number at K. Iterations is
// the number of changes that are tried; 0 means 200.
type SA struct {
	Options
	// Fixed keeps the number of variables at K.
	Fixed bool
	// Patience is how many changes may pass without a new best subset before
	// the search goes back to the best; 0 means 10.
	Patience int
}

var _ Fitter = SA{}

// Fit implements [Fitter].
func (m SA) Fit(ctx context.Context, d *data.Dataset) (*model.Model, error) {
	method := "sa-k"
	if !m.Fixed {
		method, m.K = "sa", d.Width()
	}
	if orLoss(m.LossName, "") == "" {
		p, err := model.NewProblem(d, "")
		if err != nil {
			return nil, err
		}
		if m.LossName = p.Loss(); p.Task == model.Classification {
			m.LossName = "svm"
		}
	}
	t, err := newTask(ctx, method, d, m.Options, "squared", "svm")
	if err != nil {
		return nil, err
	}
	rng := rand.New(rand.NewPCG(m.Seed, 0x5a))
	judge, err := newJudge(ctx, t, rng)
	if err != nil {
		return nil, err
	}
	s := newSubset(t, m.Fixed, rng)
	rounds := cmp.Or(m.Iterations, 200)
	if err := s.anneal(ctx, judge, rounds, cmp.Or(m.Patience, 10)); err != nil {
		return nil, err
	}
	intercept, beta, err := judge.fit(ctx, s.in)
	if err != nil {
		return nil, err
	}
	return t.linear(rounds, intercept, s.in, beta)
}

// judge evaluates subsets of the variables.
type judge interface {
	// test returns the error of models learned on one half of the rows each and
	// tested on the other.
	test(ctx context.Context, variables []int) (float64, error)
	// fit learns the model of all rows.
	fit(ctx context.Context, variables []int) (intercept float64, beta []float64, err error)
}

// subset is the current state of annealing.
type subset struct {
	in, out []int // variables, ascending
	fixed   bool
	rng     *rand.Rand
}

// newSubset draws the first one.
func newSubset(t *task, fixed bool, rng *rand.Rand) *subset {
	all := slices.Clone(t.design.Usable)
	n := len(all)/5 + 1
	if fixed {
		n = t.K
	}
	n = min(n, len(all))
	rng.Shuffle(len(all), func(a, b int) { all[a], all[b] = all[b], all[a] })
	s := &subset{in: all[:n:n], out: all[n:], fixed: fixed, rng: rng}
	slices.Sort(s.in)
	slices.Sort(s.out)
	return s
}

// anneal leaves the best subset found.
func (s *subset) anneal(ctx context.Context, j judge, rounds, patience int) error {
	bad, err := j.test(ctx, s.in)
	if err != nil {
		return err
	}
	best, least, since := *s, bad, 0
	for round := 1; round <= rounds; round++ {
		next := s.changed()
		e, err := j.test(ctx, next.in)
		if err != nil {
			return err
		}
		// A subset without an error is not left for one with some.
		if e <= bad || bad > 0 && s.rng.Float64() < portable.Exp((bad-e)/bad*float64(round)) {
			*s, bad = *next, e
		}
		since++
		if bad < least {
			best, least, since = *s, bad, 0
		}
		if since >= patience {
			*s, bad, since = best, least, 0
		}
	}
	*s = best
	return nil
}

// changed returns a subset that differs in about a hundredth of its variables,
// at least one: some go or come, or places are taken where the number is fixed.
func (s *subset) changed() *subset {
	n := len(s.in)/100 + 1
	in, out := slices.Clone(s.in), slices.Clone(s.out)
	if s.fixed {
		for range min(n, len(out)) {
			a, b := s.rng.IntN(len(in)), s.rng.IntN(len(out))
			in[a], out[b] = out[b], in[a]
		}
	} else {
		for range n {
			at := s.rng.IntN(len(in) + len(out))
			switch {
			case at >= len(in):
				in, out = moved(in, out, at-len(in))
			case len(in) > 1:
				out, in = moved(out, in, at)
			}
		}
	}
	slices.Sort(in)
	slices.Sort(out)
	return &subset{in: in, out: out, fixed: s.fixed, rng: s.rng}
}

// moved moves an element from one list to the end of the other.
func moved(to, from []int, at int) (newTo, newFrom []int) {
	return append(to, from[at]), slices.Delete(from, at, at+1)
}

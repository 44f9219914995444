package paper

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"fsa"
	"fsa/data"
)

// The numbers of the experiment.
const (
	nearRuns    = 50 // tables, by default
	nearRows    = 60
	nearColumns = 18
	nearSize    = 4
	nearKind    = "18 correlated columns, k = 4"
	allNear     = "all sets found (%)"
	missedNear  = "sets missed"
	extraNear   = "sets too many"
	countNear   = "sets within the margin"
)

// near measures whether all sets of variables within the margin of the lowest training loss are found. It is not in the paper.
func near(ctx context.Context, s *Setup) (*Result, error) {
	seeds := s.seeds(nearRuns)
	var units []unit
	for _, seed := range seeds {
		units = append(units, unit{cell: nearKind, seed: seed, methods: []string{defaults}, load: func(context.Context) (trial, error) { return loadNear(seed) }})
	}
	out, err := s.fit(ctx, "near", s.Threads, units)
	if err != nil {
		return nil, err
	}
	r := &Result{byMethod: true, Notes: out.notes()}
	for _, metric := range []string{allNear, missedNear, extraNear, countNear} {
		sum := out.summarize(nearKind, defaults, metric, seeds)
		r.Rows = append(r.Rows, Row{Data: nearKind, N: new(nearRows), M: new(nearColumns), K: new(nearSize), Method: defaults, Metric: metric, Ours: sum.mean, Runs: sum.runs, SE: sum.se})
	}
	return r, nil
}

// loadNear makes a table and returns a function that compares the sets of a fit with all sets of as many columns.
func loadNear(seed uint64) (trial, error) {
	rng := rand.New(rand.NewPCG(seed, 18))
	var cells, y []float64
	for range nearRows {
		row, shared := make([]float64, nearColumns), rng.NormFloat64()
		for j := range row {
			if row[j] = rng.NormFloat64() + shared; j > 0 {
				row[j] += row[j-1]
			}
		}
		cells = append(cells, row...)
		y = append(y, row[2]-row[7]+0.5*row[12]-0.5*row[15]+6*rng.NormFloat64())
	}
	table, err := data.FromRows(nil, nearColumns, cells, y)
	return func(ctx context.Context, _ string) (values, error) {
		o := fsa.Options{K: nearSize, Loss: "squared", Bins: fsa.None, Objective: fsa.Objective{Ridge: fsa.None}, Validation: fsa.Validation{Rivals: true}, Run: fsa.Run{Threads: 1}}
		m, err := fsa.Fit(ctx, table, o)
		if err != nil {
			return nil, err
		}
		own, sets := indices(m), m.Validation().Near
		slices.Sort(own)
		found := map[string]bool{}
		for _, set := range sets.Sets {
			groups := slices.Clone(own)
			for i, name := range set.Without {
				groups[slices.Index(groups, table.Lookup(name))] = -1 - table.Lookup(set.Instead[i])
			}
			for i, g := range groups {
				groups[i] = max(g, -1-g)
			}
			slices.Sort(groups)
			found[fmt.Sprint(groups)] = true
		}
		want := withinMargin(cells, y, sets.Margin)
		missed := 0.0
		for _, set := range want {
			if !found[set] {
				missed++
			}
		}
		extra := float64(len(found)-len(want)) + missed
		return values{allNear: percentIf(missed == 0 && sets.Found == len(want)), missedNear: missed, extraNear: extra, countNear: float64(len(want))}, nil
	}, err
}

// withinMargin compares all sets of columns of a table, and returns those whose sum of squares is at most a share above the
// lowest one.
func withinMargin(cells, y []float64, margin float64) (list []string) {
	x := mat.NewDense(len(y), nearColumns, slices.Clone(cells))
	target := mat.NewVecDense(len(y), slices.Clone(y))
	for j := range nearColumns {
		centre(x.ColView(j).(*mat.VecDense))
	}
	centre(target)
	var gram mat.SymDense
	gram.SymOuterK(1, x.T())
	var products mat.VecDense
	products.MulVec(x.T(), target)
	type subset struct {
		columns []int
		rest    float64
	}
	var all []subset
	var next func(columns []int, first int)
	next = func(columns []int, first int) {
		if len(columns) < nearSize {
			for j := first; j < nearColumns; j++ {
				next(append(slices.Clone(columns), j), j+1)
			}
			return
		}
		part, right := mat.NewSymDense(nearSize, nil), mat.NewVecDense(nearSize, nil)
		for a, i := range columns {
			right.SetVec(a, products.AtVec(i))
			for b, j := range columns {
				part.SetSym(a, b, gram.At(i, j))
			}
		}
		var factor mat.Cholesky
		var beta mat.VecDense
		if factor.Factorize(part) && factor.SolveVecTo(&beta, right) == nil {
			all = append(all, subset{columns, mat.Dot(target, target) - mat.Dot(&beta, right)})
		}
	}
	next(nil, 0)
	best := all[0].rest
	for _, s := range all {
		best = min(best, s.rest)
	}
	for _, s := range all {
		if s.rest <= best*(1+margin) {
			list = append(list, fmt.Sprint(s.columns))
		}
	}
	return list
}

// centre subtracts the mean.
func centre(v *mat.VecDense) {
	mean := mat.Sum(v) / float64(v.Len())
	for i := range v.Len() {
		v.SetVec(i, v.AtVec(i)-mean)
	}
}

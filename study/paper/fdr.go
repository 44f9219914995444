package paper

import (
	"context"
	"fmt"

	"fsa"
	"fsa/data"
	"fsa/data/synth"
)

// The numbers of the experiment.
const (
	fdrRuns    = 10  // runs of each cell, by default
	fdrRate    = 0.1 // false discovery rate
	falseShare = "false (%)"
	foundShare = "found (%)"
	halfRows   = "fsa"
	knockedOff = "knockoffs"
)

var fdrSizes = []size{{300, 1000, 10}, {1000, 1000, 10}, {1000, 1000, 30}, {3000, 1000, 50}}

// correlation is a way in which the variables of the experiment are correlated.
type correlation struct {
	name       string
	model      string
	rho, alpha float64
}

var correlations = []correlation{
	{"independent", synth.Equicorrelated, 0, -1},
	{"neighbours 0.5", synth.AR1, 0.5, 0},
	{"neighbours 0.9", synth.AR1, 0.9, 0},
	{"all 0.5", synth.Equicorrelated, 0, 1},
	{"all 0.9", synth.Equicorrelated, 0, 3},
}

// fdrTarget is a kind of target of the experiment.
type fdrTarget struct {
	name  string
	loss  string
	task  string
	sigma float64
	noise float64
	roles data.Roles
	most  int  // largest number of rows
	peer  bool // knockoffs support it
}

var fdrTargets = []fdrTarget{
	{name: "number, σ = 1", task: synth.Regression, peer: true},
	{name: "number, σ = 3", task: synth.Regression, sigma: 3, peer: true},
	{name: "two classes", task: synth.Classification, peer: true},
	{name: "two classes, 10% random", task: synth.Classification, noise: 0.1, peer: true},
	{name: "counts", loss: "poisson", task: synth.Counts, most: 1000},
	{name: "survival", loss: "cox", task: synth.Survival, roles: data.Roles{Event: "event"}, most: 1000},
}

// falseDiscoveries measures the share of false variables among the selected ones and the share of the true variables that
// are found, at a false discovery rate. It is not in the paper.
func falseDiscoveries(ctx context.Context, s *Setup) (*Result, error) {
	seeds := s.seeds(fdrRuns)
	r := &Result{byMethod: true}
	type cell struct {
		name    string
		size    size
		methods []string
	}
	var cells []cell
	var units []unit
	for _, t := range fdrTargets {
		for _, c := range correlations {
			for _, z := range fdrSizes {
				if !s.allows(z.n) || t.most > 0 && z.n > t.most {
					continue
				}
				made := cell{fmt.Sprintf("%s, %s, %s", t.name, c.name, z), z, []string{halfRows}}
				if t.peer {
					made.methods = append(made.methods, knockedOff)
				}
				cells = append(cells, made)
				for _, seed := range seeds {
					units = append(units, unit{cell: made.name, seed: seed, methods: made.methods, load: func(ctx context.Context) (trial, error) { return t.load(ctx, c, z, seed) }})
				}
			}
		}
	}
	out, err := s.fit(ctx, "fdr", s.Threads, units)
	if err != nil {
		return nil, err
	}
	for _, c := range cells {
		for _, method := range c.methods {
			for _, metric := range []string{falseShare, foundShare} {
				sum := out.summarize(c.name, method, metric, seeds)
				r.Rows = append(r.Rows, Row{Data: c.name, N: new(c.size.n), M: new(c.size.m), K: new(c.size.k), Method: method, Metric: metric, Ours: sum.mean, Runs: sum.runs, SE: sum.se})
			}
		}
	}
	r.Notes = append(r.Notes,
		fmt.Sprintf("The false discovery rate is %v. A selection without variables has no false ones.", fdrRate),
		"Knockoffs know the covariance of the variables: they are Gaussian and equicorrelated, with the difference of lasso coefficients and the threshold knockoff+.")
	r.Notes = append(r.Notes, out.notes()...)
	return r, nil
}

// load makes a table and returns a function that selects variables by a method.
func (t fdrTarget) load(ctx context.Context, by correlation, z size, seed uint64) (trial, error) {
	c := synth.Config{Model: by.model, Rho: by.rho, Alpha: by.alpha, Task: t.task, Sigma: t.sigma, Noise: t.noise, N: z.n, M: z.m, K: z.k, Seed: seed}
	reader, err := synth.NewReader(c)
	if err != nil {
		return nil, err
	}
	defer reader.Close()
	table, err := data.Load(ctx, reader, "synthetic data", t.roles)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, method string) (values, error) {
		var selected []int
		if method == knockedOff {
			x, y, err := readColumns(ctx, c, firstColumns(z.m))
			if err != nil {
				return nil, err
			}
			selected = knockoffs(x, y, by, fdrRate, seed)
		} else {
			m, err := fsa.Fit(ctx, table, fsa.Options{Loss: t.loss, Selection: fsa.Selection{FDR: fdrRate}, Run: fsa.Run{Threads: 1}})
			if err != nil {
				return nil, err
			}
			selected = indices(m)
		}
		truth, right := map[int]bool{}, 0.0
		for _, j := range synth.Truth(c) {
			truth[j] = true
		}
		for _, j := range selected {
			if truth[j] {
				right++
			}
		}
		n := float64(len(selected))
		return values{falseShare: 100 * (n - right) / max(n, 1), foundShare: 100 * right / float64(z.k)}, nil
	}, nil
}

func firstColumns(n int) []int {
	list := make([]int, n)
	for j := range list {
		list[j] = j
	}
	return list
}

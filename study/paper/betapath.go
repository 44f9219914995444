package paper

import (
	"context"
	"fmt"
	"io"

	"fsa"
	"fsa/data/synth"
	"fsa/eval"
	"fsa/report"
)

// plainSteps are the settings of the paper's figures: a fixed step size without momentum.
func plainSteps(k int, eta, mu float64, epochs int) fsa.Options {
	return fsa.Options{K: k, Loss: "logistic", Objective: fsa.Objective{Ridge: fsa.None}, Descent: fsa.Descent{Eta: eta, Mu: mu, Iterations: epochs, Momentum: fsa.None}, Run: fsa.Run{Threads: 1}}
}

// betaPath draws the coefficients of all variables until only k are left, which is at half time.
func betaPath(ctx context.Context, s *Setup) (*Result, error) {
	const eta, mu, epochs = 20, 300, 500
	seed := s.SeedFrom
	c := synth.Config{N: 1000, M: 1000, K: 10, Seed: seed}
	table, err := makeTable(ctx, c)
	if err != nil {
		return nil, err
	}
	paths := make([][]float64, c.M)
	for v := range paths {
		paths[v] = []float64{0}
	}
	o := plainSteps(c.K, eta, mu, epochs)
	o.Run.Observe = func(p fsa.Progress) {
		if p.Epoch.Epoch > epochs/2 {
			return
		}
		for i, g := range p.Alive {
			v := p.Variable(g)
			paths[v] = append(paths[v], p.Layout.Of(p.Beta, i)[0])
		}
	}
	model, err := fsa.Fit(ctx, table, o)
	if err != nil {
		return nil, err
	}
	var selected []int
	chosen := map[int]bool{}
	for _, v := range model.Selected() {
		selected = append(selected, v.Index)
		chosen[v.Index] = true
	}
	plot := report.PathPlot{Title: fmt.Sprintf("Coefficients, N = M = %d, k = %d, η = %d, μ = %d", c.N, c.K, eta, mu)}
	for v, values := range paths {
		plot.Lines = append(plot.Lines, report.Line{Name: table.ColumnName(v), Values: values, Highlight: chosen[v]})
	}
	_, share := eval.Detection(selected, synth.Truth(c))
	return &Result{
		byMethod: true,
		Rows: []Row{{
			N: new(c.N), M: new(c.M), K: new(c.K), Method: "FSA", Metric: pcd, Ours: new(100 * share), Runs: 1,
		}},
		Notes:    []string{fmt.Sprintf("Drawn for seed %d, for the %d iterations in which variables are dropped. A line ends where its variable was dropped.", seed, epochs/2)},
		pictures: []picture{{name: "beta-path", draw: func(w io.Writer) error { return report.Paths(w, plot) }}},
	}, nil
}

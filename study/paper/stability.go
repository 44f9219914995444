package paper

import (
	"context"
	"fmt"

	"fsa"
	"fsa/baseline"
	"fsa/data/synth"
	"fsa/internal/plots"
)

// The settings that the paper fixes while it varies another.
const stableEta, stableMu, stableEpochs = 20, 300, 500

// sweep is a sequence of settings that differ in one number.
type sweep struct {
	name    string // of the number
	at      []float64
	plain   func(at float64) fsa.Options // as in the paper
	program func(at float64) fsa.Options // with the program's own steps
}

// stabilitySweeps are the three charts of the figure.
func stabilitySweeps(k int) []sweep {
	own := func(mu float64, epochs int) fsa.Options {
		return fsa.Options{K: k, Loss: "logistic", Descent: fsa.Descent{Mu: mu, Iterations: epochs}, Run: fsa.Run{Threads: 1}}
	}
	return []sweep{
		{
			"η", []float64{0.1, 0.3, 1, 3, 10, 20, 30, 100, 300, 1000},
			func(eta float64) fsa.Options { return plainSteps(k, eta, stableMu, stableEpochs) },
			func(float64) fsa.Options { return own(stableMu, stableEpochs) },
		},
		{
			"μ", []float64{1, 3, 10, 30, 100, 200, 300, 1000, 3000},
			func(mu float64) fsa.Options { return plainSteps(k, mu/10, mu, stableEpochs) },
			func(mu float64) fsa.Options { return own(mu, stableEpochs) },
		},
		{
			"iterations", []float64{10, 20, 30, 50, 100, 200, 300, 500, 1000},
			func(epochs float64) fsa.Options { return plainSteps(k, stableEta, stableMu, int(epochs)) },
			func(epochs float64) fsa.Options { return own(stableMu, int(epochs)) },
		},
	}
}

// stability draws the AUC against each setting: with the steps of the paper,
// and with those that the program chooses.
func stability(ctx context.Context, s *Setup) (*Result, error) {
	size := size{1000, 1000, 10}
	if !s.allows(size.n) {
		size.n = s.MaxN
	}
	seeds := s.seeds(10)
	sweeps := stabilitySweeps(size.k)
	const paperSteps, programSteps = "fixed steps", "chosen steps"
	options := map[string]baseline.Fitter{}
	var methods []string
	label := func(w sweep, at float64, steps string) string { return fmt.Sprintf("%s = %g, %s", w.name, at, steps) }
	for _, w := range sweeps {
		for _, at := range w.at {
			for steps, o := range map[string]fsa.Options{paperSteps: w.plain(at), programSteps: w.program(at)} {
				options[label(w, at, steps)] = o
			}
			methods = append(methods, label(w, at, paperSteps), label(w, at, programSteps))
		}
	}
	var units []unit
	for _, seed := range seeds {
		c := synth.Config{N: size.n, M: size.m, K: size.k, Seed: seed}
		units = append(units, unit{cell: size.String(), seed: seed, methods: methods, load: func(ctx context.Context) (trial, error) {
			train, err := makeTable(ctx, c)
			return func(ctx context.Context, method string) (values, error) {
				v, _, err := measure(ctx, options[method], train, c, auc)
				return v, err
			}, err
		}})
	}
	out, err := s.fit(ctx, "stability", s.Threads, units)
	if err != nil {
		return nil, err
	}
	r := &Result{byMethod: true, Notes: []string{
		fmt.Sprintf("Fixed steps are those of the paper, without momentum: η against μ = %d and %d iterations, μ with η = μ/10, iterations with η = %d and μ = %d.",
			stableMu, stableEpochs, stableEta, stableMu),
		"Chosen steps are the program's own, which need no η; in the chart of η they are a horizontal line.",
	}}
	var charts []plots.Chart
	for _, w := range sweeps {
		c := plots.Chart{X: w.name, Y: auc, LogX: true}
		for _, steps := range []string{paperSteps, programSteps} {
			line := plots.Curve{Name: steps, Dots: true}
			for _, at := range w.at {
				method := label(w, at, steps)
				for _, metric := range []string{auc, pcd} {
					sum := out.summarize(size.String(), method, metric, seeds)
					r.Rows = append(r.Rows, Row{
						N: new(size.n), M: new(size.m), K: new(size.k), Method: method, Metric: metric,
						Ours: sum.mean, Runs: sum.runs, SE: sum.se,
					})
					if metric == auc && sum.mean != nil {
						line.X, line.Y = append(line.X, at), append(line.Y, *sum.mean)
					}
				}
			}
			c.Curves = append(c.Curves, line)
		}
		charts = append(charts, c)
	}
	r.pictures = []picture{sideBySide("stability", charts...)}
	r.Notes = append(r.Notes, out.notes()...)
	return r, nil
}

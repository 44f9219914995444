package paper

import (
	"context"
	"fmt"
	"time"

	"fsa/baseline"
	"fsa/data"
	"fsa/data/synth"
	"fsa/eval"
	"fsa/model"
)

// comparison is a table of methods on synthetic data of several sizes.
type comparison struct {
	name       string
	file       string // of the published numbers
	task       string
	noise      float64
	contenders []contender
	measure    string // of predictions: AUC or RMSE
}

// config describes a table of the comparison.
func (c *comparison) config(s size, seed uint64) synth.Config {
	return synth.Config{Task: c.task, Noise: c.noise, N: s.n, M: s.m, K: s.k, Seed: seed}
}

// run is the experiment.
func (c *comparison) run(ctx context.Context, s *Setup) (*Result, error) {
	table := readPublished(c.file)
	seeds := s.seeds(publishedRuns)
	var units []unit
	for _, size := range table.sizes {
		if s.allows(size.n) {
			units = append(units, c.units(size, seeds)...)
		}
	}
	out, err := s.fit(ctx, c.name, s.Threads, units)
	if err != nil {
		return nil, err
	}
	r := &Result{Notes: contenderNotes(c.contenders, seeds)}
	for _, metric := range []string{dr, pcd, failures, c.measure, seconds} {
		for _, size := range table.sizes {
			for _, co := range c.contenders {
				f, known := table.figures[spot{size, co.label, metric}]
				if metric == pcd && co.free || metric == failures && co.name != ours {
					continue
				}
				sum := out.summarize(size.String(), co.label, metric, co.runs(seeds))
				row := Row{
					N: new(size.n), M: new(size.m), K: new(size.k), Method: co.label, Metric: metric,
					Ours: sum.mean, Runs: sum.runs, SE: sum.se,
				}
				row.compare(f, known)
				r.Rows = append(r.Rows, row)
			}
		}
	}
	if s.MaxN > 0 {
		r.Notes = append(r.Notes, fmt.Sprintf("Tables of more than %d rows were left out.", s.MaxN))
	}
	r.Notes = append(r.Notes, fmt.Sprintf("Every fit had one thread; %d fits ran in parallel.", s.Threads))
	r.Notes = append(r.Notes, c.failureNotes(out, table.sizes, seeds)...)
	r.Notes = append(r.Notes, out.notes()...)
	return r, nil
}

// units are the tables of one size.
func (c *comparison) units(s size, seeds []uint64) []unit {
	var units []unit
	for i, seed := range seeds {
		u := unit{cell: s.String(), seed: seed, load: func(ctx context.Context) (trial, error) {
			return c.load(ctx, c.config(s, seed))
		}}
		for _, co := range c.contenders {
			if co.exists() && i < len(co.runs(seeds)) {
				u.methods = append(u.methods, co.label)
			}
		}
		units = append(units, u)
	}
	return units
}

// failureNotes reports, for each method of ours, how many of the tables with a missed truth were
// failures of its search.
func (c *comparison) failureNotes(out *outcomes, sizes []size, seeds []uint64) []string {
	var notes []string
	for _, co := range c.contenders {
		var missed, bad int
		for _, s := range sizes {
			for _, seed := range co.runs(seeds) {
				v := out.done[key{s.String(), co.label, seed}]
				if failure, known := v[failures]; known && v[dr] == 0 {
					missed++
					if failure > 0 {
						bad++
					}
				}
			}
		}
		if missed > 0 {
			notes = append(notes, fmt.Sprintf("%s missed the true variables of %d tables; on %d of these (%.1f%%) the true variables have the lower loss under the same ridge, so the search failed.",
				co.label, missed, bad, 100*float64(bad)/float64(missed)))
		}
	}
	return notes
}

// load makes a table.
func (c *comparison) load(ctx context.Context, config synth.Config) (trial, error) {
	train, err := makeTable(ctx, config)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, method string) (values, error) {
		co := find(c.contenders, method)
		v, model, err := measure(ctx, co.fitter(config.K, config.Seed, 1), train, config, c.measure)
		if err == nil && co.name == ours {
			v[failures], err = failed(ctx, model, config)
		}
		return v, err
	}, nil
}

// makeTable makes a synthetic table.
func makeTable(ctx context.Context, c synth.Config) (*data.Dataset, error) {
	r, err := synth.NewReader(c)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return data.Load(ctx, r, "synthetic data", data.Roles{})
}

// measure fits a method to a table, compares the selected variables with the true ones and tests
// its model on as many new rows.
func measure(ctx context.Context, f baseline.Fitter, train *data.Dataset, c synth.Config, metric string) (values, *model.Model, error) {
	start := time.Now()
	learned, err := f.Fit(ctx, train)
	if err != nil {
		return nil, nil, err
	}
	out := values{seconds: time.Since(start).Seconds()}
	selected, truth := indices(learned), synth.Truth(c)
	all, share := eval.Detection(selected, truth)
	out[dr], out[pcd] = 0, 100*share
	if all && len(selected) == len(truth) {
		out[dr] = 100
	}
	metrics, err := test(ctx, learned, c)
	if err != nil {
		return nil, nil, err
	}
	name := map[string]string{auc: "auc", rmse: "rmse"}[metric]
	if v, ok := metrics[name]; ok {
		out[metric] = v
	}
	return out, learned, nil
}

// testSeed is far from the seeds of training tables.
const testSeed = 1 << 32

// test measures a model on new rows of the same kind.
func test(ctx context.Context, m *model.Model, c synth.Config) (map[string]float64, error) {
	c.Seed += testSeed
	r, err := synth.NewReader(c)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return score(ctx, m, r)
}

// score measures a model on rows that have their target.
func score(ctx context.Context, m *model.Model, r data.Reader) (map[string]float64, error) {
	l := &labels{Reader: r}
	p, err := m.Predict(ctx, l)
	if err != nil {
		return nil, err
	}
	return p.Metrics(&data.Target{Y: l.y})
}

// labels is a reader that collects the targets of the rows that pass through it.
type labels struct {
	data.Reader
	y []float64
}

var _ data.Reader = (*labels)(nil)

// Next implements [data.Reader].
func (l *labels) Next(ctx context.Context) (*data.Block, error) {
	b, err := l.Reader.Next(ctx)
	if err == nil {
		l.y = append(l.y, b.Label...)
	}
	return b, err
}

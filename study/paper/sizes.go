package paper

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"

	"fsa"
	"fsa/data"
	"fsa/data/open"
	"fsa/data/synth"
	"fsa/model"
)

// The numbers of the experiment.
const (
	sizeRuns   = 5  // runs of each cell, by default
	sizePairs  = 25 // of half samples
	rightSize  = "right k (%)"
	meanSize   = "k chosen"
	noSignal   = "no signal reported (%)"
	falseFound = "false variables"
	coverOfOne = "coefficients in 95% intervals (%)"
	halfSample = "half-samples"
	aboveBest  = "loss above the best k in hindsight (%)"
	nearBest   = "within 2% or a standard error (%)"
	newRows    = 5000 // to measure on
)

// sizeRules are the compared rules: those of cross-validation, and then criteria without folds.
var (
	sizeRules  = []string{"paired", "one-se", "min", "ebic"}
	quickRules = map[string]string{"quick-ebic": "ebic", "quick-gic": "gic", "quick-bic": "bic"}
)

// sizeTable is a kind of table with a known true size.
type sizeTable struct {
	name  string
	loss  string
	task  string
	noise float64
	size
}

var sizeTables = []sizeTable{
	{"separable", "auto", synth.Classification, 0, size{1000, 1000, 10}},
	{"regression", "auto", synth.Regression, 0, size{1000, 1000, 30}},
	{"regression, few rows", "auto", synth.Regression, 0, size{300, 1000, 10}},
	{"10% wrong labels, lorenz", "lorenz", synth.Classification, 0.1, size{1000, 1000, 10}},
	{"10% wrong labels, lorenz, more rows", "lorenz", synth.Classification, 0.1, size{3000, 1000, 10}},
}

// hindsightTables have too few rows, or too many wrong labels, for their true size to be found or
// to be the best.
var hindsightTables = []sizeTable{
	{"separable, few rows", "auto", synth.Classification, 0, size{300, 1000, 10}},
	{"separable, many variables", "auto", synth.Classification, 0, size{1000, 1000, 30}},
	{"10% wrong labels, logistic", "auto", synth.Classification, 0.1, size{1000, 1000, 10}},
	{"regression, very few rows", "auto", synth.Regression, 0, size{150, 1000, 10}},
}

// sizeCell is a cell of the experiment.
type sizeCell struct {
	name    string
	size    *size
	methods []string
	metrics []string
	load    func(ctx context.Context, seed uint64) (trial, error)
}

// sizes measures whether cross-validation finds the number of variables, reports a missing signal,
// and how certain it is. It is not in the paper.
func sizes(ctx context.Context, s *Setup) (*Result, error) {
	seeds := s.seeds(sizeRuns)
	r := &Result{byMethod: true}
	var cells []sizeCell
	for _, t := range sizeTables {
		if s.allows(t.n) {
			cells = append(cells, t.cell(), t.halves())
		}
	}
	for _, t := range hindsightTables {
		if s.allows(t.n) {
			cells = append(cells, t.hindsight())
		}
	}
	for _, folder := range []string{"regression/riboflavin", "genomics/golub"} {
		path := filepath.Join(s.Data, folder)
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
			r.Notes = append(r.Notes, fmt.Sprintf("%s is not in %s and was left out.", folder, s.Data))
			continue
		}
		cells = append(cells, permuted(path, filepath.Base(folder)))
	}
	var units []unit
	for _, c := range cells {
		for _, seed := range seeds {
			units = append(units, unit{cell: c.name, seed: seed, methods: c.methods, load: func(ctx context.Context) (trial, error) { return c.load(ctx, seed) }})
		}
	}
	out, err := s.fit(ctx, "sizes", s.Threads, units)
	if err != nil {
		return nil, err
	}
	for _, c := range cells {
		for _, method := range c.methods {
			for _, metric := range c.metrics {
				sum := out.summarize(c.name, method, metric, seeds)
				row := Row{Data: c.name, Method: method, Metric: metric, Ours: sum.mean, Runs: sum.runs, SE: sum.se}
				if c.size != nil {
					row.N, row.M, row.K = new(c.size.n), new(c.size.m), new(c.size.k)
				}
				r.Rows = append(r.Rows, row)
			}
		}
	}
	r.Notes = append(r.Notes, out.notes()...)
	return r, nil
}

func (t sizeTable) config(seed uint64) synth.Config {
	return synth.Config{Task: t.task, Noise: t.noise, N: t.n, M: t.m, K: t.k, Seed: seed}
}

// cell lets each rule choose the size.
func (t sizeTable) cell() sizeCell {
	methods := sizeRules
	if t.loss != "lorenz" { // is not a likelihood
		methods = append(slices.Clone(methods), slices.Sorted(maps.Keys(quickRules))...)
	}
	return sizeCell{name: t.name, size: &t.size, methods: methods, metrics: []string{rightSize, meanSize}, load: func(ctx context.Context, seed uint64) (trial, error) {
		table, err := makeTable(ctx, t.config(seed))
		return func(ctx context.Context, rule string) (values, error) {
			k, err := 0, error(nil)
			if quick := quickRules[rule]; quick != "" {
				k, err = chosenQuickly(ctx, table, quick)
			} else {
				k, _, err = chosen(ctx, table, fsa.Options{Loss: t.loss, Selection: fsa.Selection{Choose: rule}, Run: fsa.Run{Threads: 1}})
			}
			right := 0.0
			if k == t.k {
				right = 100
			}
			return values{rightSize: right, meanSize: float64(k)}, err
		}, err
	}}
}

// chosen returns the size that cross-validation chooses, and whether it found a signal.
func chosen(ctx context.Context, table *data.Dataset, o fsa.Options) (k int, signal bool, err error) {
	job, err := fsa.Prepare(ctx, table, o)
	if err != nil {
		return 0, false, err
	}
	v, err := job.Validate(ctx)
	if err != nil {
		return 0, false, err
	}
	return v.Chosen, v.Signal(), nil
}

// hindsight compares the loss on new rows at the chosen size with that at the best of the true
// size, its neighbours and multiples.
func (t sizeTable) hindsight() sizeCell {
	return sizeCell{name: t.name + ", in hindsight", size: &t.size, methods: sizeRules[:3], metrics: []string{meanSize, aboveBest, nearBest}, load: func(ctx context.Context, seed uint64) (trial, error) {
		table, err := makeTable(ctx, t.config(seed))
		if err != nil {
			return nil, err
		}
		c := t.config(seed + 1<<20)
		c.N = newRows
		fresh, err := makeTable(ctx, c)
		if err != nil {
			return nil, err
		}
		measure := "logloss"
		if t.task == synth.Regression {
			measure = "rmse"
		}
		losses := map[int]float64{}
		at := func(ctx context.Context, k int) (float64, error) {
			if loss, known := losses[k]; known {
				return loss, nil
			}
			m, err := fsa.Fit(ctx, table, fsa.Options{K: k, Loss: t.loss, Run: fsa.Run{Threads: 1}})
			if err != nil {
				return 0, err
			}
			measured, err := fsa.Test(ctx, m, fresh, rowsOf(fresh))
			losses[k] = measured[measure]
			return losses[k], err
		}
		return func(ctx context.Context, rule string) (values, error) {
			job, err := fsa.Prepare(ctx, table, fsa.Options{Loss: t.loss, Selection: fsa.Selection{Choose: rule}, Run: fsa.Run{Threads: 1}})
			if err != nil {
				return nil, err
			}
			m, err := job.Run(ctx)
			if err != nil {
				return nil, err
			}
			measured, err := fsa.Test(ctx, m, fresh, rowsOf(fresh))
			if err != nil {
				return nil, err
			}
			chosen := measured[measure]
			best := chosen
			for _, k := range []int{t.k / 2, t.k * 4 / 5, t.k - 1, t.k, t.k + 1, t.k * 6 / 5, t.k * 3 / 2, 2 * t.k, 3 * t.k} {
				loss, err := at(ctx, k)
				if err != nil {
					return nil, err
				}
				best = min(best, loss)
			}
			near := 0.0
			if chosen <= max(1.02*best, best+standardError(m.Validation(), measure)) {
				near = 100
			}
			return values{meanSize: float64(m.Training().K), aboveBest: 100 * (chosen/best - 1), nearBest: near}, nil
		}, nil
	}}
}

// standardError returns the standard error of the measure at the chosen size: the loss is the
// measure, or half its square.
func standardError(v *model.Validation, measure string) float64 {
	for _, p := range v.Points {
		if p.Size == v.Chosen {
			if measure == "rmse" {
				return p.SE / math.Sqrt(2*p.Mean)
			}
			return p.SE
		}
	}
	return 0
}

func rowsOf(d *data.Dataset) []int {
	rows := make([]int, d.Rows())
	for i := range rows {
		rows[i] = i
	}
	return rows
}

// chosenQuickly returns the size that an information criterion chooses.
func chosenQuickly(ctx context.Context, table *data.Dataset, rule string) (k int, err error) {
	m, err := fsa.Fit(ctx, table, fsa.Options{Quick: true, Selection: fsa.Selection{Choose: rule}, Run: fsa.Run{Threads: 1}})
	if err != nil {
		return 0, err
	}
	return m.Training().Criterion.Chosen, nil
}

// halves asks for half as many variables again as there are, and counts the false ones that pass
// the cutoff at which at most one is expected.
func (t sizeTable) halves() sizeCell {
	return sizeCell{name: t.name + ", 1.5 k variables", size: &t.size, methods: []string{halfSample}, metrics: []string{falseFound, coverOfOne}, load: func(ctx context.Context, seed uint64) (trial, error) {
		c := t.config(seed)
		table, err := makeTable(ctx, c)
		return func(ctx context.Context, _ string) (values, error) {
			m, err := fsa.Fit(ctx, table, fsa.Options{K: t.k * 3 / 2, Loss: t.loss, Validation: fsa.Validation{Stability: sizePairs}, Run: fsa.Run{Threads: 1}})
			if err != nil {
				return nil, err
			}
			truth := map[string]bool{}
			for _, j := range synth.Truth(c) {
				truth[table.ColumnName(j)] = true
			}
			out := values{}
			s := m.Stability()
			if s.Cutoff != nil {
				out[falseFound] = 0
				for name, share := range s.Shares {
					if share >= *s.Cutoff && !truth[name] {
						out[falseFound]++
					}
				}
			}
			if t.task == synth.Regression { // whose true coefficients are 1
				var held, all float64
				for _, v := range s.Variables {
					if truth[v.Name] && v.Low != nil {
						all++
						if v.Low[0] <= 1 && 1 <= v.High[0] {
							held++
						}
					}
				}
				out[coverOfOne] = 100 * held / max(all, 1)
			}
			return out, nil
		}, err
	}}
}

// permuted permutes the target of a real table.
func permuted(folder, name string) sizeCell {
	return sizeCell{name: name + ", permuted", methods: sizeRules[:1], metrics: []string{noSignal, meanSize}, load: func(ctx context.Context, seed uint64) (trial, error) {
		table, err := open.Table(ctx, filepath.Join(folder, "X.csv.gz"), open.Options{}, open.Roles{Target: filepath.Join(folder, "y.txt")})
		if err != nil {
			return nil, err
		}
		permute(table, seed)
		return func(ctx context.Context, rule string) (values, error) {
			k, signal, err := chosen(ctx, table, fsa.Options{Selection: fsa.Selection{Choose: rule}, Run: fsa.Run{Threads: 1}})
			return values{noSignal: percentIf(!signal), meanSize: float64(k)}, err
		}, nil
	}}
}

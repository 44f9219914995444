package paper

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"

	"fsa"
	"fsa/data"
	"fsa/data/open"
	"fsa/data/synth"
)

// The numbers of the experiment.
const (
	permutedRuns = 20 // runs of each table, by default
	silentShare  = "selects something without a warning (%)"
	someShare    = "selects something (%)"
	defaults     = "fsa"
)

// permutedTable is a table whose target is permuted, so that no variable has an effect.
type permutedTable struct {
	name string
	file string // below the folder of the real data; empty if it is generated
	load func(ctx context.Context, path string, seed uint64) (*data.Dataset, error)
}

// permutedTables are real tables of 62 to 932 rows, and generated ones of five shapes.
func permutedTables() []permutedTable {
	csv := func(name, target string) permutedTable {
		return permutedTable{name, filepath.Join("mixed", name+".csv.gz"), func(ctx context.Context, path string, _ uint64) (*data.Dataset, error) {
			return open.Table(ctx, path, open.Options{}, open.Roles{Target: target})
		}}
	}
	beside := func(name, folder string) permutedTable {
		return permutedTable{name, folder, func(ctx context.Context, path string, _ uint64) (*data.Dataset, error) {
			return open.Table(ctx, filepath.Join(path, "X.csv.gz"), open.Options{}, open.Roles{Target: filepath.Join(path, "y.txt")})
		}}
	}
	shape := func(name string, c synth.Config) permutedTable {
		return permutedTable{name, "", func(ctx context.Context, _ string, seed uint64) (*data.Dataset, error) {
			c := c
			c.Seed = seed
			return makeTable(ctx, c)
		}}
	}
	return []permutedTable{
		csv("Sacramento", "price"), csv("scat", "Species"), csv("car_prices", "Price"),
		beside("alon", "genomics/alon"), beside("diabetes", "regression/diabetes_x2"),
		shape("few columns", synth.Config{Task: synth.Regression, N: 300, M: 10, K: 3}),
		shape("wide", synth.Config{Model: synth.Equicorrelated, Alpha: -1, Task: synth.Classification, N: 100, M: 1000, K: 10}),
		shape("neighbours 0.95", synth.Config{Rho: 0.95, Task: synth.Regression, N: 150, M: 200, K: 10}),
		shape("one factor", synth.Config{Model: synth.Equicorrelated, Alpha: 3, Task: synth.Classification, N: 200, M: 100, K: 10}),
		shape("counts", synth.Config{Task: synth.Counts, N: 200, M: 50, K: 5}),
	}
}

// permutations measures how often a fit with defaults selects variables without a warning where none has an effect. It is not
// in the paper.
func permutations(ctx context.Context, s *Setup) (*Result, error) {
	seeds := s.seeds(permutedRuns)
	r := &Result{byMethod: true}
	var cells []sizeCell
	for _, t := range permutedTables() {
		path := filepath.Join(s.Data, t.file)
		if _, err := os.Stat(path); t.file != "" && errors.Is(err, fs.ErrNotExist) {
			r.Notes = append(r.Notes, fmt.Sprintf("%s is not in %s and was left out.", t.file, s.Data))
			continue
		}
		cells = append(cells, t.cell(path))
	}
	var units []unit
	for _, seed := range seeds { // all tables first, so that a stopped run has some of each
		for _, c := range cells {
			units = append(units, unit{cell: c.name, seed: seed, methods: c.methods, load: func(ctx context.Context) (trial, error) { return c.load(ctx, seed) }})
		}
	}
	out, err := s.fit(ctx, "permuted", s.Threads, units)
	if err != nil {
		return nil, err
	}
	for _, c := range cells {
		for _, metric := range c.metrics {
			sum := out.summarize(c.name, defaults, metric, seeds)
			r.Rows = append(r.Rows, Row{Data: c.name, Method: defaults, Metric: metric, Ours: sum.mean, Runs: sum.runs, SE: sum.se})
		}
	}
	r.Notes = append(r.Notes, out.notes()...)
	return r, nil
}

// cell fits a table with a permuted target.
func (t permutedTable) cell(path string) sizeCell {
	return sizeCell{name: t.name, methods: []string{defaults}, metrics: []string{silentShare, someShare, meanSize}, load: func(ctx context.Context, seed uint64) (trial, error) {
		table, err := t.load(ctx, path, seed)
		if err != nil {
			return nil, err
		}
		permute(table, seed)
		return func(ctx context.Context, _ string) (values, error) {
			k, signal, err := chosen(ctx, table, fsa.Options{Run: fsa.Run{Threads: 1}})
			return values{silentShare: percentIf(signal), someShare: percentIf(k > 0), meanSize: float64(k)}, err
		}, nil
	}}
}

// permute permutes the target of a table.
func permute(table *data.Dataset, seed uint64) {
	y := table.Target.Y
	rand.New(rand.NewPCG(seed, 25)).Shuffle(len(y), func(a, b int) { y[a], y[b] = y[b], y[a] })
}

func percentIf(yes bool) float64 {
	if yes {
		return 100
	}
	return 0
}

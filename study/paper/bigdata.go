package paper

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"fsa/data"
	"fsa/data/open"
	"fsa/data/synth"
	"fsa/internal/plots"
)

// growth is the figure of large tables of equally correlated variables: time,
// variables found and AUC against the number of rows.
type growth struct {
	m, k int
	rows []int
}

var bigData = growth{m: 100_000, k: 500, rows: []int{1000, 3000, 10_000, 30_000, 70_000, 100_000, 300_000, 1_000_000}}

// growthContenders lists the methods of the comparison, with the bytes that each needs per number
// of the table. Annealing copies the remaining variables after a while, at most half of them.
// Boosting reads columns, so it makes a copy in double precision from the rows.
var growthContenders = []struct {
	contender
	bytes int64
}{
	{contender{label: "FSL", name: ours, loss: "lorenz"}, 4 + 2},
	{contender{label: "FSL+", name: ours, loss: "lorenz", polish: true}, 4 + 2},
	{contender{label: "LB1", name: "logitboost-random"}, 4 + 8 + 8},
}

// memoryOf returns the number of bytes that tables may take.
func memoryOf(s *Setup) int64 { return cmp.Or(s.Memory, DefaultMemory) }

// perVariable is about what a method needs per variable in addition.
const perVariable = 1000

// fits reports whether a method can train on n rows within the given number of bytes.
func (g *growth) fits(n int, bytes, memory int64) bool {
	return int64(n)*int64(g.m)*bytes+int64(g.m)*perVariable <= memory
}

// methods returns the methods for n rows. Annealing needs no memory for the table, because it can
// leave it in a file; that takes long, so it must be requested by the number of rows.
func (g *growth) methods(n int, s *Setup) []string {
	if !s.allows(n) {
		return nil
	}
	var labels []string
	for _, c := range growthContenders {
		if c.exists() && (g.fits(n, c.bytes, memoryOf(s)) || c.name == ours && s.MaxN > 0) {
			labels = append(labels, c.label)
		}
	}
	return labels
}

// run is the experiment. Tables are so large that only one is fitted at a time, with all threads.
func (g *growth) run(ctx context.Context, s *Setup) (*Result, error) {
	seeds := s.seeds(10)
	r := &Result{}
	var list []contender
	var units []unit
	for _, c := range growthContenders {
		list = append(list, c.contender)
	}
	for _, n := range g.rows {
		methods := g.methods(n, s)
		if len(methods) == 0 {
			continue
		}
		for _, seed := range seeds {
			units = append(units, g.unit(size{n, g.m, g.k}, seed, methods, list, s))
		}
	}
	out, err := s.fit(ctx, "big-data", 1, units)
	if err != nil {
		return nil, err
	}
	metrics := []string{seconds, pcd, auc}
	charts := []plots.Chart{
		{X: "N", Y: "training time [s]", LogX: true, LogY: true},
		{X: "N", Y: "percent correctly detected", LogX: true},
		{X: "N", Y: auc, LogX: true},
	}
	for i, metric := range metrics {
		lines := make([]plots.Curve, len(list))
		for _, n := range g.rows {
			size := size{n, g.m, g.k}
			for j, c := range list {
				sum := out.summarize(size.String(), c.label, metric, seeds)
				r.Rows = append(r.Rows, Row{
					N: new(n), M: new(g.m), K: new(g.k), Method: c.label, Metric: metric, Ours: sum.mean, Runs: sum.runs, SE: sum.se,
				})
				lines[j].Name, lines[j].Dots = c.label, true
				if sum.mean != nil {
					lines[j].X, lines[j].Y = append(lines[j].X, float64(n)), append(lines[j].Y, *sum.mean)
				}
			}
		}
		lines = slices.DeleteFunc(lines, func(c plots.Curve) bool { return len(c.X) == 0 })
		charts[i].Curves = lines
	}
	if len(charts[0].Curves) > 0 {
		r.pictures = []picture{sideBySide("big-data", charts...)}
	}
	r.Notes = append(contenderNotes(list, seeds),
		fmt.Sprintf("Blank cells need more than %s of memory or more rows than were allowed; see --memory and --max-n. With --max-n, FSL reads tables that do not fit from a file.", open.Size(memoryOf(s))),
		fmt.Sprintf("One fit at a time, with %d threads. The paper has only curves, no numbers.", s.Threads))
	r.Notes = append(r.Notes, out.notes()...)
	return r, nil
}

// unit is a table of one size.
func (g *growth) unit(size size, seed uint64, methods []string, list []contender, s *Setup) unit {
	c := synth.Config{Model: synth.Equicorrelated, N: size.n, M: size.m, K: size.k, Seed: seed}
	inMemory := g.fits(c.N, growthContenders[0].bytes, memoryOf(s))
	return unit{cell: size.String(), seed: seed, methods: methods, load: func(ctx context.Context) (trial, error) {
		var train *data.Dataset
		var err error
		if inMemory {
			train, err = makeTable(ctx, c)
		} else {
			train, err = makeFile(ctx, c, filepath.Join(s.Out, "big-data-table.npy"), memoryOf(s))
		}
		return func(ctx context.Context, method string) (values, error) {
			v, _, err := measure(ctx, find(list, method).fitter(c.K, seed, s.Threads), train, c, auc)
			return v, err
		}, err
	}}
}

// makeFile generates a synthetic table in a file and opens it in place. The file is removed at
// once, so that other programs do not see it, and its space is freed when the table is no longer
// used.
func makeFile(ctx context.Context, c synth.Config, path string, memory int64) (*data.Dataset, error) {
	r, err := synth.NewReader(c)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	if err := open.Write(ctx, path, r, c.N); err != nil {
		return nil, err
	}
	defer os.Remove(open.Stem(path) + ".y.npy")
	defer os.Remove(path)
	return open.Table(ctx, path, open.Options{Memory: memory}, open.Roles{})
}

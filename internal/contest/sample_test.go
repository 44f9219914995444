package contest

import (
	"context"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"fsa/data"
	"fsa/internal/objective"
	"fsa/internal/plan"
	"fsa/internal/search"
	"fsa/loss"
)

// cells is a small table. The first text columns hold numbers of categories.
type cells struct {
	cols, texts int
	x, y        []float64
}

// normal returns rows of independent normal columns. The target is the sum of the first columns times their effects, plus
// noise.
func normal(seed uint64, rows, cols int, noise float64, effects ...float64) *cells {
	rng := rand.New(rand.NewPCG(seed, 9))
	c := &cells{cols: cols}
	for range rows {
		y := noise * rng.NormFloat64()
		for j := range cols {
			v := rng.NormFloat64()
			if c.x = append(c.x, v); j < len(effects) {
				y += effects[j] * v
			}
		}
		c.y = append(c.y, y)
	}
	return c
}

// signs converts the target to two classes by its sign.
func (c *cells) signs() *cells {
	for i, v := range c.y {
		c.y[i] = math.Copysign(1, v)
	}
	return c
}

// dataset returns the table; rows without a weight are held out.
func (c *cells) dataset(t *testing.T, weight []float64) *data.Dataset {
	t.Helper()
	schema := &data.Schema{Width: c.cols, Categories: map[int][]string{}}
	for j := range c.texts {
		for level := range 30 {
			schema.Categories[j] = append(schema.Categories[j], fmt.Sprint("t", level))
		}
	}
	b := data.NewBuilder("cells", schema, data.Roles{TargetVector: &data.Vector{Values: slices.Clone(c.y)}})
	if err := b.Add(&data.Block{Rows: len(c.y), Dense: c.x}); err != nil {
		t.Fatal(err)
	}
	d, err := b.Dataset(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if weight != nil {
		if d, err = d.Weighted(t.Context(), weight); err != nil {
			t.Fatal(err)
		}
	}
	return d
}

// sample returns the sample of the rows that have a weight; nil means all.
func (c *cells) sample(t *testing.T, lossName string, weight []float64) (*search.Sample, *data.Dataset) {
	t.Helper()
	d := c.dataset(t, weight)
	kind, _ := loss.Named(lossName)
	design, err := d.Design(t.Context(), data.DesignOptions{})
	if err != nil {
		t.Fatal(err)
	}
	rows := len(c.y)
	s := &search.Sample{
		Design: design, Loss: kind.New(loss.Params{Classes: 2, Spread: 1}), Kind: kind, Task: kind.Task, Classes: 2,
		Target: objective.Target{Y: c.y, Weight: weight}, Effective: search.Effective(weight, rows), Counted: search.Counted(weight, rows),
		InMemory: true, Single: c.texts == 0, Margin: 0.1, Threads: 1, Device: search.NewDevice(nil, false), Journal: search.NewJournal(nil, ""),
		Meter: search.NewMeter(design.X.Cells()), Data: d,
	}
	if err := s.SetGroups(d, nil, nil); err != nil {
		t.Fatal(err)
	}
	if err := s.SetCategories(t.Context()); err != nil {
		t.Fatal(err)
	}
	paired(s, d)
	return s, d
}

// config returns the contest on folds that a request leads to.
func (c *cells) config(t *testing.T, lossName string, r plan.Request, folds int) Config {
	t.Helper()
	s, d := c.sample(t, lossName, nil)
	if r.Rule == "" {
		r.Rule = "paired"
	}
	p := plan.New(r, plan.NewFacts(s, d, lossName))
	config := Config{Plan: p, Repeats: 1, Abreast: 1, Unit: s.LossUnit(context.Background()), Whole: search.NewRunner(s, p.Sizes)}
	for f := range folds {
		weight := slices.Repeat([]float64{1}, len(c.y))
		var test []int
		var held []float64
		for i := f; i < len(weight); i += folds {
			weight[i] = 0
			test, held = append(test, i), append(held, c.y[i])
		}
		s, _ := c.sample(t, lossName, weight)
		config.Folds = append(config.Folds, Fold{Runner: search.NewRunner(s, p.Sizes), Test: test, Error: func(z []float64) float64 {
			sum, weight := s.Loss.Eval(make([]float64, len(z)), z, loss.Target{Y: held})
			return sum / weight
		}})
	}
	return config
}

// began returns a contest that has tried the null model.
func began(t *testing.T, c Config) *contest {
	t.Helper()
	g := &contest{Config: c, sizes: c.Plan.Sizes, trials: map[key]*Trial{}, bySize: map[int][]*Trial{}, selected: map[search.Selection]bool{}}
	g.points = newPoints(c.Point, len(c.Folds), c.Repeats)
	if _, err := g.try(t.Context(), c.Plan.Recipe, 0); err != nil {
		t.Fatal(err)
	}
	return g
}

// tried returns the recipes that were tried at a size.
func (g *contest) tried(size int, like func(search.Recipe) bool) []*Trial {
	var list []*Trial
	for _, t := range g.bySize[size] {
		if like == nil || like(t.Recipe) {
			list = append(list, t)
		}
	}
	return list
}

// sizesTried returns the sizes at which recipes were tried.
func (g *contest) sizesTried(like func(search.Recipe) bool) []int {
	sizes := map[int]bool{}
	for size := range g.bySize {
		if len(g.tried(size, like)) > 0 {
			sizes[size] = true
		}
	}
	return slices.Sorted(maps.Keys(sizes))
}

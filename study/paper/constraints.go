package paper

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"fsa"
	"fsa/data"
	"fsa/model"
)

// The numbers of the experiment.
const (
	constraintRuns  = 100 // tables of each kind, by default
	constrained     = "constrained"
	free            = "free"
	keptShare       = "the model keeps all (%)"
	keptFolds       = "models of folds keep all (%)"
	activeShare     = "some constraint is active (%)"
	constraintTime  = "seconds"
	timesFree       = "times the free fit"
	curvatureRounds = 1e-9 // of the size of a curve: rounding of its bends
)

// constraintTable is a kind of table of the experiment.
type constraintTable struct {
	name string
	bins int
	size
}

var constraintTables = []constraintTable{
	{"lines", fsa.None, size{150, 8, 4}},
	{"curves", 5, size{150, 8, 4}},
}

// gradeLevels are the categories of the text of a table, from the lowest to the highest. Its last is rare.
var gradeLevels = []string{"none", "low", "mid", "high", "best"}

// constraints measures whether fits of random tables keep random constraints exactly, and their time. It is not in the paper.
func constraints(ctx context.Context, s *Setup) (*Result, error) {
	seeds, methods := s.seeds(constraintRuns), []string{constrained, free}
	r := &Result{byMethod: true}
	var units []unit
	for _, t := range constraintTables {
		for _, seed := range seeds {
			units = append(units, unit{cell: t.name, seed: seed, methods: methods, load: func(ctx context.Context) (trial, error) { return t.load(ctx, seed) }})
		}
	}
	out, err := s.fit(ctx, "constraints", s.Threads, units)
	if err != nil {
		return nil, err
	}
	for _, t := range constraintTables {
		row := func(method, metric string) *float64 {
			sum := out.summarize(t.name, method, metric, seeds)
			r.Rows = append(r.Rows, Row{Data: t.name, N: new(t.n), M: new(t.m), K: new(t.k), Method: method, Metric: metric, Ours: sum.mean, Runs: sum.runs, SE: sum.se})
			return sum.mean
		}
		for _, metric := range []string{keptShare, keptFolds, activeShare} {
			row(constrained, metric)
		}
		if with, without := row(constrained, constraintTime), row(free, constraintTime); with != nil && without != nil {
			r.Rows = append(r.Rows, Row{Data: t.name, N: new(t.n), M: new(t.m), K: new(t.k), Method: constrained, Metric: timesFree, Ours: new(*with / *without), Runs: len(seeds)})
		}
	}
	r.Notes = append(r.Notes, "Seven numbers with curved effects and a text with ordered categories; the loss is squared, logistic, poisson, svm or absolute. Signs, bounds and slopes must hold to the last bit.")
	r.Notes = append(r.Notes, out.notes()...)
	return r, nil
}

// load makes a table and returns a function that fits it with random constraints, or without.
func (t constraintTable) load(ctx context.Context, seed uint64) (trial, error) {
	rng := rand.New(rand.NewPCG(seed, 32))
	name := []string{"squared", "logistic", "poisson", "svm", "absolute"}[rng.IntN(5)]
	d, err := t.make(ctx, rng, name)
	list := t.draw(rng)
	return func(ctx context.Context, method string) (values, error) {
		o := fsa.Options{K: t.k, Bins: t.bins, Loss: name, Run: fsa.Run{Threads: 1}}
		if method == constrained {
			o.Objective.Constraints = list
		}
		start := time.Now()
		j, err := fsa.Prepare(ctx, d, o)
		if err != nil {
			return nil, err
		}
		m, err := j.Run(ctx)
		if err != nil {
			return nil, err
		}
		to := values{constraintTime: time.Since(start).Seconds()}
		percent := map[bool]float64{true: 100}
		broken, active := check(m, list)
		to[keptShare], to[activeShare] = percent[broken == 0], percent[active > 0]
		if e := j.Evidence(); e != nil && e.Folds != nil {
			sum := 0
			for _, of := range e.Folds.Models() {
				b, _ := check(of, list)
				sum += b
			}
			to[keptFolds] = percent[sum == 0]
		}
		return to, nil
	}, err
}

// make makes a table for a loss.
func (t constraintTable) make(ctx context.Context, rng *rand.Rand, name string) (*data.Dataset, error) {
	effect, grade := make([]float64, t.m), make([]float64, len(gradeLevels))
	for j := range effect {
		effect[j] = rng.NormFloat64()
	}
	for l := range grade {
		grade[l] = rng.NormFloat64()
	}
	var x, y []float64
	for i := range t.n {
		common, s := rng.NormFloat64(), 0.0
		for j := range t.m - 1 {
			v := rng.NormFloat64() + 0.5*common
			if s += effect[j] * v; j%3 == 1 {
				s += effect[j] * v * v
			}
			if v = 50*float64(j*j) + v*math.Pow(10, float64(j%4)-1); j == 2 && rng.IntN(8) == 0 {
				v = math.NaN()
			}
			x = append(x, v)
		}
		l := rng.IntN(len(gradeLevels) - 1)
		if i%50 == 0 {
			l = len(gradeLevels) - 1
		}
		x = append(x, float64(l))
		switch s += grade[l] + rng.NormFloat64(); name {
		case "logistic", "svm":
			s = math.Copysign(1, s)
		case "poisson":
			s = math.Floor(math.Exp(min(s/2, 4)))
		}
		y = append(y, s)
	}
	schema := &data.Schema{Width: t.m, Categories: map[int][]string{t.m - 1: gradeLevels}}
	for j := range t.m {
		schema.Names = append(schema.Names, fmt.Sprint("x", j))
	}
	b := data.NewBuilder("table", schema, data.Roles{TargetVector: &data.Vector{Values: y}})
	if err := b.Add(&data.Block{Rows: t.n, Dense: x}); err != nil {
		return nil, err
	}
	return b.Dataset(ctx)
}

// draw draws a constraint of the text and of some numbers.
func (t constraintTable) draw(rng *rand.Rand) []fsa.Constraint {
	slopes := []string{model.Increasing, model.Decreasing}
	list := []fsa.Constraint{{Column: fmt.Sprint("x", t.m-1), Kind: slopes[rng.IntN(2)], Levels: gradeLevels}}
	for _, j := range rng.Perm(t.m - 1)[:t.m/2] {
		kinds := model.ConstraintKinds()
		if t.bins > 0 {
			kinds = slices.DeleteFunc(kinds, func(kind string) bool { return fsa.Constraint{Kind: kind}.Coefficient() })
		}
		c := fsa.Constraint{Column: fmt.Sprint("x", j), Kind: kinds[rng.IntN(len(kinds))]}
		if c.Kind == model.Bounds {
			c.Lower, c.Upper = new(-rng.Float64()), new(rng.Float64())
		}
		list = append(list, c)
	}
	return list
}

// check counts the constraints that the effects of a model break, and those that are active.
func check(m *model.Model, list []fsa.Constraint) (broken, active int) {
	for i, v := range m.Selected() {
		for _, c := range list {
			if c.Column != v.Name {
				continue
			}
			var least, tight float64 // the smallest excess over the constraint, and the limit below which it is active
			lower, upper := c.Range()
			switch {
			case v.Levels != nil:
				var f []float64
				for _, level := range gradeLevels {
					if at := slices.Index(v.Levels, level); at >= 0 {
						f = append(f, v.Coefficients[at])
					}
				}
				least, tight = smallest(f, c.Kind, nil), 0
			case v.Knots == nil:
				least, tight = min(v.Coefficients[0]-lower, upper-v.Coefficients[0]), 0
			default:
				f := m.Response(i, 0, v.Knots)
				least, tight = smallest(f, c.Kind, v.Knots), 0
				if c.Kind == model.Convex || c.Kind == model.Concave {
					tight = curvatureRounds * (slices.Max(f) - slices.Min(f))
					least += tight
				}
			}
			if least < 0 {
				broken++
			}
			if least <= 2*tight {
				active++
			}
		}
	}
	return broken, active
}

// smallest returns the smallest step of an effect in the direction of a constraint, or its smallest bend.
func smallest(f []float64, kind string, knots []float64) float64 {
	least := math.Inf(1)
	sign := map[string]float64{model.Increasing: 1, model.Decreasing: -1, model.Convex: 1, model.Concave: -1}[kind]
	for k := 1; k < len(f); k++ {
		switch kind {
		case model.Increasing, model.Decreasing:
			least = min(least, sign*(f[k]-f[k-1]))
		case model.Convex, model.Concave:
			if k < len(f)-1 {
				left, right := knots[k]-knots[k-1], knots[k+1]-knots[k]
				least = min(least, sign*((f[k+1]-f[k])*left-(f[k]-f[k-1])*right)/(left+right))
			}
		}
	}
	return least
}

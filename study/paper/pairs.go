package paper

import (
	"context"
	"math"
	"math/rand/v2"
	"time"

	"gonum.org/v1/gonum/stat"

	"fsa"
	"fsa/data"
	"fsa/model"
)

// The numbers of the experiment.
const (
	pairRuns    = 20 // tables of each kind, by default
	truePairs   = 5
	pairMain    = 0.3 // main effect of a variable of a pair, whose effect is 1
	allPairs    = "all pairs found (%)"
	foundPairs  = "true pairs found"
	falsePairs  = "false pairs"
	noPair      = "no pair reported (%)"
	pairSeconds = "seconds"
	givenSize   = "k = 15"
	openSize    = "k open"
)

// pairTable is a kind of table with products of two columns in its target. The noise is as strong as
// the signal.
type pairTable struct {
	name        string
	pairs       int
	correlation float64 // of neighbouring columns; the columns of a pair are neighbours
	square      float64 // effect of the squares of the first ten columns
	classes     bool
	size
}

var pairTables = []pairTable{
	{name: "5 pairs", pairs: truePairs, size: size{2000, 200, 15}},
	{name: "no pairs", size: size{2000, 200, 15}},
	{name: "5 pairs, correlated columns", pairs: truePairs, correlation: 0.5, size: size{2000, 200, 15}},
	{name: "5 pairs, two classes", pairs: truePairs, classes: true, size: size{2000, 200, 15}},
	{name: "no pairs, squares of correlated columns", correlation: 0.5, square: 0.5, size: size{2000, 200, 15}},
	{name: "no pairs, two classes", classes: true, size: size{2000, 200, 15}},
	{name: "5 pairs, fewer rows", pairs: truePairs, size: size{1000, 200, 15}},
}

// pairs measures how many of the true pairs of columns are found, and how many false ones. It is not
// in the paper.
func pairs(ctx context.Context, s *Setup) (*Result, error) {
	seeds := s.seeds(pairRuns)
	r := &Result{byMethod: true}
	methods := []string{givenSize, openSize}
	var units []unit
	for _, t := range pairTables {
		for _, seed := range seeds {
			if s.allows(t.n) {
				units = append(units, unit{cell: t.name, seed: seed, methods: methods, load: func(context.Context) (trial, error) { return t.load(seed) }})
			}
		}
	}
	out, err := s.fit(ctx, "pairs", s.Threads, units)
	if err != nil {
		return nil, err
	}
	for _, t := range pairTables {
		metrics := []string{allPairs, foundPairs, falsePairs, pairSeconds}
		if t.pairs == 0 {
			metrics = []string{noPair, falsePairs, pairSeconds}
		}
		for _, method := range methods {
			for _, metric := range metrics {
				sum := out.summarize(t.name, method, metric, seeds)
				r.Rows = append(r.Rows, Row{Data: t.name, N: new(t.n), M: new(t.m), K: new(t.k), Method: method, Metric: metric, Ours: sum.mean, Runs: sum.runs, SE: sum.se})
			}
		}
	}
	r.Notes = append(r.Notes, out.notes()...)
	return r, nil
}

// load makes a table and returns a function that looks for its pairs.
func (t pairTable) load(seed uint64) (trial, error) {
	table, err := t.make(seed)
	return func(ctx context.Context, method string) (values, error) {
		o := fsa.Options{Selection: fsa.Selection{Interactions: fsa.Interactions{Find: true}}, Run: fsa.Run{Threads: 1}}
		if method == givenSize {
			o.K = t.k
		}
		start := time.Now()
		m, err := fsa.Fit(ctx, table, o)
		if err != nil {
			return nil, err
		}
		right, wrong := t.count(m)
		percent := func(yes bool) float64 {
			if yes {
				return 100
			}
			return 0
		}
		return values{
			allPairs: percent(right == t.pairs), foundPairs: float64(right), falsePairs: float64(wrong), noPair: percent(right+wrong == 0),
			pairSeconds: time.Since(start).Seconds(),
		}, nil
	}, err
}

// count counts the true and the false pairs of a model: the true ones are columns 0 and 1, 2 and 3
// and so on.
func (t pairTable) count(m *model.Model) (right, wrong int) {
	for _, p := range m.Interactions() {
		a, b := p.Variables[0].Index, p.Variables[1].Index
		if a%2 == 0 && b == a+1 && a < 2*t.pairs {
			right++
		} else {
			wrong++
		}
	}
	return right, wrong
}

// make makes a table.
func (t pairTable) make(seed uint64) (*data.Dataset, error) {
	rng := rand.New(rand.NewPCG(seed, 26))
	x, y := make([]float64, t.n*t.m), make([]float64, t.n)
	own := math.Sqrt(1 - t.correlation*t.correlation)
	for i := range t.n {
		row := x[i*t.m : (i+1)*t.m]
		for j := range row {
			row[j] = rng.NormFloat64()
			if j > 0 {
				row[j] = t.correlation*row[j-1] + own*row[j]
			}
		}
		for j := range 2 * truePairs {
			y[i] += pairMain*row[j] + t.square*row[j]*row[j]
		}
		for p := range t.pairs {
			y[i] += row[2*p] * row[2*p+1]
		}
	}
	noise := stat.StdDev(y, nil)
	middle := stat.Mean(y, nil)
	for i := range y {
		y[i] += noise * rng.NormFloat64()
		if t.classes {
			y[i] = math.Copysign(1, y[i]-middle)
		}
	}
	return data.FromRows(nil, t.m, x, y)
}

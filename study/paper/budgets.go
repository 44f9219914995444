package paper

import (
	"context"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"time"

	"gonum.org/v1/gonum/mat"

	"fsa"
	"fsa/data"
)

// The numbers of the experiment.
const (
	budgetRuns    = 50  // small tables of each kind, by default
	longRuns      = 3   // tables of 100,000 columns
	nearOptimum   = 1.0 // percent above the optimum that count as near
	nearShare     = "at most 1% above the optimum (%)"
	aboveOptimum  = "above the optimum (%)"
	withBudget    = "budget"
	withSize      = "k = 10"
	budgetSeconds = "seconds"
	timesPlain    = "times the plain fit"
)

// budgetTable is a kind of table whose columns have prices.
type budgetTable struct {
	name    string
	optimum bool // whether the optimum is computed
	size
}

var budgetTables = []budgetTable{
	{"15 columns, 1000 rows", true, size{1000, 15, 0}},
	{"15 columns, 300 rows", true, size{300, 15, 0}},
	{"100,000 columns", false, size{300, 100000, 10}},
}

// budgets compares selections within a budget with the optimum by brute force, and their time with that of a plain fit. It is
// not in the paper.
func budgets(ctx context.Context, s *Setup) (*Result, error) {
	r := &Result{byMethod: true}
	var units []unit
	for _, t := range budgetTables {
		methods := []string{withBudget}
		if !t.optimum {
			methods = append(methods, withSize)
		}
		for _, seed := range t.seeds(s) {
			units = append(units, unit{cell: t.name, seed: seed, methods: methods, load: func(context.Context) (trial, error) { return t.load(seed) }})
		}
	}
	out, err := s.fit(ctx, "budgets", s.Threads, units)
	if err != nil {
		return nil, err
	}
	for _, t := range budgetTables {
		row := func(method, metric string) *Row {
			sum := out.summarize(t.name, method, metric, t.seeds(s))
			r.Rows = append(r.Rows, Row{Data: t.name, N: new(t.n), M: new(t.m), Method: method, Metric: metric, Ours: sum.mean, Runs: sum.runs, SE: sum.se})
			return &r.Rows[len(r.Rows)-1]
		}
		if t.optimum {
			row(withBudget, nearShare)
			row(withBudget, aboveOptimum)
			continue
		}
		budget, plain := row(withBudget, budgetSeconds).Ours, row(withSize, budgetSeconds).Ours
		if budget != nil && plain != nil {
			r.Rows = append(r.Rows, Row{Data: t.name, N: new(t.n), M: new(t.m), Method: withBudget, Metric: timesPlain, Ours: new(*budget / *plain), Runs: len(t.seeds(s))})
		}
	}
	r.Notes = append(r.Notes, "Straight lines. The optimum is that of least squares over all selections within the budget.")
	r.Notes = append(r.Notes, out.notes()...)
	return r, nil
}

// seeds returns the seeds of the tables of a kind.
func (t *budgetTable) seeds(s *Setup) []uint64 {
	if t.optimum {
		return s.seeds(budgetRuns)
	}
	list := s.seeds(longRuns)
	return list[:min(len(list), longRuns)]
}

// load makes a table with prices from 1 to 10, a third of whose columns have an effect, or 10 if there are many. Neighbours have
// a correlation of 0.6. It returns a function that fits it.
func (t budgetTable) load(seed uint64) (trial, error) {
	rng := rand.New(rand.NewPCG(seed, 31))
	beta := make([]float64, t.m)
	var costs []fsa.Cost
	for j := range beta {
		if rng.IntN(max(3, t.m/10)) == 0 {
			beta[j] = rng.NormFloat64()
		}
		costs = append(costs, fsa.Cost{Column: fmt.Sprint(j), Price: float64(1 + rng.IntN(10))})
	}
	x, y := make([]float64, t.n*t.m), make([]float64, t.n)
	for i := range t.n {
		row, last := x[i*t.m:(i+1)*t.m], 0.0
		y[i] = rng.NormFloat64()
		for j := range row {
			last = 0.6*last + 0.8*rng.NormFloat64()
			row[j] = last
			y[i] += beta[j] * last
		}
	}
	budget := 10 + 5*float64(seed%7)
	if !t.optimum {
		budget = 55 // about ten columns
	}
	d, err := data.FromRows(nil, t.m, x, y)
	return func(ctx context.Context, method string) (values, error) {
		o := fsa.Options{Bins: fsa.None, Run: fsa.Run{Threads: 1}}
		if method == withSize {
			o.K = t.k
		} else {
			o.Selection = fsa.Selection{Costs: costs, Budgets: []float64{budget}}
		}
		start := time.Now()
		m, err := fsa.Fit(ctx, d, o)
		if err != nil {
			return nil, err
		}
		to := values{budgetSeconds: time.Since(start).Seconds()}
		if t.optimum {
			set := uint(0)
			for _, v := range m.Selected() {
				set |= 1 << v.Index
			}
			above := 100 * overBest(moments(x, y, t.m), costs, budget, set)
			to[aboveOptimum], to[nearShare] = above, 0
			if above <= nearOptimum {
				to[nearShare] = 100
			}
		}
		return to, nil
	}, err
}

// moments returns the sums of products of the centred columns and, last, the target.
func moments(x, y []float64, cols int) *mat.SymDense {
	n := len(y)
	all := mat.NewDense(n, cols+1, nil)
	for j := range cols + 1 {
		mean := 0.0
		for i := range n {
			v := y[i]
			if j < cols {
				v = x[i*cols+j]
			}
			all.Set(i, j, v)
			mean += v / float64(n)
		}
		for i := range n {
			all.Set(i, j, all.At(i, j)-mean)
		}
	}
	g := mat.NewSymDense(cols+1, nil)
	g.SymOuterK(1, all.T())
	return g
}

// overBest returns by which share the sum of squared residuals of a set of columns is above the smallest one within a budget.
func overBest(g *mat.SymDense, costs []fsa.Cost, budget float64, set uint) float64 {
	best := math.Inf(1)
	for other := range uint(1) << len(costs) {
		sum := 0.0
		for rest := other; rest != 0; rest &= rest - 1 {
			sum += costs[bits.TrailingZeros(rest)].Price
		}
		if sum <= budget {
			best = min(best, residualSquares(g, other))
		}
	}
	return residualSquares(g, set)/best - 1
}

// residualSquares returns the sum of squared residuals of least squares on a set of columns, by Gaussian elimination.
func residualSquares(g *mat.SymDense, set uint) float64 {
	var at []int
	for ; set != 0; set &= set - 1 {
		at = append(at, bits.TrailingZeros(set))
	}
	at = append(at, g.SymmetricDim()-1)
	n := len(at)
	m := make([]float64, n*n)
	for i, a := range at {
		for j, b := range at {
			m[i*n+j] = g.At(a, b)
		}
	}
	for i := range n - 1 {
		for j := i + 1; j < n; j++ {
			f := m[j*n+i] / m[i*n+i]
			for k := i; k < n; k++ {
				m[j*n+k] -= f * m[i*n+k]
			}
		}
	}
	return m[n*n-1]
}

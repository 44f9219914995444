package fsa_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"fsa"
	"fsa/model"
)

// priced is a random table whose columns have prices. A third of the columns have an effect, and neighbours are
// correlated.
type priced struct {
	*cells
	costs []fsa.Cost
}

func newPriced(seed uint64, rows, cols int) *priced {
	rng := rand.New(rand.NewPCG(seed, 7))
	p := &priced{cells: &cells{rows: rows, cols: cols}}
	beta := make([]float64, cols)
	for j := range beta {
		if rng.IntN(3) == 0 {
			beta[j] = rng.NormFloat64()
		}
		p.costs = append(p.costs, fsa.Cost{Column: fmt.Sprint(j), Price: float64(1 + rng.IntN(10))})
	}
	for range rows {
		y, last := rng.NormFloat64(), 0.0
		for j := range beta {
			last = 0.6*last + 0.8*rng.NormFloat64()
			p.x = append(p.x, last)
			y += beta[j] * last
		}
		p.y = append(p.y, y)
	}
	return p
}

// gram returns the products of the centred columns and, last, the target.
func (p *priced) gram() [][]float64 {
	n := p.cols + 1
	at := func(i, j int) float64 {
		if j == p.cols {
			return p.y[i]
		}
		return p.x[i*p.cols+j]
	}
	mean := make([]float64, n)
	for i := range p.rows {
		for j := range mean {
			mean[j] += at(i, j) / float64(p.rows)
		}
	}
	g := make([][]float64, n)
	for a := range g {
		g[a] = make([]float64, n)
		for b := range g {
			for i := range p.rows {
				g[a][b] += (at(i, a) - mean[a]) * (at(i, b) - mean[b])
			}
		}
	}
	return g
}

// squares returns the sum of squared residuals of least squares on the columns of a set, by Gaussian elimination.
func squares(g [][]float64, set uint) float64 {
	var at []int
	for ; set != 0; set &= set - 1 {
		at = append(at, bits.TrailingZeros(set))
	}
	at = append(at, len(g)-1)
	n := len(at)
	m := make([]float64, n*n)
	for i, a := range at {
		for j, b := range at {
			m[i*n+j] = g[a][b]
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

// optimum returns the smallest sum of squared residuals within a budget.
func (p *priced) optimum(budget float64) float64 {
	g, best := p.gram(), math.Inf(1)
	for set := range uint(1) << p.cols {
		sum := 0.0
		for rest := set; rest != 0; rest &= rest - 1 {
			sum += p.costs[bits.TrailingZeros(rest)].Price
		}
		if sum <= budget {
			best = min(best, squares(g, set))
		}
	}
	return best
}

// TestBudgetOptimum compares the training loss of selections with the optimum by brute force.
func TestBudgetOptimum(t *testing.T) {
	for seed := range uint64(8) {
		p := newPriced(seed, 1000, 12)
		budget := 10 + 5*float64(seed%7)
		m := fit(t, p.table(t), fsa.Options{Selection: fsa.Selection{Costs: p.costs, Budgets: []float64{budget}}, Bins: fsa.None})
		set := uint(0)
		for _, v := range m.Selected() {
			set |= 1 << v.Index
		}
		if got, want := squares(p.gram(), set), p.optimum(budget); got > 1.01*want {
			t.Errorf("seed %d: %.2f%% above the optimum", seed, 100*(got/want-1))
		}
	}
}

// TestBudgetKept checks, for random tables, groups, panels and losses, that neither a fold nor the model costs more than
// its budget, and that the number of threads does not change the model.
func TestBudgetKept(t *testing.T) {
	for seed := range uint64(12) {
		rng := rand.New(rand.NewPCG(seed, 5))
		p := newPriced(seed, 80+rng.IntN(200), 8+rng.IntN(20))
		o := fsa.Options{Selection: fsa.Selection{Costs: p.costs}, Quick: seed%3 == 0}
		for i := range 3 { // a panel
			o.Selection.Costs[i].Price, o.Selection.Costs[i].Panel = 4.2, "panel"
		}
		o.Selection.Groups = [][]string{{"4", "6"}}
		o.Selection.Costs[5].Price = 0
		if seed%4 == 1 {
			o.Selection.Force = []string{"3"}
		}
		if seed%2 == 1 {
			o.Loss = "logistic"
			for i, y := range p.y {
				p.y[i] = math.Copysign(1, y)
			}
		}
		if o.Selection.Budgets = []float64{10 + 20*rng.Float64()}; seed%3 == 1 {
			o.Selection.Budgets = append(o.Selection.Budgets, 12)
		}
		of := func(columns map[int]bool) (sum float64) {
			for j, c := range o.Selection.Costs {
				if columns[j] && (c.Panel == "" || !columns[0] || j == 0) {
					sum += c.Price
				}
			}
			return sum
		}
		var first string
		for _, threads := range []int{1, 3} {
			o.Run.Threads = threads
			j, err := fsa.Prepare(background, p.table(t), o)
			if err != nil {
				t.Fatal(err)
			}
			m, err := j.Run(background)
			if err != nil {
				t.Fatal(err)
			}
			columns := map[int]bool{}
			for _, v := range m.Selected() {
				columns[v.Index] = true
			}
			c := m.Training().Costs
			if sum := of(columns); math.Abs(sum-c.Spent) > 1e-9 || sum > c.Budget+1e-9 || !slices.Contains(o.Selection.Budgets, c.Budget) && c.Budget != 0 {
				t.Errorf("seed %d: the columns %v cost %v: %+v", seed, columns, sum, c)
			}
			if columns[0] != columns[1] || columns[1] != columns[2] || columns[4] != columns[6] || seed%4 == 1 && !columns[3] {
				t.Errorf("seed %d: the columns are %v", seed, columns)
			}
			if e := j.Evidence(); e != nil {
				for fold, first := range e.Selected {
					columns := map[int]bool{}
					for _, column := range first {
						columns[column] = true
					}
					if columns[4] {
						columns[6] = true
					}
					if sum := of(columns); sum > c.Budget+1e-9 {
						t.Errorf("seed %d: fold %d spends %v of %v", seed, fold, sum, c.Budget)
					}
				}
			}
			var file bytes.Buffer
			if _, err := m.WriteTo(&file); err != nil {
				t.Fatal(err)
			}
			if first == "" {
				first = file.String()
			} else if file.String() != first {
				t.Errorf("seed %d: the model depends on the number of threads", seed)
			}
			if again, err := model.Read(&file); err != nil || fmt.Sprint(again.Training().Costs) != fmt.Sprint(c) {
				t.Errorf("seed %d: %v", seed, err)
			}
		}
	}
}

// TestCostsRefused checks the messages about prices and budgets that are wrong or do not go with other options.
func TestCostsRefused(t *testing.T) {
	p := newPriced(1, 60, 6)
	d := p.table(t)
	for says, o := range map[string]fsa.Options{
		"give the costs":              {Selection: fsa.Selection{Budgets: []float64{1}}},
		"the budget decides":          {K: 2, Selection: fsa.Selection{Costs: p.costs}},
		"is not controlled":           {Selection: fsa.Selection{Costs: p.costs, FDR: 0.1}},
		"counts variables":            {Selection: fsa.Selection{Costs: p.costs, Choose: "bic"}},
		"one budget is needed":        {Selection: fsa.Selection{Costs: p.costs}, Quick: true},
		"nothing to choose":           {Selection: fsa.Selection{Costs: p.costs, Budgets: []float64{5}, Choose: "min"}},
		"interactions have":           {Selection: fsa.Selection{Costs: p.costs, Interactions: fsa.Interactions{Find: true}}},
		"polishing":                   {Selection: fsa.Selection{Costs: p.costs, Polish: true}},
		"rivals may cost":             {Selection: fsa.Selection{Costs: p.costs}, Validation: fsa.Validation{Rivals: true}},
		"end early":                   {Selection: fsa.Selection{Costs: p.costs}, Run: fsa.Run{Deadline: time.Now().Add(time.Hour)}},
		"priors on curves":            {Selection: fsa.Selection{Costs: p.costs}, Bins: 4, Objective: fsa.Objective{CurvePriors: map[string]float64{"smooth": 1}}},
		"on the CPU only":             {Selection: fsa.Selection{Costs: p.costs}, Run: fsa.Run{Device: "cuda"}},
		"has two prices":              {Selection: fsa.Selection{Costs: append(p.costs[:6:6], p.costs[0])}},
		"one by its name":             {Selection: fsa.Selection{Costs: append(p.costs[:6:6], fsa.Cost{Column: "x0"})}},
		"no such variable":            {Selection: fsa.Selection{Costs: []fsa.Cost{{Column: "all"}, {Column: "nobody"}}}},
		`"x5" has no price`:           {Selection: fsa.Selection{Costs: p.costs[:5]}},
		"the price of \"0\" is NaN":   {Selection: fsa.Selection{Costs: []fsa.Cost{{Column: "0", Price: math.NaN()}}}},
		"budget -1":                   {Selection: fsa.Selection{Costs: p.costs, Budgets: []float64{-1}}},
		"costs 1 by \"0\" and 2 by":   {Selection: fsa.Selection{Costs: []fsa.Cost{{Column: "0", Price: 1, Panel: "p"}, {Column: "1", Price: 2, Panel: "p"}}}},
		"in panel \"p\" and in a":     {Selection: fsa.Selection{Costs: []fsa.Cost{{Column: "0", Price: 1, Panel: "p"}}, Groups: [][]string{{"0", "1"}}}},
		"every variable costs more":   {Selection: fsa.Selection{Costs: []fsa.Cost{{Column: "all", Price: 3}}, Budgets: []float64{2}}},
		"the forced variables cost 6": {Selection: fsa.Selection{Costs: []fsa.Cost{{Column: "all", Price: 3}}, Budgets: []float64{5}, Force: []string{"1", "2"}}},
	} {
		if _, err := fsa.Fit(background, d, o); err == nil || !errors.Is(err, fsa.ErrOptions) || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v", says, err)
		}
	}
}

// TestBudgetResumed checks that a fit that continues from a complete record returns the same model.
func TestBudgetResumed(t *testing.T) {
	p := newPriced(4, 300, 15)
	record := new(fsa.Record)
	var files [2]bytes.Buffer
	for i := range files {
		m := fit(t, p.table(t), fsa.Options{Selection: fsa.Selection{Costs: p.costs, Budgets: []float64{25}}, Run: fsa.Run{Record: record}, Validation: fsa.Validation{Stability: 2}})
		if _, err := m.WriteTo(&files[i]); err != nil {
			t.Fatal(err)
		}
	}
	if files[0].String() != files[1].String() {
		t.Error("the second model is another one")
	}
}

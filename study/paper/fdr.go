package paper

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"fsa"
	"fsa/data"
)

// The numbers of the experiment.
const (
	fdrRuns    = 10   // runs of each cell, by default
	fdrRate    = 0.1  // false discovery rate
	fdrColumns = 1000 // of every table
	alike      = 0.95 // correlation from which a column is a copy of another
	falseShare = "false (%)"
	apartShare = "false, other than copies (%)"
	foundShare = "found (%)"
	nothing    = "nothing selected (%)"
	halfRows   = "fsa"
	knockedOff = "knockoffs"
)

// fdrDesign is a kind of table of the experiment.
type fdrDesign struct {
	rows, relevant int
	by             covariance
	heavy          bool    // columns and errors have t distributions with 3 degrees of freedom
	classes        bool    // two classes, whose log odds are linear
	signal         float64 // its variance over that of the errors; for classes, the variance of the log odds
}

// fdrDesigns are the kinds of tables. The second has the rows, columns, relevant variables and signal of the simulations of T-Rex
// (Machkour, Muma and Palomar 2025).
var fdrDesigns = []fdrDesign{
	{300, 10, independent, false, false, 10},
	{300, 10, independent, false, false, 1},
	{300, 10, neighbours(0.5), false, false, 1},
	{300, 10, neighbours(0.5), true, false, 2},
	{300, 10, neighbours(0.9), false, false, 10},
	{300, 10, factors(0.5), false, false, 5},
	{300, 10, copies(0.99), false, false, 5},
	{1000, 10, independent, true, false, 0.5},
	{1000, 10, equal(0.9), false, false, 2},
	{1000, 10, copies(0.99), false, false, 2},
	{1000, 30, neighbours(0.9), false, false, 3},
	{1000, 30, equal(0.5), false, false, 3},
	{1000, 30, factors(0.7), false, false, 3},
	{3000, 50, neighbours(0.5), false, false, 1},
	{300, 10, independent, false, true, 20},
	{1000, 10, independent, false, true, 4},
	{1000, 10, neighbours(0.9), false, true, 20},
	{1000, 10, factors(0.5), false, true, 10},
	{1000, 30, neighbours(0.5), false, true, 10},
	{3000, 50, neighbours(0.5), false, true, 5},
}

// name names a design in the results.
func (d fdrDesign) name() string {
	kind := "number"
	if d.classes {
		kind = "two classes"
	}
	name := fmt.Sprintf("%s, %s, signal %v", kind, d.by.name, d.signal)
	if d.heavy {
		name += ", heavy tails"
	}
	return fmt.Sprintf("%s, %d rows, k = %d", name, d.rows, d.relevant)
}

// falseDiscoveries measures the share of false variables among the selected ones and the share of the true variables that
// are found, at a false discovery rate. It is not in the paper.
func falseDiscoveries(ctx context.Context, s *Setup) (*Result, error) {
	seeds, methods := s.seeds(fdrRuns), []string{halfRows, knockedOff}
	r := &Result{byMethod: true}
	var units []unit
	for _, seed := range seeds { // all designs first, so that a stopped run has some tables of each
		for _, d := range fdrDesigns {
			if s.allows(d.rows) {
				units = append(units, unit{cell: d.name(), seed: seed, methods: methods, load: func(context.Context) (trial, error) { return d.load(seed) }})
			}
		}
	}
	out, err := s.fit(ctx, "fdr", s.Threads, units)
	if err != nil {
		return nil, err
	}
	for _, d := range fdrDesigns {
		if !s.allows(d.rows) {
			continue
		}
		for _, method := range methods {
			for _, metric := range []string{falseShare, apartShare, foundShare, nothing} {
				sum := out.summarize(d.name(), method, metric, seeds)
				r.Rows = append(r.Rows, Row{Data: d.name(), N: new(d.rows), M: new(fdrColumns), K: new(d.relevant), Method: method, Metric: metric, Ours: sum.mean, Runs: sum.runs, SE: sum.se})
			}
		}
	}
	r.Notes = append(r.Notes,
		fmt.Sprintf("The false discovery rate is %v. A selection without variables has no false ones. A copy has a correlation of %v or more with a true variable.", fdrRate, alike),
		"Knockoffs know the covariance of the variables: they are Gaussian and equicorrelated, with the difference of lasso coefficients and the threshold knockoff+.")
	r.Notes = append(r.Notes, out.notes()...)
	return r, nil
}

// truth returns the coefficient of each column: those of relevant variables are 1 and −1 in turn.
func (d fdrDesign) truth() []float64 {
	beta := make([]float64, fdrColumns)
	for i := range d.relevant {
		beta[fdrColumns/d.relevant*i] = 1 - 2*float64(i%2)
	}
	return beta
}

// make makes a table: its columns, and its target.
func (d fdrDesign) make(seed uint64) (x [][]float64, y []float64) {
	rng, beta := rand.New(rand.NewPCG(seed, 31)), d.truth()
	noise := rng.NormFloat64
	if d.heavy {
		noise = func() float64 { return heavyTailed(rng) }
	}
	x = make([][]float64, fdrColumns)
	for j := range x {
		x[j] = make([]float64, d.rows)
	}
	scale := math.Sqrt(d.signal / d.by.variance(beta))
	row := make([]float64, fdrColumns)
	for i := range d.rows {
		d.by.draw(row, noise)
		z := 0.0
		for j, v := range row {
			x[j][i] = v
			z += scale * beta[j] * v
		}
		if d.classes {
			y = append(y, 0)
			if rng.Float64() < logistic(z) {
				y[i] = 1
			}
			continue
		}
		y = append(y, z+noise())
	}
	return x, y
}

// heavyTailed returns a number of the t distribution with 3 degrees of freedom, divided by its standard deviation.
func heavyTailed(rng *rand.Rand) float64 {
	const freedom = 3
	square := 0.0
	for range freedom {
		square += math.Pow(rng.NormFloat64(), 2)
	}
	return rng.NormFloat64() / math.Sqrt(square)
}

// load makes a table and returns a function that selects variables by a method.
func (d fdrDesign) load(seed uint64) (trial, error) {
	x, y := d.make(seed)
	var cells []float64
	for i := range y {
		for j := range x {
			cells = append(cells, x[j][i])
		}
	}
	table, err := data.FromRows(nil, len(x), cells, y)
	if err != nil {
		return nil, err
	}
	beta := d.truth()
	return func(ctx context.Context, method string) (values, error) {
		var selected []int
		if method == knockedOff {
			selected = knockoffs(x, y, d.by, fdrRate, seed)
		} else {
			m, err := fsa.Fit(ctx, table, fsa.Options{Selection: fsa.Selection{FDR: fdrRate}, Seed: seed, Run: fsa.Run{Threads: 1}})
			if err != nil {
				return nil, err
			}
			selected = indices(m)
		}
		var right, apart float64
		for _, j := range selected {
			switch {
			case beta[j] != 0:
				right++
			case !slices.ContainsFunc(d.columns(), func(k int) bool { return math.Abs(d.by.between(j, k)) >= alike }):
				apart++
			}
		}
		n := float64(len(selected))
		return values{
			falseShare: 100 * (n - right) / max(n, 1), apartShare: 100 * apart / max(n, 1), foundShare: 100 * right / float64(d.relevant),
			nothing: percentIf(n == 0),
		}, nil
	}, nil
}

// columns returns the columns of the relevant variables.
func (d fdrDesign) columns() (list []int) {
	for j, b := range d.truth() {
		if b != 0 {
			list = append(list, j)
		}
	}
	return list
}

package paper

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"fsa"
	"fsa/data"
)

// The numbers of the experiment.
const (
	confidenceRuns = 20  // runs of each cell, by default
	level          = 0.9 // of the intervals
	crossed        = "fsa"
	asIfGiven      = "as if given" // intervals that ignore the selection
	coveredShare   = "hold the coefficient (%)"
	coveredTrue    = "of true variables (%)"
	coveredOther   = "of others (%)"
	widthRatio     = "width / width as if given"
	withoutOne     = "selected, without interval"
	wrongCount     = "selected, not true"
	selectedCount  = "selected"
	targetRows     = 40000 // rows on which the coefficients of the population are computed
)

// signals are the true coefficients over their standard errors, from strong to as weak as noise.
var signals = []float64{12, 10, 8, 7, 6, 5, 5, 4, 4, 3}

// confidenceTable is a kind of table of the experiment.
type confidenceTable struct {
	name        string
	classes     bool
	correlation float64 // of neighbouring columns
	size
}

var confidenceTables = []confidenceTable{
	{"number, independent", false, 0, size{300, 1000, 10}},
	{"number, neighbours 0.5", false, 0.5, size{300, 300, 10}},
	{"number, neighbours 0.9", false, 0.9, size{500, 200, 10}},
	{"two classes, independent", true, 0, size{500, 200, 10}},
	{"two classes, neighbours 0.5", true, 0.5, size{500, 100, 10}},
	{"two classes, neighbours 0.9", true, 0.9, size{1000, 100, 10}},
}

// confidence measures how many confidence intervals hold the coefficients of the selected variables. It is not in the paper.
func confidence(ctx context.Context, s *Setup) (*Result, error) {
	seeds, methods := s.seeds(confidenceRuns), []string{crossed}
	r := &Result{byMethod: true}
	var units []unit
	for _, t := range confidenceTables {
		if !s.allows(t.n) {
			continue
		}
		for _, seed := range seeds {
			units = append(units, unit{cell: t.name, seed: seed, methods: methods, load: func(context.Context) (trial, error) { return t.load(seed) }})
		}
	}
	out, err := s.fit(ctx, "confidence", s.Threads, units)
	if err != nil {
		return nil, err
	}
	for _, t := range confidenceTables {
		share := func(method, metric, of string) {
			part, all := out.summarize(t.name, crossed, method+metric, seeds), out.summarize(t.name, crossed, of, seeds)
			row := Row{Data: t.name, N: new(t.n), M: new(t.m), K: new(t.k), Method: method, Metric: metric, Runs: all.runs}
			if part.mean != nil && *all.mean > 0 {
				p := *part.mean / *all.mean
				row.Ours, row.SE = new(100*p), new(100*math.Sqrt(p*(1-p)/(*all.mean*float64(all.runs))))
			}
			r.Rows = append(r.Rows, row)
		}
		for _, method := range []string{crossed, asIfGiven} {
			share(method, coveredShare, counted)
			share(method, coveredTrue, countedTrue)
			share(method, coveredOther, countedOther)
		}
		for _, metric := range []string{selectedCount, wrongCount, withoutOne, widthRatio} {
			sum := out.summarize(t.name, crossed, metric, seeds)
			r.Rows = append(r.Rows, Row{Data: t.name, N: new(t.n), M: new(t.m), K: new(t.k), Method: crossed, Metric: metric, Ours: sum.mean, Runs: sum.runs, SE: sum.se})
		}
	}
	r.Notes = append(r.Notes,
		fmt.Sprintf("Intervals of %v%%. The coefficient of a variable is that of the population in the model of the selected variables; if all true variables are selected, it is the true coefficient.", 100*level),
		"True coefficients are 3 to 12 times their standard errors. Shares are over all selected variables of all tables; k is open.")
	r.Notes = append(r.Notes, out.notes()...)
	return r, nil
}

// Numbers of variables that are counted for the shares.
const (
	counted      = "with an interval"
	countedTrue  = "true, with an interval"
	countedOther = "not true, with an interval"
)

// coefficients returns the true coefficient of each variable.
func (t confidenceTable) coefficients() []float64 {
	beta := make([]float64, t.m)
	unit := 1 / math.Sqrt(float64(t.n))
	if t.classes {
		unit *= 2.5 // about the root of the inverse of the mean p(1−p)
	}
	for i, ratio := range signals {
		beta[t.m/t.k*(i+1)-1] = ratio * unit * (1 - 2*float64(i%2))
	}
	return beta
}

// made is a generated table.
type made struct {
	x, y []float64
	d    *data.Dataset
}

// make makes a table.
func (t confidenceTable) make(rng *rand.Rand) (made, error) {
	beta := t.coefficients()
	x, y := make([]float64, t.n*t.m), make([]float64, t.n)
	own := math.Sqrt(1 - t.correlation*t.correlation)
	for i := range t.n {
		row, z := x[i*t.m:(i+1)*t.m], 0.0
		for j := range row {
			row[j] = rng.NormFloat64()
			if j > 0 {
				row[j] = t.correlation*row[j-1] + own*row[j]
			}
			z += beta[j] * row[j]
		}
		if y[i] = z + rng.NormFloat64(); t.classes {
			y[i] = 0
			if rng.Float64() < logistic(z) {
				y[i] = 1
			}
		}
	}
	d, err := data.FromRows(nil, t.m, x, y)
	return made{x, y, d}, err
}

// load makes a table and returns a function that fits it and counts the intervals.
func (t confidenceTable) load(seed uint64) (trial, error) {
	rng, beta := rand.New(rand.NewPCG(seed, 27)), t.coefficients()
	table, err := t.make(rng)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, _ string) (values, error) {
		m, err := fsa.Fit(ctx, table.d, fsa.Options{Bins: fsa.None, Seed: seed, Validation: fsa.Validation{Confidence: level}, Run: fsa.Run{Threads: 1}})
		if err != nil {
			return nil, err
		}
		selected := indices(m)
		slices.Sort(selected)
		target := t.population(rng, beta, selected)
		given := fitOf(columnsOf(table.x, t.m, selected), table.y, t.classes, 0)
		to := values{selectedCount: float64(len(selected))}
		if m.Stability() == nil {
			return to, nil
		}
		var ratio float64
		for i, v := range m.Stability().Variables {
			column := m.Selected()[i].Index
			at := slices.Index(selected, column)
			kind, of := coveredTrue, countedTrue
			if beta[column] == 0 {
				kind, of = coveredOther, countedOther
				to[wrongCount]++
			}
			if v.Low == nil {
				to[withoutOne]++
				continue
			}
			truth, reach := target[at], given.se[at]*distuv.UnitNormal.Quantile((1+level)/2)
			ratio += (v.High[0] - v.Low[0]) / (2 * reach)
			to[counted]++
			to[of]++
			for method, held := range map[string]bool{crossed: v.Low[0] <= truth && truth <= v.High[0], asIfGiven: math.Abs(given.beta[at]-truth) <= reach} {
				if held {
					to[method+coveredShare]++
					to[method+kind]++
				}
			}
		}
		if to[counted] > 0 {
			to[widthRatio] = ratio / to[counted]
		}
		for _, name := range []string{wrongCount, withoutOne, counted, countedTrue, countedOther} {
			to[name] += 0
		}
		for _, method := range []string{crossed, asIfGiven} {
			for _, metric := range []string{coveredShare, coveredTrue, coveredOther} {
				to[method+metric] += 0
			}
		}
		return to, nil
	}, nil
}

func logistic(z float64) float64 { return 1 / (1 + math.Exp(-z)) }

// columnsOf returns some columns of the rows of a table.
func columnsOf(x []float64, width int, list []int) [][]float64 {
	to := make([][]float64, len(list))
	for i, j := range list {
		for at := j; at < len(x); at += width {
			to[i] = append(to[i], x[at])
		}
	}
	return to
}

// population returns the coefficients of the selected variables, ascending, in the population: those of the model of these
// variables alone that predicts best. The true variables are generated with them, as the target depends on them.
func (t confidenceTable) population(rng *rand.Rand, beta []float64, selected []int) []float64 {
	union := slices.Clone(selected)
	for j, b := range beta {
		if b != 0 {
			union = append(union, j)
		}
	}
	slices.Sort(union)
	union = slices.Compact(union)
	x, y := make([][]float64, len(selected)), make([]float64, targetRows)
	for i := range targetRows {
		last, z, at := 0.0, 0.0, 0
		for u, j := range union {
			shared := 0.0
			if u > 0 {
				shared = math.Pow(t.correlation, float64(j-union[u-1]))
			}
			last = shared*last + math.Sqrt(1-shared*shared)*rng.NormFloat64()
			z += beta[j] * last
			if at < len(selected) && selected[at] == j {
				x[at] = append(x[at], last)
				at++
			}
		}
		if y[i] = z; t.classes {
			y[i] = logistic(z)
		}
	}
	return fitOf(x, y, t.classes, 0).beta
}

// likelihood is a fit by maximum likelihood.
type likelihood struct {
	beta, se  []float64
	intercept float64
}

// fitOf fits a line or, for classes, a logistic regression, by Newton's method. The target of classes is a probability. The
// ridge is that of the mean of half the squared errors, or of the log loss.
func fitOf(x [][]float64, y []float64, classes bool, ridge float64) likelihood {
	n, k := len(y), len(x)+1
	beta := make([]float64, k) // the intercept last
	var inverse mat.SymDense
	var rest float64 // sum of squared residuals
	steps := 1
	if classes {
		steps = 25
	}
	row := mat.NewVecDense(k, nil)
	for range steps {
		hessian, gradient := mat.NewSymDense(k, nil), mat.NewVecDense(k, nil)
		for i := range n {
			z := beta[k-1]
			for j := range x {
				row.SetVec(j, x[j][i])
				z += beta[j] * x[j][i]
			}
			row.SetVec(k-1, 1)
			residual, curvature := y[i]-z, 1.0
			if classes {
				p := logistic(z)
				residual, curvature = y[i]-p, p*(1-p)
			}
			gradient.AddScaledVec(gradient, residual, row)
			hessian.SymRankOne(hessian, curvature, row)
		}
		for j := range k - 1 {
			hessian.SetSym(j, j, hessian.At(j, j)+float64(n)*ridge)
			gradient.SetVec(j, gradient.AtVec(j)-float64(n)*ridge*beta[j])
		}
		var factor mat.Cholesky
		if !factor.Factorize(hessian) || factor.InverseTo(&inverse) != nil {
			break
		}
		step := mat.NewVecDense(k, nil)
		step.MulVec(&inverse, gradient)
		for j := range beta {
			beta[j] += step.AtVec(j)
		}
	}
	if !classes {
		for i := range n {
			z := beta[k-1]
			for j := range x {
				z += beta[j] * x[j][i]
			}
			rest += (y[i] - z) * (y[i] - z)
		}
	}
	scale := 1.0
	if !classes {
		scale = rest / float64(n-k)
	}
	f := likelihood{beta: beta[:k-1], intercept: beta[k-1]}
	for j := range k - 1 {
		f.se = append(f.se, math.Sqrt(scale*inverse.At(j, j)))
	}
	return f
}

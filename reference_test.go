package fsa_test

import (
	"bytes"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"fsa"
	"fsa/data"
	"fsa/data/synth"
	"fsa/model"
)

// refer returns the comparison with a reference.
func refer(t *testing.T, d *data.Dataset, o fsa.Options) *model.Reference {
	t.Helper()
	r := fit(t, d, o).Validation().Reference
	if r == nil {
		t.Fatal("no reference")
	}
	return r
}

// ridgeMargins solves the ridge regression of the standardised columns of some rows by the normal equations, and predicts
// others.
func ridgeMargins(c *cells, train, test []int, ridge float64) []float64 {
	n, p := float64(len(train)), c.cols
	center, sd, y := make([]float64, p), make([]float64, p), 0.0
	for _, i := range train {
		y += c.y[i] / n
		for j := range p {
			center[j] += c.x[i*p+j] / n
		}
	}
	for _, i := range train {
		for j := range p {
			sd[j] += math.Pow(c.x[i*p+j]-center[j], 2) / n
		}
	}
	at := func(i, j int) float64 { return (c.x[i*p+j] - center[j]) / math.Sqrt(sd[j]) }
	h, g := mat.NewDense(p, p, nil), mat.NewVecDense(p, nil)
	for a := range p {
		for b := range p {
			for _, i := range train {
				h.Set(a, b, h.At(a, b)+at(i, a)*at(i, b)/n)
			}
		}
		h.Set(a, a, h.At(a, a)+2*ridge)
		for _, i := range train {
			g.SetVec(a, g.AtVec(a)+at(i, a)*(c.y[i]-y)/n)
		}
	}
	var beta mat.VecDense
	if err := beta.SolveVec(h, g); err != nil {
		panic(err)
	}
	var out []float64
	for _, i := range test {
		z := y
		for j := range p {
			z += beta.AtVec(j) * at(i, j)
		}
		out = append(out, z)
	}
	return out
}

func halfSquares(c *cells, rows []int, z []float64) (sum float64) {
	for i, row := range rows {
		sum += (c.y[row] - z[i]) * (c.y[row] - z[i]) / 2
	}
	return sum
}

// The loss of the reference is that of ridge regressions that are computed here from the normal equations, with the ridge
// of each fold chosen within its training rows.
func TestReferenceRidge(t *testing.T) {
	c, folds := newCells(60, 8, 4), 4
	fold := make([]float64, c.rows)
	parts := make([][]int, folds)
	for i := range fold {
		c.y[i] += 3 * math.Sin(float64(i*i)) // noise
		at := (i*7 + i/5) % folds
		fold[i], parts[at] = float64(at), append(parts[at], i)
	}
	without := func(out ...int) (rows []int) {
		for i := range fold {
			if int(fold[i]) != out[0] && int(fold[i]) != out[len(out)-1] {
				rows = append(rows, i)
			}
		}
		return rows
	}
	want := 0.0
	for f := range folds {
		best, least := 0.0, math.Inf(1)
		for power := -12; power <= 12; power++ {
			ridge, sum := 0.1*math.Pow(10, float64(power)/2), 0.0
			for by := 1; by < folds; by++ {
				g := (f + by) % folds
				sum += halfSquares(c, parts[g], ridgeMargins(c, without(f, g), parts[g], ridge)) / float64(len(parts[g]))
			}
			if sum < least {
				best, least = ridge, sum
			}
		}
		want += halfSquares(c, parts[f], ridgeMargins(c, without(f), parts[f], best))
	}
	r := refer(t, c.table(t), fsa.Options{K: 2, Loss: "squared", Bins: fsa.None, Validation: fsa.Validation{FoldOf: fold, Reference: "ridge"}, Design: fsa.Design{Extrapolate: "line"}})
	if got := r.Mean * float64(c.rows); math.Abs(got-want) > 1e-4*want {
		t.Errorf("the loss of the reference is %v instead of %v", got, want)
	}
	if r.Units != c.rows || r.Columns != c.cols || math.Abs(r.Own-r.Mean-r.Difference) > 1e-12 {
		t.Errorf("%+v", *r)
	}
}

// A model of all columns loses nothing against the ridge, and a model of one column loses something. This holds for all
// kinds of targets, and for any number of threads the model is the same.
func TestReferencePrice(t *testing.T) {
	for name, config := range map[string]synth.Config{
		"regression": {Task: synth.Regression, N: 300, M: 8, K: 8, Seed: 2},
		"classes":    {N: 400, M: 8, K: 8, Noise: 0.1, Seed: 2},
	} {
		d := made(t, config)
		for _, reference := range fsa.ReferenceNames() {
			o := fsa.Options{K: 8, Validation: fsa.Validation{Reference: reference}}
			if r := refer(t, d, o); r.Name != reference || r.Low > 0 {
				t.Errorf("%s: all columns lose %+v", name, *r)
			}
			o.K = 1
			m := fit(t, d, o)
			if r := m.Validation().Reference; r.Low <= 0 {
				t.Errorf("%s: one column loses nothing: %+v", name, *r)
			}
			o.Run.Threads = 3
			if !bytes.Equal(modelBytes(t, fit(t, d, o)), modelBytes(t, m)) {
				t.Errorf("%s: another model with other threads", name)
			}
		}
	}
}

// With queries, losses are paired query by query.
func TestReferenceOfQueries(t *testing.T) {
	c := newCells(120, 6, 4)
	query := make([]float64, c.rows)
	for i := range query {
		query[i] = float64(i / 4)
		c.y[i] = math.Round(c.y[i])
	}
	b := data.NewBuilder("ranking", &data.Schema{Width: c.cols}, data.Roles{TargetVector: &data.Vector{Values: c.y}, QueryVector: &data.Vector{Values: query}})
	if err := b.Add(&data.Block{Rows: c.rows, Dense: c.x}); err != nil {
		t.Fatal(err)
	}
	d, err := b.Dataset(background)
	if err != nil {
		t.Fatal(err)
	}
	if r := refer(t, d, fsa.Options{K: 1, Validation: fsa.Validation{Reference: "ridge"}}); r.Units != c.rows/4 || r.Low <= 0 || r.Loss != "rank" {
		t.Errorf("%+v", *r)
	}
}

// What cannot be compared is refused before the contest.
func TestReferenceRefused(t *testing.T) {
	d := newCells(60, 6, 4).table(t)
	for want, v := range map[string]fsa.Validation{
		"unknown reference": {Reference: "forest"},
		"at least 3 folds":  {Reference: "ridge", Folds: 2},
	} {
		if _, err := fsa.Fit(background, d, fsa.Options{K: 2, Validation: v}); !errors.Is(err, fsa.ErrOptions) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v instead of %q", err, want)
		}
	}
	times := newCells(60, 6, 4)
	for i := range times.y {
		times.y[i] = math.Exp(times.y[i] / 10)
	}
	survival := times.table(t)
	survival.Target.Event = slices.Repeat([]float64{1, 0, 1}, 20)
	if _, err := fsa.Fit(background, survival, fsa.Options{K: 2, Validation: fsa.Validation{Reference: "ridge"}}); !errors.Is(err, fsa.ErrOptions) || !strings.Contains(err.Error(), "row by row or query by query") {
		t.Errorf("survival: %v", err)
	}
	wide := made(t, synth.Config{Task: synth.Regression, N: 1600, M: 2000, K: 2, Seed: 1}) // with curves 22,000 coefficients
	if _, err := fsa.Fit(background, wide, fsa.Options{K: 2, Quick: true, Validation: fsa.Validation{Reference: "additive"}}); !errors.Is(err, fsa.ErrOptions) || !strings.Contains(err.Error(), "fitted in memory") {
		t.Errorf("a large table: %v", err)
	}
}

// The interval of the difference holds the difference on fresh rows, of models of all training rows
// (docs/evidence/defaults.md#reference).
func TestReferenceCoverage(t *testing.T) {
	const rows, fresh, cols = 200, 4000, 30
	for name, k := range map[string]int{"k = 3": 3, "k chosen": fsa.Auto} {
		held := 0
		for seed := range *seeds {
			c := newCells(rows+fresh, cols, 100+seed)
			rng := rand.New(rand.NewPCG(seed, 9))
			for i := range c.y {
				c.y[i] = 2 * rng.NormFloat64()
				for j := range cols {
					c.y[i] += math.Pow(0.7, float64(j)) * c.x[i*cols+j]
				}
			}
			known, all, later := &cells{rows: rows, cols: cols, x: c.x[:rows*cols], y: c.y[:rows]}, make([]int, rows), make([]int, fresh)
			for i := range all {
				all[i] = i
			}
			for i := range later {
				later[i] = rows + i
			}
			m := fit(t, known.table(t), fsa.Options{K: k, Loss: "squared", Bins: fsa.None, Seed: seed, Run: fsa.Run{Threads: 1}, Validation: fsa.Validation{Reference: "ridge"}})
			best, least := 0.0, math.Inf(1)
			for power := -2; power <= 3; power++ {
				ridge, sum := 0.1*math.Pow(10, float64(power)/2), 0.0
				for f := range 5 {
					var train, test []int
					for i := range rows {
						if i%5 == f {
							test = append(test, i)
						} else {
							train = append(train, i)
						}
					}
					sum += halfSquares(c, test, ridgeMargins(c, train, test, ridge))
				}
				if sum < least {
					best, least = ridge, sum
				}
			}
			p, err := m.PredictDataset(background, c.table(t))
			if err != nil {
				t.Fatal(err)
			}
			own := halfSquares(c, later, p.Decision[rows:])
			difference := (own - halfSquares(c, later, ridgeMargins(c, all, later, best))) / fresh
			r := m.Validation().Reference
			if r.Low <= difference && difference <= r.High {
				held++
			} else {
				t.Logf("%s, table %d: %.4f is not in %.4f to %.4f", name, seed, difference, r.Low, r.High)
			}
		}
		t.Logf("%s: %d of %d intervals hold the difference on fresh rows", name, held, *seeds)
		if float64(held) < 0.8*float64(*seeds)-1 {
			t.Errorf("%s: only %d of %d intervals hold the difference on fresh rows", name, held, *seeds)
		}
	}
}

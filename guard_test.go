package fsa_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"fsa"
	"fsa/data"
	"fsa/model"
)

// weak returns rows of independent normal columns, the first few of which explain the given share of the variance of the
// target.
func weak(seed uint64, rows, cols, strong int, share float64) *cells {
	rng := rand.New(rand.NewPCG(seed, 77))
	c := &cells{rows: rows, cols: cols, x: make([]float64, rows*cols), y: make([]float64, rows)}
	for i := range rows {
		row := c.x[i*cols : (i+1)*cols]
		for j := range row {
			row[j] = rng.NormFloat64()
		}
		for _, v := range row[:strong] {
			c.y[i] += v * math.Sqrt(share/float64(strong))
		}
		c.y[i] += math.Sqrt(1-share) * rng.NormFloat64()
	}
	return c
}

// With few rows and much noise, the model is not overconfident: on other rows its error is lower
// than that of a model without a ridge, whose error is above that of the mean.
func TestGuard(t *testing.T) {
	for _, classes := range []bool{false, true} {
		var guarded, plain float64
		rows, null := 100, 1.0
		if classes {
			rows, null = 200, math.Ln2
		}
		for seed := range uint64(4) {
			train, test := weak(seed, rows, 500, 5, 0.4), weak(seed+100, 1000, 500, 5, 0.4)
			if classes {
				for _, c := range []*cells{train, test} {
					for i, y := range c.y {
						c.y[i] = math.Copysign(1, y)
					}
				}
			}
			measured := func(o fsa.Options) float64 {
				learned := fit(t, train.table(t), o)
				if tr := learned.Training(); tr.Guarded != (o.Objective.Ridge == fsa.Auto) || tr.Guarded != (tr.Ridge > 0) {
					t.Errorf("guarded %v, with a ridge of %v", tr.Guarded, tr.Ridge)
				}
				sc, err := learned.Scorer(&data.Schema{Width: test.cols})
				if err != nil {
					t.Fatal(err)
				}
				z, err := sc.Score(&data.Block{Rows: test.rows, Dense: test.x})
				if err != nil {
					t.Fatal(err)
				}
				m, err := learned.Prediction(z).Metrics(&data.Target{Y: test.y})
				if err != nil {
					t.Fatal(err)
				}
				if classes {
					return m["logloss"]
				}
				return m["rmse"] * m["rmse"]
			}
			guarded += measured(fsa.Options{K: 8, Quick: true}) / 4
			plain += measured(fsa.Options{K: 8, Quick: true, Objective: fsa.Objective{Ridge: fsa.None}}) / 4
		}
		if plain < null || guarded > 0.95*null {
			t.Errorf("classes %v: error %v guarded, %v without, %v of the null model", classes, guarded, plain, null)
		}
	}
}

// If the signal is clear, no ridge is added.
func TestGuardLeavesSignal(t *testing.T) {
	d := weak(1, 300, 500, 5, 0.95).table(t)
	same := func(got, want *model.Model) {
		t.Helper()
		if got.Training().Guarded {
			t.Error("the guard raised the ridge")
		}
		for i, v := range got.Selected() {
			if !slices.Equal(v.Coefficients, want.Selected()[i].Coefficients) {
				t.Errorf("%s: %v, not %v", v.Name, v.Coefficients, want.Selected()[i].Coefficients)
			}
		}
	}
	same(fit(t, d, fsa.Options{K: 5, Quick: true}), fit(t, d, fsa.Options{K: 5, Quick: true, Objective: fsa.Objective{Ridge: fsa.None}}))
	same(fit(t, d, fsa.Options{K: 5, Bins: 2, Quick: true}), fit(t, d, fsa.Options{K: 5, Bins: 2, Quick: true, Objective: fsa.Objective{Ridge: 0.5 / 300.0}})) // the ridge of curves on 300 rows
}

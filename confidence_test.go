package fsa_test

import (
	"bytes"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"fsa"
	"fsa/data"
	"fsa/data/synth"
	"fsa/loss"
	"fsa/model"
)

// Confidence intervals are finite, contain their estimates and most true coefficients, and do not depend on the number of
// threads. The model is otherwise that of a fit without them.
func TestConfidence(t *testing.T) {
	var held, all float64
	for seed := range uint64(3) {
		c := synth.Config{Task: synth.Regression, Rho: 0.3, N: 200, M: 40, K: 5, Seed: 2000 + seed}
		o := fsa.Options{K: 5, Bins: fsa.None, Validation: fsa.Validation{Stability: 10, Confidence: 0.9}, Run: fsa.Run{Threads: 1 + int(seed)}}
		m, err := fsa.Fit(t.Context(), made(t, c), o)
		if err != nil {
			t.Fatal(err)
		}
		o.Run.Threads = 2
		again, err := fsa.Fit(t.Context(), made(t, c), o)
		if err != nil {
			t.Fatal(err)
		}
		var file, other bytes.Buffer
		m.WriteTo(&file)
		again.WriteTo(&other)
		if !bytes.Equal(file.Bytes(), other.Bytes()) {
			t.Error("the model depends on the number of threads")
		}
		s := m.Stability()
		if s.Confidence != 0.9 || s.Halves != 20 || len(s.Variables) != 5 {
			t.Fatalf("%+v", s)
		}
		for _, v := range s.Variables {
			if len(v.Estimate) != 1 || !(v.Low[0] < v.Estimate[0] && v.Estimate[0] < v.High[0]) {
				t.Fatalf("%+v", v)
			}
			all++
			if v.Low[0] <= 1 && 1 <= v.High[0] { // all true coefficients are 1
				held++
			}
		}
		o.Validation.Confidence = 0
		plain, err := fsa.Fit(t.Context(), made(t, c), o)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := m.WithStability(nil), plain.WithStability(nil); !sameFile(got, want) {
			t.Error("the rest of the model changes")
		}
	}
	if held < 0.7*all {
		t.Errorf("%v of %v intervals hold the coefficient", held, all)
	}
}

func sameFile(a, b *model.Model) bool {
	var one, two bytes.Buffer
	a.WriteTo(&one)
	b.WriteTo(&two)
	return bytes.Equal(one.Bytes(), two.Bytes())
}

// A curve gets an interval at each of its knots, a class gets intervals too, and a variable that half samples never choose
// gets none. 25 pairs of half samples are the default.
func TestConfidenceOfCurvesAndClasses(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	const n, m = 240, 8
	x, y, class := make([]float64, n*m), make([]float64, n), make([]float64, n)
	for i := range n {
		row := x[i*m : (i+1)*m]
		for j := range row {
			row[j] = rng.Float64()*4 - 2
		}
		y[i] = row[1]*row[1] + 0.3*rng.NormFloat64()
		if rng.Float64() < 1/(1+math.Exp(-2*row[2])) {
			class[i] = 1
		}
	}
	curves, err := data.FromRows(nil, m, x, y)
	if err != nil {
		t.Fatal(err)
	}
	fit, err := fsa.Fit(t.Context(), curves, fsa.Options{K: 1, Bins: 4, Quick: true, Validation: fsa.Validation{Stability: 6, Confidence: 0.95}})
	if err != nil {
		t.Fatal(err)
	}
	v := fit.Stability().Variables[0]
	if v.Name != "x1" || len(v.Estimate) != 5 || len(v.Low) != 5 {
		t.Fatalf("%+v", v)
	}
	for k := range v.Low {
		if !(v.Low[k] < v.Estimate[k] && v.Estimate[k] < v.High[k] && v.High[k]-v.Low[k] < 1.5) {
			t.Errorf("knot %d: %v, %v to %v", k, v.Estimate[k], v.Low[k], v.High[k])
		}
	}
	classes, err := data.FromRows(nil, m, x, class)
	if err != nil {
		t.Fatal(err)
	}
	fit, err = fsa.Fit(t.Context(), classes, fsa.Options{K: 3, Bins: fsa.None, Quick: true, Validation: fsa.Validation{Confidence: 0.9}})
	if err != nil {
		t.Fatal(err)
	}
	s := fit.Stability()
	if s.Halves != 50 || s.Variables[0].Name != "x2" || !(s.Variables[0].Low[0] > 0.5 && s.Variables[0].High[0] < 4) {
		t.Errorf("%+v", s.Variables[0])
	}
	for _, v := range s.Variables[1:] {
		if v.Low != nil && !(v.Low[0] < 0 && v.High[0] > 0) {
			t.Errorf("noise: %+v", v)
		}
	}
}

// What does not go together with confidence intervals is refused with a cure.
func TestConfidenceRefuses(t *testing.T) {
	numbers, classes := made(t, synth.Config{Task: synth.Regression, N: 60, M: 10, K: 3}), made(t, synth.Config{N: 60, M: 10, K: 3})
	with := func(change func(o *fsa.Options)) fsa.Options {
		o := fsa.Options{K: 3, Validation: fsa.Validation{Confidence: 0.9}}
		change(&o)
		return o
	}
	for says, c := range map[string]struct {
		o fsa.Options
		d *data.Dataset
	}{
		"above 0 and below 1": {with(func(o *fsa.Options) { o.Validation.Confidence = 90 }), numbers},
		"fdr":                 {with(func(o *fsa.Options) { o.K, o.Selection.FDR = fsa.Auto, 0.1 }), numbers},
		"within a budget": {with(func(o *fsa.Options) {
			o.K, o.Selection.Costs, o.Selection.Budgets = fsa.Auto, []fsa.Cost{{Column: "all", Price: 1}}, []float64{3}
		}), numbers},
		"interactions":       {with(func(o *fsa.Options) { o.Selection.Interactions.Find = true }), numbers},
		"its bound":          {with(func(o *fsa.Options) { o.Objective.Constraints = []fsa.Constraint{{Column: "x0", Kind: "nonnegative"}} }), numbers},
		"scales the effects": {with(func(o *fsa.Options) { o.Validation.Calibrate = true }), classes},
		"order of the rows":  {with(func(o *fsa.Options) { o.Validation.Ordered = true }), numbers},
		"end early":          {with(func(o *fsa.Options) { o.Run.Deadline = time.Now().Add(time.Hour) }), numbers},
		"is none":            {with(func(o *fsa.Options) { o.Loss = "huber" }), numbers},
		"likelihood":         {with(func(o *fsa.Options) { o.Objective.Custom = loss.Squared{} }), numbers},
	} {
		if _, err := fsa.Prepare(t.Context(), c.d, c.o); !errors.Is(err, fsa.ErrOptions) || !strings.Contains(err.Error(), says) || !strings.Contains(err.Error(), "leave") && !strings.Contains(err.Error(), "such as") {
			t.Errorf("%s: error %v", says, err)
		}
	}
}

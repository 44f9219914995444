package eval

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestGoldenRecalibration(t *testing.T) {
	// LogisticRegression(C=inf, solver="newton-cholesky", tol=1e-14)
	// .fit(z[:, None], label, sample_weight=w) with z = tied - 1.2
	z := apply(func(s float64) float64 { return s - 1.2 }, tied)
	for _, c := range []struct{ w, want []float64 }{
		{nil, []float64{0.047983324227682145, -0.8573731646510253}},
		{weight, []float64{0.2720336646767555, -0.9138501242984653}},
	} {
		slope, intercept := Recalibration(z, label, c.w)
		if math.Abs(slope-c.want[0]) > 1e-11 || math.Abs(intercept-c.want[1]) > 1e-11 {
			t.Errorf("slope %.16g, intercept %.16g, want %v", slope, intercept, c.want)
		}
	}
}

// The log odds of classes drawn by them are calibrated; twice the log odds are
// too extreme by a factor of 2.
func TestRecalibrationFindsSlope(t *testing.T) {
	rng := rand.New(rand.NewPCG(seed, 8))
	var z, extreme, y []float64
	for range 100000 {
		x := 1.5*rng.NormFloat64() - 1
		z, extreme = append(z, x), append(extreme, 2*x+3)
		y = append(y, 2*truth(rng.Float64() < 1/(1+math.Exp(-x)))-1)
	}
	slope, intercept := Recalibration(z, y, nil)
	if math.Abs(slope-1) > 0.03 || math.Abs(intercept) > 0.03 {
		t.Errorf("slope %v, intercept %v, want 1 and 0 (seed %d)", slope, intercept, seed)
	}
	// It is the same model in other units.
	s, i := Recalibration(extreme, y, nil)
	if math.Abs(2*s-slope) > 1e-10 || math.Abs(i+3*s-intercept) > 1e-10 {
		t.Errorf("slope %v, intercept %v of 2z+3, %v and %v of z (seed %d)", s, i, slope, intercept, seed)
	}
}

func TestRecalibrationHasNone(t *testing.T) {
	inf := math.Inf(1)
	for name, c := range map[string]struct{ z, y, w []float64 }{
		"nothing":              {},
		"one class":            {[]float64{1, 2}, []float64{1, 1}, nil},
		"a constant":           {[]float64{2, 2}, []float64{0, 1}, nil},
		"separated classes":    {[]float64{1, 2, 3}, []float64{0, 0, 1}, nil},
		"the wrong way":        {[]float64{1, 2, 3}, []float64{1, 0, 0}, nil},
		"separated but a tie":  {[]float64{1, 2, 2, 3}, []float64{0, 0, 1, 1}, nil},
		"separated by weights": {[]float64{1, 2, 3, 4}, []float64{0, 1, 0, 1}, []float64{1, 0, 1, 1}},
		"infinite log odds":    {[]float64{1, 2, 3, inf}, []float64{0, 1, 0, 1}, nil},
		"NaN":                  {[]float64{1, 2, 3, math.NaN()}, []float64{0, 1, 0, 1}, nil},
	} {
		if slope, intercept := Recalibration(c.z, c.y, c.w); slope == slope || intercept == intercept {
			t.Errorf("%s: slope %v, intercept %v, want NaN", name, slope, intercept)
		}
	}
	// Nearly separated classes have a steep slope, and huge numbers a flat one.
	slope, _ := Recalibration([]float64{0, 1, 1.000001, 2}, []float64{0, 1, 0, 1}, nil)
	if !(slope > 1) {
		t.Errorf("slope %v of nearly separated classes", slope)
	}
	slope, intercept := Recalibration([]float64{1e150, 3e150, 2e150, 4e150}, []float64{0, 0, 1, 1}, nil)
	if !(slope > 0 && slope < 1e-149) || math.IsNaN(intercept) {
		t.Errorf("slope %v, intercept %v of huge numbers", slope, intercept)
	}
}

func TestGoldenCalibrationTable(t *testing.T) {
	// calibration_curve with n_bins=5, strategy="quantile"
	p := column(func(i int) float64 { return float64(i*19%41) / 41 })
	table := CalibrationTable(p, label, nil, 5)
	if len(table) != 5 {
		t.Fatalf("%d bins", len(table))
	}
	for b, want := range []CalibrationBin{
		{Observed: 0.375, Predicted: 0.08536585365853658},
		{Observed: 0.375, Predicted: 0.2804878048780488},
		{Observed: 0.25, Predicted: 0.48170731707317077},
		{Observed: 0.125, Predicted: 0.6951219512195121},
		{Observed: 0.375, Predicted: 0.8902439024390243},
	} {
		near(t, "observed", table[b].Observed, want.Observed)
		near(t, "predicted", table[b].Predicted, want.Predicted)
		if table[b].Weight != 8 || b > 0 && table[b].Low <= table[b-1].High {
			t.Errorf("bin %d is %+v", b, table[b])
		}
	}
}

func TestCalibrationTableProperties(t *testing.T) {
	rng := rand.New(rand.NewPCG(seed, 9))
	for range 200 {
		score, y, w := sample(rng)
		p, bins := chance(score), 1+rng.IntN(12)
		table := CalibrationTable(p, y, w, bins)
		if len(table) > bins {
			t.Fatalf("%d bins, at most %d were asked for (seed %d)", len(table), bins, seed)
		}
		// The bins hold all weight, and their means are those of all rows.
		var sum CalibrationBin
		for _, b := range table {
			sum.Weight += b.Weight
			sum.Predicted += b.Weight * b.Predicted
			sum.Observed += b.Weight * b.Observed
			if !(b.Low <= b.Predicted+1e-12 && b.Predicted <= b.High+1e-12) {
				t.Fatalf("bin %+v (seed %d)", b, seed)
			}
		}
		var want CalibrationBin
		for i := range y {
			want.Weight += w[i]
			want.Predicted += w[i] * p[i]
			want.Observed += w[i] * y[i]
		}
		if math.Abs(sum.Weight-want.Weight)+math.Abs(sum.Predicted-want.Predicted)+math.Abs(sum.Observed-want.Observed) > 1e-9 {
			t.Fatalf("bins add up to %+v, rows to %+v (seed %d)", sum, want, seed)
		}
	}
	if CalibrationTable(nil, nil, nil, 3) != nil || CalibrationTable([]float64{math.NaN()}, []float64{1}, nil, 3) != nil {
		t.Error("a table of nothing")
	}
}

package validate

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestQuantile(t *testing.T) {
	score := []float64{5, 1, 4, 2, 3, 9, 8, 7, 6}
	inf := math.Inf(1)
	for coverage, want := range map[float64]float64{
		0.05: 1, 0.1: 1, 0.11: 2, 0.5: 5, 0.85: 9, 0.9: 9, 0.91: inf,
	} {
		if got := Quantile(score, nil, coverage); got != want {
			t.Errorf("quantile %v is %v, want %v", coverage, got, want)
		}
	}
	if got := Quantile(nil, nil, 0.5); got != inf {
		t.Errorf("the quantile without scores is %v", got)
	}
	if got := Quantile([]float64{1, math.NaN()}, nil, 0.5); got == got {
		t.Errorf("the quantile of NaN is %v", got)
	}
	// A product that rounding makes slightly larger than an integer counts as that integer.
	for n := 1; n < 500; n++ {
		all := make([]float64, n)
		for i := range all {
			all[i] = float64(i + 1)
		}
		for _, percent := range []int{50, 80, 90, 95} {
			want := float64((percent*(n+1) + 99) / 100)
			if want > float64(n) {
				want = inf
			}
			if got := Quantile(all, nil, float64(percent)/100); got != want {
				t.Fatalf("quantile of %d%% of %d is %v, want %v", percent, n, got, want)
			}
		}
	}
}

// The interval follows the definition: quantiles of the predictions minus and plus the residuals. Weights are equivalent
// to copies of rows.
func TestCVPlusDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(seed, 30))
	for range 300 {
		n, folds := 1+rng.IntN(40), 1+rng.IntN(5)
		var residual, copies, w []float64
		var fold, foldOfCopy []int
		prediction := make([]float64, folds)
		for f := range prediction {
			prediction[f] = math.Round(4*rng.NormFloat64()) / 2 // ties
		}
		for i := range n {
			residual = append(residual, math.Round(8*rng.NormFloat64())/4)
			fold = append(fold, rng.IntN(folds))
			if i == 0 {
				fold[0] = folds - 1
			}
			w = append(w, float64(rng.IntN(3)))
			for range int(w[i]) {
				copies, foldOfCopy = append(copies, residual[i]), append(foldOfCopy, fold[i])
			}
		}
		coverage := 0.05 + 0.9*rng.Float64()
		var below, above []float64
		for i, r := range copies {
			below = append(below, -prediction[foldOfCopy[i]]+math.Abs(r))
			above = append(above, prediction[foldOfCopy[i]]+math.Abs(r))
		}
		low, high := NewCVPlus(residual, fold, w).Interval(prediction, coverage)
		wantLow, wantHigh := -Quantile(below, nil, coverage), Quantile(above, nil, coverage)
		if low != wantLow || high != wantHigh {
			t.Fatalf("[%v, %v], want [%v, %v] (seed %d)", low, high, wantLow, wantHigh, seed)
		}
	}
	low, high := NewCVPlus(nil, nil, nil).Interval(nil, 0.9)
	if low != math.Inf(-1) || high != math.Inf(1) {
		t.Errorf("[%v, %v] without rows", low, high)
	}
	if low, high := NewCVPlus([]float64{1, math.NaN(), 2}, []int{0, 0, 0}, nil).Interval([]float64{0}, 0.5); low == low || high == high {
		t.Errorf("[%v, %v] of a residual that is NaN", low, high)
	}
	if low, high := NewCVPlus([]float64{1, 2}, []int{0, 0}, nil).Interval([]float64{math.NaN()}, 0.5); low == low || high == high {
		t.Errorf("[%v, %v] of a prediction that is NaN", low, high)
	}
}

// line fits a straight line by least squares, which is inaccurate for few rows.
func line(x, y []float64, rows []int) func(x float64) float64 {
	var sx, sy, sxx, sxy float64
	for _, i := range rows {
		sx, sy, sxx, sxy = sx+x[i], sy+y[i], sxx+x[i]*x[i], sxy+x[i]*y[i]
	}
	n := float64(len(rows))
	slope := (sxy - sx*sy/n) / (sxx - sx*sx/n)
	return func(at float64) float64 { return (sy-slope*sx)/n + slope*at }
}

// On generated rows with heavy-tailed errors, CV+, jackknife+ and the simple interval have the requested coverage.
func TestIntervalsCover(t *testing.T) {
	rng := rand.New(rand.NewPCG(seed, 31))
	const n, tables, coverage = 60, 800, 0.9
	draw := func() (x, y float64) {
		x = rng.NormFloat64()
		return x, 1 + 2*x + rng.NormFloat64()/math.Sqrt(rng.ExpFloat64()+0.1)
	}
	for name, folds := range map[string]int{"CV+": 5, "jackknife+": n} {
		var held, simple float64
		for table := range tables {
			x, y := make([]float64, n), make([]float64, n)
			for i := range x {
				x[i], y[i] = draw()
			}
			f := split(t, Scheme{Folds: folds, Seed: uint64(table)}, n)
			newX, newY := draw()
			residual, fold, prediction := make([]float64, n), make([]int, n), make([]float64, folds)
			all := make([]int, n)
			for i := range all {
				all[i] = i
			}
			for k := range folds {
				s := f.Split(k)
				predict := line(x, y, s.Train)
				prediction[k] = predict(newX)
				for _, i := range s.Test {
					residual[i], fold[i] = math.Abs(y[i]-predict(x[i])), k
				}
			}
			low, high := NewCVPlus(residual, fold, nil).Interval(prediction, coverage)
			if low <= newY && newY <= high {
				held++
			}
			if math.Abs(newY-line(x, y, all)(newX)) <= Quantile(residual, nil, coverage) {
				simple++
			}
		}
		// Four standard deviations of a share of 800 are 4.3%.
		for what, share := range map[string]float64{name: held / tables, "simple by " + name: simple / tables} {
			if share < coverage-0.043 || share > coverage+0.055 {
				t.Errorf("%s covers %v (seed %d)", what, share, seed)
			}
		}
	}
}

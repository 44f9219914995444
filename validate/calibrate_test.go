package validate

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"fsa/eval"
)

const rows = 40

func column(f func(i int) float64) []float64 {
	c := make([]float64, rows)
	for i := range c {
		c[i] = f(i)
	}
	return c
}

var (
	decision = column(func(i int) float64 { return float64(i*17%23)/4 - 2.5 })
	label    = column(func(i int) float64 {
		if decision[i]+float64(i*29%13-6)*0.5 > 0.3 {
			return 1
		}
		return -1
	})
	weight = column(func(i int) float64 { return 1 + float64(i%5)/2 })
)

// close checks that a calibration is the expected one.
func closeTo(t *testing.T, what string, got *Calibration, tolerance, slope float64, intercept ...float64) {
	t.Helper()
	ok := math.Abs(got.Slope-slope) <= tolerance && len(got.Intercept) == len(intercept)
	for k := range intercept {
		ok = ok && math.Abs(got.Intercept[k]-intercept[k]) <= tolerance
	}
	if !ok {
		t.Errorf("%s: %.16g, want %v and %v", what, *got, slope, intercept)
	}
}

// In Python, i = numpy.arange(40) and the same formulas: 100 Newton steps
// to minimise the log loss. sklearn.calibration._sigmoid_calibration(decision, label,
// sample_weight=w) of scikit-learn 1.9.1 agrees to 1e-7 with signs changed.
func TestGoldenPlatt(t *testing.T) {
	closeTo(t, "Platt", Platt(decision, label, nil), 1e-11, 0.5726053169026805, -0.5438847403970015)
	closeTo(t, "weighted Platt", Platt(decision, label, weight), 1e-11, 0.6212436312191213, -0.5111911300060265)
}

// In Python: scipy.optimize.minimize of the log loss with the intercepts a, b
// and −a−b, then Newton steps.
func TestGoldenTemperature(t *testing.T) {
	var z []float64
	y := column(func(i int) float64 {
		row := []float64{float64(i*17%23)/6 - 2, float64(i*11%19)/5 - 1.5, float64(i*7%29)/8 - 2}
		z = append(z, row...)
		row[0] += float64(i*13%17) / 8
		row[1] += float64(i*5%11) / 5
		row[2] += float64(i*3%7) / 3
		return float64(slices.Index(row, slices.Max(row)))
	})
	closeTo(t, "Temperature", Temperature(z, 3, y, nil), 1e-9, 1.4561079166288098, -0.2714981096859644, -0.07359980340827314, 0.34509791309423754)
	closeTo(t, "weighted Temperature", Temperature(z, 3, y, weight), 1e-9, 1.8541841654073419, -0.22126837416937575, -0.24563539950958163, 0.4669037736789574)
}

// For two classes, both calibrations agree.
func TestTemperatureIsPlatt(t *testing.T) {
	var z, y []float64
	for i, v := range decision {
		z = append(z, 5-v/4, 5+3*v/4)
		y = append(y, max(label[i], 0))
	}
	p := Platt(decision, label, weight)
	closeTo(t, "two classes", Temperature(z, 2, y, weight), 1e-9, p.Slope, -p.Intercept[0]/2, p.Intercept[0]/2)

	one, two := make([]float64, rows), make([]float64, 2*rows)
	p.Probabilities(one, decision)
	Temperature(z, 2, y, weight).Probabilities(two, z)
	for i := range one {
		if math.Abs(one[i]-two[2*i+1]) > 1e-9 || math.Abs(two[2*i]+two[2*i+1]-1) > 1e-12 {
			t.Fatalf("probability %v of one, %v of two", one[i], two[2*i:2*i+2])
		}
	}
}

// Probabilities that are too extreme are corrected. Weights are equivalent to copies of rows, and the order of rows does
// not matter.
func TestCalibrationRepairs(t *testing.T) {
	rng := rand.New(rand.NewPCG(seed, 20))
	const n, classes = 20000, 4
	var z, y, w []float64
	for range n {
		row := make([]float64, classes)
		for k := range row {
			row[k] = rng.NormFloat64() + float64(k)/4
		}
		p := slices.Clone(row)
		softmax(p)
		c, u := 0, rng.Float64()
		for ; c < classes-1 && u > p[c]; c++ {
			u -= p[c]
		}
		for _, v := range row {
			z = append(z, 3*v+7)
		}
		y, w = append(y, float64(c)), append(w, float64(rng.IntN(3)))
	}
	c := Temperature(z, classes, y, nil)
	closeTo(t, "three times the log odds", c, 0.05, 1.0/3, 0, 0, 0, 0)
	p := make([]float64, len(z))
	c.Probabilities(p, z)
	raw := slices.Clone(z)
	for i := 0; i < len(raw); i += classes {
		softmax(raw[i : i+classes])
	}
	if after, before := eval.LogLossMulti(p, classes, y, nil), eval.LogLossMulti(raw, classes, y, nil); !(after < before-0.1) {
		t.Errorf("log loss %v, before %v (seed %d)", after, before, seed)
	}

	var copies, labels []float64
	for i := range n {
		for range int(w[i]) {
			copies, labels = append(copies, z[i*classes:(i+1)*classes]...), append(labels, y[i])
		}
	}
	slices.Reverse(labels)
	for i, j := 0, len(labels)-1; i < j; i, j = i+1, j-1 {
		for k := range classes {
			copies[i*classes+k], copies[j*classes+k] = copies[j*classes+k], copies[i*classes+k]
		}
	}
	weighted := Temperature(z, classes, y, w)
	closeTo(t, "copies", Temperature(copies, classes, labels, nil), 1e-8, weighted.Slope, weighted.Intercept...)
}

func TestPlattWeightsAreCopies(t *testing.T) {
	var z, y []float64
	w := column(func(i int) float64 { return float64(i % 3) })
	for i := range decision {
		for range int(w[i]) {
			z, y = append(z, decision[i]), append(y, label[i])
		}
	}
	slices.Reverse(z)
	slices.Reverse(y)
	p := Platt(decision, label, w)
	closeTo(t, "copies", Platt(z, y, nil), 1e-10, p.Slope, p.Intercept...)
}

func TestCalibrationOfPoorValues(t *testing.T) {
	ln := math.Log
	// Separated classes: the smoothed targets are 1/4 and 3/4.
	p := Platt([]float64{-1, -1, 1, 1}, []float64{-1, -1, 1, 1}, nil)
	closeTo(t, "separated", p, 1e-10, ln(3), 0)
	// With the wrong order or without variation, the probability is the share of positive rows.
	z := []float64{3, 2, 1}
	y := []float64{-1, -1, 1}
	share := (2*0.25 + 2.0/3) / 3
	closeTo(t, "wrong way", Platt(z, y, nil), 1e-12, 0, ln(share/(1-share)))
	closeTo(t, "constant", Platt([]float64{2, 2, 2}, y, nil), 1e-12, 0, ln(share/(1-share)))
	// With one class, the probability follows Laplace's rule.
	closeTo(t, "one class", Platt([]float64{1, 2}, []float64{1, 1}, nil), 1e-7, 0, ln(3))

	pairs := []float64{-3, 3, -2, 2, -1, 1}
	two := Temperature(pairs, 2, []float64{1, 1, 0}, nil)
	// Now class 1 has 2 rows and larger values.
	if two.Slope < 0 {
		t.Errorf("slope %v", two.Slope)
	}
	wrong := Temperature(pairs, 2, []float64{0, 0, 1}, nil)
	closeTo(t, "wrong way of two", wrong, 1e-12, 0, ln((1-share)/share)/2, -ln((1-share)/share)/2)
	// A class without rows still has a positive probability.
	three := Temperature([]float64{1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 1, 0}, 3, []float64{0, 1, 0, 1}, nil)
	out := make([]float64, 3)
	three.Probabilities(out, []float64{1, 0, 0})
	if !(out[0] > out[1] && out[2] > 0.01 && out[2] < out[0]) {
		t.Errorf("probabilities %v where class 2 has no rows", out)
	}

	for name, c := range map[string]*Calibration{
		"no rows":        Platt(nil, nil, nil),
		"NaN":            Platt([]float64{math.NaN(), 1, 0}, y, nil),
		"Inf":            Platt([]float64{math.Inf(1), 1, 0}, y, nil),
		"no rows of two": Temperature(nil, 2, nil, nil),
		"NaN of two":     Temperature([]float64{math.NaN(), 1, 2, 3}, 2, []float64{0, 1}, nil),
		"no weight":      Temperature([]float64{0, 1, 2, 3}, 2, []float64{0, 1}, []float64{0, 0}),
	} {
		if c.Slope == c.Slope && c.Intercept[0] == c.Intercept[0] {
			t.Errorf("%s: %+v, want NaN", name, c)
		}
	}
}

func TestCalibrationShapesPanic(t *testing.T) {
	for name, f := range map[string]func(){
		"rows":          func() { Platt([]float64{1}, []float64{1, 2}, nil) },
		"weights":       func() { Temperature([]float64{1, 2}, 2, []float64{1}, []float64{1, 2}) },
		"class":         func() { Temperature([]float64{1, 2}, 2, []float64{2}, nil) },
		"probabilities": func() { (&Calibration{1, []float64{0, 0}}).Probabilities(make([]float64, 3), make([]float64, 3)) },
		"residuals":     func() { NewCVPlus([]float64{1}, []int{0, 1}, nil) },
		"predictions":   func() { NewCVPlus([]float64{1}, []int{0}, nil).Interval([]float64{1, 2}, 0.9) },
		"coverage":      func() { Quantile([]float64{1}, nil, 1) },
		"scores":        func() { Quantile([]float64{1}, []float64{1, 2}, 0.9) },
		"sets":          func() { NewClassSets([]float64{1, 0, 0}, 2, []float64{0}, nil, 0.9, false) },
		"class of sets": func() { NewClassSets([]float64{1, 0}, 2, []float64{2}, nil, 0.9, false) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			f()
		})
	}
}

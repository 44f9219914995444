package eval

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

const seed = 11

// sample draws scores with ties, labels and weights, some of them zero.
func sample(rng *rand.Rand) (score, y, w []float64) {
	n := 2 + rng.IntN(60)
	for range n {
		score = append(score, float64(rng.IntN(20))-10)
		y = append(y, float64(rng.IntN(2)))
		w = append(w, float64(rng.IntN(4)))
	}
	// Both classes are there.
	y[0], w[0], y[1], w[1] = 0, 1, 1, 1
	return score, y, w
}

func apply(f func(float64) float64, x []float64) []float64 {
	y := make([]float64, len(x))
	for i := range x {
		y[i] = f(x[i])
	}
	return y
}

func TestAUCProperties(t *testing.T) {
	rng := rand.New(rand.NewPCG(seed, 1))
	for range 300 {
		score, y, w := sample(rng)
		got := AUC(score, y, w)

		// The definition, in quadratic time.
		var wins, pairs float64
		for i := range y {
			for j := range y {
				if y[i] > 0 && y[j] <= 0 {
					pairs += w[i] * w[j]
					switch {
					case score[i] > score[j]:
						wins += w[i] * w[j]
					case score[i] == score[j]:
						wins += w[i] * w[j] / 2
					}
				}
			}
		}
		near(t, "AUC against all pairs", got, wins/pairs)

		// All sums are small integers and halves, so the rest holds to the bit.
		if mapped := AUC(apply(math.Atan, score), y, w); mapped != got {
			t.Fatalf("a monotone map changes the AUC from %v to %v (seed %d)", got, mapped, seed)
		}
		negated := AUC(apply(func(s float64) float64 { return -s }, score), y, w)
		if math.Abs(negated-(1-got)) > 1e-15 {
			t.Fatalf("AUC %v, of negated scores %v (seed %d)", got, negated, seed)
		}
		signs := apply(func(y float64) float64 { return 2*y - 1 }, y)
		if coded := AUC(score, signs, w); coded != got {
			t.Fatalf("labels ±1 change the AUC from %v to %v (seed %d)", got, coded, seed)
		}
		if flat := AUC(make([]float64, len(y)), y, w); flat != 0.5 {
			t.Fatalf("equal scores give %v (seed %d)", flat, seed)
		}
	}
}

// chance turns the scores of sample into probabilities.
func chance(a []float64) []float64 {
	return apply(func(s float64) float64 { return (s + 10) / 20 }, a)
}

// chances turns them into probabilities of two classes.
func chances(a []float64) (p []float64) {
	for _, s := range a {
		p = append(p, (s+10)/20, (10-s)/20)
	}
	return p
}

// measures holds every measure that takes weights, as a function of the scores of
// sample. A table or a curve is summed up by a number that all of it changes.
var measures = map[string]func(a, y, w []float64) float64{
	"AUC":              AUC,
	"ErrorRate":        func(a, y, w []float64) float64 { return ErrorRate(apply(math.Abs, a), y, w) },
	"BalancedError":    func(a, y, w []float64) float64 { return BalancedError(apply(math.Abs, a), y, w) },
	"LogLoss":          func(a, y, w []float64) float64 { return LogLoss(chance(a), y, w) },
	"LogLossMulti":     func(a, y, w []float64) float64 { return LogLossMulti(chances(a), 2, y, w) },
	"NullLogLoss":      func(_, y, w []float64) float64 { return NullLogLoss(y, w) },
	"NullLogLossMulti": func(_, y, w []float64) float64 { return NullLogLossMulti(2, y, w) },
	"Brier":            func(a, y, w []float64) float64 { return Brier(chance(a), y, w) },
	"BrierMulti":       func(a, y, w []float64) float64 { return BrierMulti(chances(a), 2, y, w) },
	"RMSE":             RMSE,
	"R2":               R2,
	"MAE":              MAE,
	"DevianceSquared":  DevianceSquared,
	"AveragePrecision": AveragePrecision,
	"ROC": func(a, y, w []float64) (sum float64) {
		for at, p := range ROC(a, y, w) {
			sum += float64(at+1) * (p.FPR + 2*p.TPR)
		}
		return sum
	},
	"PrecisionRecall": func(a, y, w []float64) (sum float64) {
		for at, p := range PrecisionRecall(a, y, w) {
			sum += float64(at+1) * (p.Precision + 2*p.Recall)
		}
		return sum
	},
	// Infinite thresholds are made finite to be compared.
	"ThresholdF1":       func(a, y, w []float64) float64 { return math.Atan(ThresholdF1(a, y, w)) },
	"ThresholdBalanced": func(a, y, w []float64) float64 { return math.Atan(ThresholdBalanced(a, y, w)) },
	"ThresholdCost":     func(a, y, w []float64) float64 { return math.Atan(ThresholdCost(a, y, w, 2, 3)) },
	"Recalibration": func(a, y, w []float64) float64 {
		slope, intercept := Recalibration(a, y, w)
		if slope != slope {
			return 0 // the classes are separated
		}
		return slope + 2*intercept
	},
	"CalibrationTable": func(a, y, w []float64) (sum float64) {
		for at, b := range CalibrationTable(chance(a), y, w, 4) {
			sum += float64(at+1) * (b.Low + 2*b.High + 3*b.Predicted + 4*b.Observed)
		}
		return sum
	},
	"Confusion": func(a, y, w []float64) float64 {
		c := Confusion(apply(func(s float64) float64 { return float64(int(s+10) % 2) }, a), 2, y, w)
		return (c[0][1] + 2*c[1][0] + 3*c[1][1]) / (c[0][0] + c[0][1] + c[1][0] + c[1][1])
	},
}

// The order of rows does not matter, nor do rows without weight.
func TestOrderOfRows(t *testing.T) {
	for name, measure := range measures {
		rng := rand.New(rand.NewPCG(seed, 5))
		for range 50 {
			score, y, w := sample(rng)
			want := measure(score, y, w)
			rng.Shuffle(len(y), func(i, j int) {
				score[i], score[j] = score[j], score[i]
				y[i], y[j] = y[j], y[i]
				w[i], w[j] = w[j], w[i]
			})
			got := measure(append(score, 3), append(y, 1), append(w, 0))
			if !(math.Abs(got-want) <= 1e-10*(1+math.Abs(want))) {
				t.Fatalf("%s: %v, of shuffled rows %v (seed %d)", name, want, got, seed)
			}
		}
	}
}

// A whole weight is as good as so many copies of the row, for every measure
// that takes weights.
func TestWeightsAreCopies(t *testing.T) {
	for name, measure := range measures {
		rng := rand.New(rand.NewPCG(seed, 2))
		for range 50 {
			score, y, w := sample(rng)
			var scores, ys []float64
			for i := range y {
				for range int(w[i]) {
					scores, ys = append(scores, score[i]), append(ys, y[i])
				}
			}
			got, want := measure(score, y, w), measure(scores, ys, nil)
			if !(math.Abs(got-want) <= 1e-10*(1+math.Abs(want))) {
				t.Fatalf("%s: %v with weights, %v with copies (seed %d)", name, got, want, seed)
			}
			heavy := measure(score, y, apply(func(w float64) float64 { return 3 * w }, w))
			if !(math.Abs(got-heavy) <= 1e-10*(1+math.Abs(want))) {
				t.Fatalf("%s: %v, with three times the weights %v (seed %d)", name, got, heavy, seed)
			}
		}
	}
}

func TestUndefinedIsNaN(t *testing.T) {
	nan := math.NaN()
	one, two := []float64{1, 1}, []float64{0, 1}
	none := []float64{0, 0}
	for name, got := range map[string]float64{
		"AUC of nothing":                            AUC(nil, nil, nil),
		"AUC of positives":                          AUC(two, one, nil),
		"AUC of negatives":                          AUC(two, none, nil),
		"AUC without weight in a class":             AUC(two, two, []float64{1, 0}),
		"AUC of NaN":                                AUC([]float64{nan, 1}, two, nil),
		"ErrorRate of nothing":                      ErrorRate(nil, nil, nil),
		"ErrorRate without weight":                  ErrorRate(two, two, none),
		"LogLoss of nothing":                        LogLoss(nil, nil, nil),
		"LogLoss of NaN":                            LogLoss([]float64{nan, 1}, two, nil),
		"LogLossMulti of nothing":                   LogLossMulti(nil, 3, nil, nil),
		"LogLossMulti of class 2 of 2":              LogLossMulti([]float64{.5, .5}, 2, []float64{2}, nil),
		"LogLossMulti of class −1":                  LogLossMulti([]float64{.5, .5}, 2, []float64{-1}, nil),
		"LogLossMulti of class ½":                   LogLossMulti([]float64{.5, .5}, 2, []float64{.5}, nil),
		"LogLossMulti of class NaN":                 LogLossMulti([]float64{.5, .5}, 2, []float64{nan}, nil),
		"Brier of nothing":                          Brier(nil, nil, nil),
		"Brier of NaN":                              Brier([]float64{nan, 1}, two, nil),
		"BrierMulti of class 2 of 2":                BrierMulti([]float64{.5, .5}, 2, []float64{2}, nil),
		"BalancedError of nothing":                  BalancedError(nil, nil, nil),
		"BalancedError without weight":              BalancedError(two, two, none),
		"BalancedError of class NaN":                BalancedError(two, []float64{nan, 1}, nil),
		"NullLogLoss of nothing":                    NullLogLoss(nil, nil),
		"NullLogLossMulti of class 2 of 2":          NullLogLossMulti(2, []float64{2}, nil),
		"MAE of nothing":                            MAE(nil, nil, nil),
		"AveragePrecision of nothing":               AveragePrecision(nil, nil, nil),
		"AveragePrecision of negatives":             AveragePrecision(two, none, nil),
		"AveragePrecision of NaN":                   AveragePrecision([]float64{nan, 1}, two, nil),
		"MAP of nothing":                            MAP(nil, nil, nil),
		"MAP of an empty query":                     MAP(nil, nil, []int{0, 0}),
		"MAP without a relevant row":                MAP(two, none, []int{0, 2}),
		"MAP of NaN":                                MAP([]float64{nan, 1}, two, []int{0, 2}),
		"ThresholdF1 of nothing":                    ThresholdF1(nil, nil, nil),
		"ThresholdF1 of positives":                  ThresholdF1(two, one, nil),
		"ThresholdBalanced of negatives":            ThresholdBalanced(two, none, nil),
		"ThresholdCost of NaN":                      ThresholdCost([]float64{nan, 1}, two, nil, 1, 1),
		"ThresholdCost without costs":               ThresholdCost(two, two, nil, 0, 0),
		"ThresholdCost of a gain":                   ThresholdCost(two, two, nil, 1, -1),
		"RMSE of nothing":                           RMSE(nil, nil, nil),
		"R2 of nothing":                             R2(nil, nil, nil),
		"R2 of a constant":                          R2(two, one, nil),
		"R2 of a constant that has to be rounded":   R2(make([]float64, 10), slices.Repeat([]float64{0.1}, 10), nil),
		"R2 of a constant besides rows of weight 0": R2(make([]float64, 4), []float64{5, .1, .1, .1}, []float64{0, 1, 1, 1}),
		"R2 of a constant that is predicted":        R2(one, one, nil),
		"NDCG of nothing":                           NDCG(nil, nil, nil, 3),
		"NDCG of an empty query":                    NDCG(nil, nil, []int{0, 0}, 3),
		"NDCG without a relevant row":               NDCG(two, none, []int{0, 2}, 3),
		"NDCG of NaN":                               NDCG([]float64{nan, 1}, two, []int{0, 2}, 3),
		"share of true variables out of none":       second(Detection([]int{1}, nil)),
		"RMSE of a prediction that is NaN":          RMSE([]float64{nan, 1}, two, nil),
		"RMSE of an answer that is not known":       RMSE(two, []float64{nan, 1}, nil),
		"R2 of an answer that is not known":         R2(two, []float64{nan, 1}, nil),
		"NDCG of a relevance that is not known":     NDCG(two, []float64{nan, 1}, []int{0, 2}, 3),
	} {
		if got == got {
			t.Errorf("%s is %v, want NaN", name, got)
		}
	}
}

func second(_ bool, x float64) float64 { return x }

func TestShapesPanic(t *testing.T) {
	for name, f := range map[string]func(){
		"scores":  func() { AUC([]float64{1}, []float64{1, 0}, nil) },
		"weights": func() { RMSE([]float64{1}, []float64{1}, []float64{1, 2}) },
		"classes": func() { LogLossMulti([]float64{1, 0, 0}, 2, []float64{0}, nil) },
		"queries": func() { NDCG([]float64{1}, []float64{1}, []int{0, 2}, 1) },
		"MAP":     func() { MAP([]float64{1}, []float64{1}, []int{0, 2}) },
		"Brier":   func() { BrierMulti([]float64{1, 0, 0}, 2, []float64{0}, nil) },
		"bins":    func() { CalibrationTable([]float64{1}, []float64{1}, nil, 0) },
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

func TestLogLossOfCertainty(t *testing.T) {
	// Both rows are predicted with certainty; the first is right, the second is
	// wrong and costs −log 2⁻⁵².
	near(t, "LogLoss", LogLoss([]float64{1, 1}, []float64{1, -1}, nil), 26*math.Ln2-math.Log1p(-0x1p-52)/2)
	// A binary problem is a problem of two classes.
	p, y := []float64{.1, .7, .4, 1}, []float64{0, 1, 1, 0}
	near(t, "LogLossMulti", LogLossMulti([]float64{.9, .1, 1 - .7, .7, .6, .4, 0, 1}, 2, y, nil), LogLoss(p, y, nil))
}

func TestRegressionProperties(t *testing.T) {
	rng := rand.New(rand.NewPCG(seed, 3))
	for range 100 {
		f, y, w := sample(rng)
		if got := RMSE(y, y, w); got != 0 {
			t.Fatalf("RMSE of the truth is %v (seed %d)", got, seed)
		}
		if got := R2(y, y, w); got != 1 {
			t.Fatalf("R2 of the truth is %v (seed %d)", got, seed)
		}
		// Both measures scale as they must.
		scale := func(x float64) float64 { return 8*x + 3 }
		near(t, "RMSE of scaled numbers", RMSE(apply(scale, f), apply(scale, y), w), 8*RMSE(f, y, w))
		near(t, "R2 of scaled numbers", R2(apply(scale, f), apply(scale, y), w), R2(f, y, w))
	}
}

func TestNDCGProperties(t *testing.T) {
	rng := rand.New(rand.NewPCG(seed, 4))
	for range 200 {
		score, y, _ := sample(rng)
		for i := range y {
			y[i] = float64(rng.IntN(5))
		}
		y[0] = 1
		query := []int{0, 1 + rng.IntN(len(y)-1), len(y)}
		k := rng.IntN(len(y) + 2)
		got := NDCG(score, y, query, k)
		if !(got >= 0 && got <= 1) {
			t.Fatalf("NDCG is %v (seed %d)", got, seed)
		}
		if best := NDCG(y, y, query, k); best != 1 {
			t.Fatalf("NDCG of the best order is %v (seed %d)", best, seed)
		}
		if mapped := NDCG(apply(math.Atan, score), y, query, k); mapped != got {
			t.Fatalf("a monotone map changes the NDCG from %v to %v (seed %d)", got, mapped, seed)
		}
		if all := NDCG(score, y, query, 0); all != NDCG(score, y, query, len(y)) {
			t.Fatalf("k = 0 is not all rows (seed %d)", seed)
		}
		// A query without a relevant row changes nothing.
		more := append(slices.Clone(query), len(y)+2)
		if with := NDCG(append(slices.Clone(score), 1, 2), append(slices.Clone(y), 0, 0), more, k); with != got {
			t.Fatalf("an irrelevant query changes the NDCG from %v to %v (seed %d)", got, with, seed)
		}
	}
}

func TestNDCGTiesByIndex(t *testing.T) {
	flat := []float64{7, 7, 7}
	if got := NDCG(flat, []float64{1, 0, 0}, []int{0, 3}, 1); got != 1 {
		t.Errorf("the first of three equal scores is not the first: %v", got)
	}
	if got := NDCG(flat, []float64{0, 0, 1}, []int{0, 3}, 2); got != 0 {
		t.Errorf("the last of three equal scores is among the first two: %v", got)
	}
}

func TestDetection(t *testing.T) {
	for _, c := range []struct {
		selected, truth []int
		all             bool
		share           float64
	}{
		{[]int{9, 19, 29}, []int{9, 19, 29}, true, 1},
		{[]int{29, 1, 9, 19, 5}, []int{9, 19, 29}, true, 1},
		{[]int{9, 18, 28, 39}, []int{9, 19, 29, 39}, false, 0.5},
		{[]int{9, 9, 9, 9}, []int{9, 19, 29, 39}, false, 0.25},
		{[]int{9, 19}, []int{9, 9, 9, 19}, true, 1},
		{nil, []int{3}, false, 0},
	} {
		if all, share := Detection(c.selected, c.truth); all != c.all || share != c.share {
			t.Errorf("Detection(%v, %v) = %v, %v, want %v, %v", c.selected, c.truth, all, share, c.all, c.share)
		}
	}
	if all, _ := Detection(nil, nil); !all {
		t.Error("something was missed where nothing is true")
	}
}

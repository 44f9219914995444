package eval

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestGoldenAveragePrecision(t *testing.T) {
	// average_precision_score
	near(t, "AveragePrecision", AveragePrecision(tied, label, nil), 0.336126888868117)
	near(t, "weighted AveragePrecision", AveragePrecision(tied, label, weight), 0.3834489508514137)
}

func TestGoldenROC(t *testing.T) {
	// roc_curve with drop_intermediate=False
	points := ROC(tied, label, weight)
	if len(points) != 24 || points[0] != (ROCPoint{Score: math.Inf(1)}) {
		t.Fatalf("%d points, the first %v", len(points), points[0])
	}
	for at, want := range map[int]ROCPoint{
		1:  {2.75, 0.03571428571428571, 0.125},
		5:  {2.25, 0.1875, 0.2916666666666667},
		12: {1.375, 0.48214285714285715, 0.5833333333333334},
		20: {0.375, 0.8392857142857143, 0.9583333333333334},
		23: {0, 1, 1},
	} {
		near(t, "score", points[at].Score, want.Score)
		near(t, "FPR", points[at].FPR, want.FPR)
		near(t, "TPR", points[at].TPR, want.TPR)
	}
}

func TestGoldenPrecisionRecall(t *testing.T) {
	// precision_recall_curve, whose points ascend
	points := PrecisionRecall(tied, label, weight)
	if len(points) != 24 || points[0] != (PRPoint{math.Inf(1), 1, 0}) {
		t.Fatalf("%d points, the first %v", len(points), points[0])
	}
	for at, want := range map[int]PRPoint{
		0:  {0, 0.3, 1},
		5:  {0.625, 0.312, 0.8125},
		12: {1.5, 0.34210526315789475, 0.5416666666666666},
		22: {2.75, 0.6, 0.125},
	} {
		got := points[23-at]
		near(t, "score", got.Score, want.Score)
		near(t, "precision", got.Precision, want.Precision)
		near(t, "recall", got.Recall, want.Recall)
	}
}

// The best of all thresholds by f1_score, balanced_accuracy_score and a cost
// from confusion_matrix with predictions tied >= t, t in numpy.unique(tied). A
// threshold of ours is midway between that t and the next lower one.
func TestGoldenThresholds(t *testing.T) {
	near(t, "ThresholdF1", ThresholdF1(tied, label, nil), 0.3125)
	near(t, "ThresholdBalanced", ThresholdBalanced(tied, label, nil), 1.3125)
	near(t, "ThresholdCost", ThresholdCost(tied, label, nil, 2, 3), 2.6875)
	near(t, "weighted ThresholdF1", ThresholdF1(tied, label, weight), 0.3125)
	near(t, "weighted ThresholdBalanced", ThresholdBalanced(tied, label, weight), 0.8125)
	near(t, "weighted ThresholdCost", ThresholdCost(tied, label, weight, 2, 3), 2.6875)
}

func TestCurveProperties(t *testing.T) {
	rng := rand.New(rand.NewPCG(seed, 6))
	for range 300 {
		score, y, w := sample(rng)
		// The area under the points is the AUC.
		var area float64
		points := ROC(score, y, w)
		for at := range points[1:] {
			a, b := points[at], points[at+1]
			area += (b.FPR - a.FPR) * (a.TPR + b.TPR) / 2
			if !(b.Score < a.Score && b.FPR >= a.FPR && b.TPR >= a.TPR) {
				t.Fatalf("%v after %v (seed %d)", b, a, seed)
			}
		}
		if auc := AUC(score, y, w); math.Abs(area-auc) > 1e-12 {
			t.Fatalf("area %v, AUC %v (seed %d)", area, auc, seed)
		}
		if got := AveragePrecision(y, y, w); got != 1 {
			t.Fatalf("average precision of the truth is %v (seed %d)", got, seed)
		}
		if got, want := AveragePrecision(apply(math.Atan, score), y, w), AveragePrecision(score, y, w); got != want {
			t.Fatalf("a monotone map changes the average precision from %v to %v (seed %d)", want, got, seed)
		}
		var pos, total float64
		for i := range y {
			pos, total = pos+w[i]*y[i], total+w[i]
		}
		if got := AveragePrecision(make([]float64, len(y)), y, w); math.Abs(got-pos/total) > 1e-12 {
			t.Fatalf("average precision of equal scores is %v, want %v (seed %d)", got, pos/total, seed)
		}
		// One query is all rows.
		if got, want := MAP(score, y, []int{0, len(y)}), AveragePrecision(score, y, nil); got != want {
			t.Fatalf("MAP of one query is %v, want %v (seed %d)", got, want, seed)
		}
	}
}

// No threshold is better than the one chosen.
func TestThresholdsAreBest(t *testing.T) {
	rng := rand.New(rand.NewPCG(seed, 7))
	for range 200 {
		score, y, w := sample(rng)
		fp, fn := float64(1+rng.IntN(5)), float64(1+rng.IntN(5))
		for name, c := range map[string]struct {
			chosen float64
			loss   func(predicted []float64) float64
		}{
			"F1": {ThresholdF1(score, y, w), func(predicted []float64) float64 {
				c := Confusion(predicted, 2, y, w)
				return -2 * c[1][1] / (2*c[1][1] + c[0][1] + c[1][0])
			}},
			"balanced": {ThresholdBalanced(score, y, w), func(predicted []float64) float64 {
				return BalancedError(predicted, y, w)
			}},
			"cost": {ThresholdCost(score, y, w, fp, fn), func(predicted []float64) float64 {
				c := Confusion(predicted, 2, y, w)
				return fp*c[0][1] + fn*c[1][0]
			}},
		} {
			at := func(threshold float64) float64 {
				return c.loss(apply(func(s float64) float64 { return truth(s > threshold) }, score))
			}
			best := at(c.chosen)
			for threshold := -11.0; threshold <= 11; threshold += 0.5 {
				if l := at(threshold); l < best-1e-12 {
					t.Fatalf("%s: loss %v at %v, %v at the threshold chosen, %v (seed %d)", name, l, threshold, best, c.chosen, seed)
				}
			}
		}
	}
}

func TestThresholdEnds(t *testing.T) {
	score, y := []float64{1, 2, 3, 4}, []float64{1, 0, 1, 0}
	if got := ThresholdCost(score, y, nil, 1, 100); got != math.Inf(-1) {
		t.Errorf("threshold %v where a miss is dear", got)
	}
	if got := ThresholdCost(score, y, nil, 100, 1); got != math.Inf(1) {
		t.Errorf("threshold %v where an alarm is dear", got)
	}
	// Two neighbouring numbers, and an infinite one, can be told apart.
	for _, s := range [][]float64{{1, math.Nextafter(1, 2)}, {1, math.Inf(1)}, {-math.MaxFloat64, math.MaxFloat64}} {
		if got := ThresholdF1(s, []float64{0, 1}, nil); !(s[0] <= got && got < s[1]) {
			t.Errorf("threshold %v between %v and %v", got, s[0], s[1])
		}
	}
}

func TestCurvesOfNothing(t *testing.T) {
	two, one := []float64{0, 1}, []float64{1, 1}
	if ROC(nil, nil, nil) != nil || ROC(two, one, nil) != nil || ROC([]float64{math.NaN(), 1}, two, nil) != nil {
		t.Error("a ROC curve of nothing")
	}
	if PrecisionRecall(nil, nil, nil) != nil || PrecisionRecall(two, []float64{0, 0}, nil) != nil {
		t.Error("a precision-recall curve of nothing")
	}
	if got := AveragePrecision(two, one, nil); got != 1 {
		t.Errorf("average precision of positives is %v", got)
	}
	if Confusion(two, 1, two, nil) != nil || Confusion(two, 2, []float64{.5, 1}, nil) != nil {
		t.Error("a confusion matrix of what is not a class")
	}
}

// The names of rules give the functions of the same names.
func TestThresholdRule(t *testing.T) {
	score, y := []float64{1, 2, 3, 4}, []float64{0, 1, 0, 1}
	for name, want := range map[string]float64{
		"f1": ThresholdF1(score, y, nil), "balanced": ThresholdBalanced(score, y, nil), "cost=1:100": ThresholdCost(score, y, nil, 1, 100),
	} {
		rule, ok := ThresholdRule(name)
		if !ok {
			t.Fatalf("%s is not known", name)
		}
		if got := rule(score, y, nil); got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	for _, name := range []string{"", "F1", "cost", "cost=", "cost=1", "cost=1:", "cost=1:x", "cost=-1:2", "cost=0:0", "cost=NaN:1", "cost=Inf:1"} {
		if _, ok := ThresholdRule(name); ok {
			t.Errorf("%q is accepted", name)
		}
	}
}

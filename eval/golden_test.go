package eval

import (
	"math"
	"slices"
	"testing"
)

// The golden values of this file were computed by scikit-learn 1.9.1 from the
// same formulas, with i = numpy.arange(40). A value without a comment of its
// own is f(truth, prediction) of the function named, and f(…,
// sample_weight=weight) for the weighted one.
const rows = 40

func column(f func(i int) float64) []float64 {
	c := make([]float64, rows)
	for i := range c {
		c[i] = f(i)
	}
	return c
}

var (
	label  = column(func(i int) float64 { return truth((i*i+3*i)%7 < 3) })
	weight = column(func(i int) float64 { return 1 + float64(i%5)/2 })
	// tied has 23 different values in 40 rows.
	tied = column(func(i int) float64 { return float64(i*17%23) / 8 })
	// class is one of three, three their probabilities.
	class = column(func(i int) float64 { return float64((i*i + i/3) % 3) })
	three = func() (p []float64) {
		for i := range rows {
			a, b, c := float64(1+i%4), float64(1+3*i%5), float64(2+i*i%3)
			p = append(p, a/(a+b+c), b/(a+b+c), c/(a+b+c))
		}
		return p
	}()
)

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 1e-13*math.Abs(want)) {
		t.Errorf("%s = %.17g, want %.17g", what, got, want)
	}
}

func TestGoldenAUC(t *testing.T) {
	// roc_auc_score
	near(t, "AUC", AUC(tied, label, nil), 0.511904761904762)
	near(t, "weighted AUC", AUC(tied, label, weight), 0.5654761904761905)
}

func TestGoldenErrorRate(t *testing.T) {
	// zero_one_loss
	predicted := column(func(i int) float64 { return truth(tied[i] > 1.3) })
	near(t, "ErrorRate", ErrorRate(predicted, label, nil), 0.475)
	near(t, "weighted ErrorRate", ErrorRate(predicted, label, weight), 0.4625)
}

func TestGoldenLogLoss(t *testing.T) {
	// log_loss; p holds 0 and 1 for rows of either class.
	p := column(func(i int) float64 { return float64(i*17%23) / 22 })
	near(t, "LogLoss", LogLoss(p, label, nil), 2.6403444994151846)
	near(t, "weighted LogLoss", LogLoss(p, label, weight), 2.160708388719185)
	// 2 * log_loss
	near(t, "DevianceLogistic", DevianceLogistic(p, label, weight), 4.32141677743837)
}

func TestGoldenLogLossMulti(t *testing.T) {
	// log_loss with labels=[0, 1, 2]
	near(t, "LogLossMulti", LogLossMulti(three, 3, class, nil), 1.1836288731320856)
	near(t, "weighted LogLossMulti", LogLossMulti(three, 3, class, weight), 1.1556811306735633)
	near(t, "DevianceMultinomial", DevianceMultinomial(three, 3, class, weight), 2*1.1556811306735633)
}

func TestGoldenBrier(t *testing.T) {
	// brier_score_loss
	p := column(func(i int) float64 { return float64(i*17%23) / 22 })
	near(t, "Brier", Brier(p, label, nil), 0.34333677685950414)
	near(t, "weighted Brier", Brier(p, label, weight), 0.320260847107438)
	// brier_score_loss with labels=[0, 1, 2]
	near(t, "BrierMulti", BrierMulti(three, 3, class, nil), 0.7156838407654155)
	near(t, "weighted BrierMulti", BrierMulti(three, 3, class, weight), 0.6999821520158032)
}

func TestGoldenConfusion(t *testing.T) {
	predicted := column(func(i int) float64 { return float64((i*5 + i/7) % 3) })
	// 1 - balanced_accuracy_score
	near(t, "BalancedError", BalancedError(predicted, class, nil), 0.6239316239316239)
	near(t, "weighted BalancedError", BalancedError(predicted, class, weight), 0.6346538615446178)
	// confusion_matrix
	for _, c := range []struct{ w, want []float64 }{
		{nil, []float64{6, 3, 4, 6, 5, 4, 5, 3, 4}},
		{weight, []float64{11, 6, 7.5, 11, 10, 9, 11.5, 6, 8}},
	} {
		if got := slices.Concat(Confusion(predicted, 3, class, c.w)...); !slices.Equal(got, c.want) {
			t.Errorf("Confusion is %v, want %v", got, c.want)
		}
	}
}

func TestGoldenNullLogLoss(t *testing.T) {
	// log_loss(label, numpy.full(40, numpy.average(label, weights=w))); both
	// weights happen to have the same share of positive rows.
	near(t, "NullLogLoss", NullLogLoss(label, nil), 0.6108643020548936)
	near(t, "weighted NullLogLoss", NullLogLoss(label, weight), 0.6108643020548936)
	// log_loss of the average of numpy.eye(3)[class]
	near(t, "NullLogLossMulti", NullLogLossMulti(3, class, nil), 1.094280092589208)
	near(t, "weighted NullLogLossMulti", NullLogLossMulti(3, class, weight), 1.094655217673281)
	// d2_log_loss_score
	p := column(func(i int) float64 { return 0.1 + 0.8*float64(i*17%23)/22 })
	near(t, "explained", 1-LogLoss(p, label, nil)/NullLogLoss(label, nil), -0.396131848540916)
	near(t, "weighted explained", 1-LogLoss(p, label, weight)/NullLogLoss(label, weight), -0.31710348858442905)
}

func TestGoldenRegression(t *testing.T) {
	y := column(func(i int) float64 { return float64(i%9) - 0.25*float64(i) })
	f := column(func(i int) float64 { return y[i] + float64(i*7%11-5)/4 })
	// root_mean_squared_error
	near(t, "RMSE", RMSE(f, y, nil), 0.8042853971072706)
	near(t, "weighted RMSE", RMSE(f, y, weight), 0.7991694907840263)
	// mean_absolute_error
	near(t, "MAE", MAE(f, y, nil), 0.7)
	near(t, "weighted MAE", MAE(f, y, weight), 0.6921875)
	// mean_tweedie_deviance with power=0
	near(t, "DevianceSquared", DevianceSquared(f, y, nil), 0.646875)
	near(t, "weighted DevianceSquared", DevianceSquared(f, y, weight), 0.638671875)
	// r2_score
	near(t, "R2", R2(f, y, nil), 0.9544554455445544)
	near(t, "weighted R2", R2(f, y, weight), 0.9562248995983935)
}

func TestGoldenNDCG(t *testing.T) {
	// The mean over queries of ndcg_score([2**y - 1], [score], k=k), without
	// the three queries that have no relevant row or no row at all. No score
	// appears twice, since scikit-learn treats ties in another way.
	y := column(func(i int) float64 {
		if 20 <= i && i < 26 {
			return 0
		}
		return float64((i/2*7 + i*i) % 5)
	})
	score := column(func(i int) float64 { return float64(i*29%41) / 3 })
	query := []int{0, 1, 7, 20, 26, 26, 40}
	for k, want := range map[int]float64{
		1:  0.022222222222222223,
		3:  0.2068535576305064,
		10: 0.567434879889737,
		0:  0.5699868497618398, // k=None
	} {
		near(t, "NDCG", NDCG(score, y, query, k), want)
	}
}

func TestGoldenMAP(t *testing.T) {
	// The mean over queries of average_precision_score(y > 0, score), without
	// the three queries that have no relevant row or no row at all.
	y := column(func(i int) float64 {
		if 20 <= i && i < 26 {
			return 0
		}
		return float64((i/2*7 + i*i) % 5)
	})
	score := column(func(i int) float64 { return float64(i * 29 % 41 / 4) })
	near(t, "MAP", MAP(score, y, []int{0, 1, 7, 20, 26, 26, 40}), 0.7940420073753408)
}

package eval

import (
	"math"
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
}

func TestGoldenLogLossMulti(t *testing.T) {
	// log_loss with labels=[0, 1, 2]
	var p []float64
	for i := range rows {
		a, b, c := float64(1+i%4), float64(1+3*i%5), float64(2+i*i%3)
		p = append(p, a/(a+b+c), b/(a+b+c), c/(a+b+c))
	}
	class := column(func(i int) float64 { return float64((i*i + i/3) % 3) })
	near(t, "LogLossMulti", LogLossMulti(p, 3, class, nil), 1.1836288731320856)
	near(t, "weighted LogLossMulti", LogLossMulti(p, 3, class, weight), 1.1556811306735633)
}

func TestGoldenRegression(t *testing.T) {
	y := column(func(i int) float64 { return float64(i%9) - 0.25*float64(i) })
	f := column(func(i int) float64 { return y[i] + float64(i*7%11-5)/4 })
	// root_mean_squared_error
	near(t, "RMSE", RMSE(f, y, nil), 0.8042853971072706)
	near(t, "weighted RMSE", RMSE(f, y, weight), 0.7991694907840263)
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

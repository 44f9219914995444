package validate_test

import (
	"math"
	"testing"

	"fsa/validate"
)

// Golden values are those of scipy.stats.wilcoxon (1.17, method "approx", with correction).
func TestSignedRank(t *testing.T) {
	for _, c := range []struct {
		d    []float64
		want float64
	}{
		{[]float64{1.1, -0.3, 0.5, 2, 0.7, -0.1, 0.9, 0.4, 1.3, 0.2}, 2.3443770806130773},
		{[]float64{1, 1, -1, 2, 2, -3, 4, 5, 5, 5, 0, -2}, 1.6546903033498443},
		{[]float64{-1, -2, 3, -4, -5.5, -6}, -1.4675987714106857},
		{[]float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 1000}, 2.7520948337631777},
		{nil, 0},
		{[]float64{0, 0}, 0},
	} {
		if got := validate.SignedRank(c.d); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%v: %v, want %v", c.d, got, c.want)
		}
	}
}

// The null model is worse in all folds. The test finds this although it is much worse in one of them.
func TestPairedDespiteOutlier(t *testing.T) {
	null := []float64{2, 2.1, 2.2, 2, 2.1, 2.3, 2, 2.2, 2.1, 40}
	best := []float64{1, 1.1, 1, 1.2, 1, 1.1, 1.2, 1, 1.1, 1.5}
	c := validate.NewCurve([]int{0, 3}, [][]float64{null, best}, nil, 1)
	if at, err := c.Choose("paired"); err != nil || c.Points[at].Size != 3 {
		t.Errorf("point %d, %v", at, err)
	}
}

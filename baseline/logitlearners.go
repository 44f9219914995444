package baseline

import "fsa/internal/matrix"

// lines are learners that are linear in a variable: an intercept and a slope.
type lines struct{ columns *matrix.Vectors }

var _ logitLearner = lines{}

func (lines) width() int { return 2 }

func (l lines) fit(coef []float64, b *logitBoosting, v int) (gain float64) {
	var wx, wxx, rx float64
	index, value := l.columns.Cells(v)
	if index == nil {
		wx, wxx, rx = moments(value, b.weight, b.residual)
	}
	for p, i := range index {
		x, w := value[p], b.weight[i]
		wx += w * x
		wxx += w * x * x
		rx += b.residual[i] * x
	}
	spread := wxx - wx*wx/b.sumW
	if !(spread > 1e-12*wxx) { // all rows that still count have the same value
		clear(coef)
		return 0
	}
	covariance := rx - wx*b.sumR/b.sumW
	slope := covariance / spread
	coef[0], coef[1] = (b.sumR-slope*wx)/b.sumW, slope
	return slope * covariance
}

// moments returns Σwx, Σwx² and Σrx. Two lanes, because a processor can do both
// at once.
func moments(x, w, r []float64) (wx, wxx, rx float64) {
	w, r = w[:len(x)], r[:len(x)]
	var wx1, wxx1, rx1 float64
	i := 0
	for ; i+2 <= len(x); i += 2 {
		u0, u1 := w[i]*x[i], w[i+1]*x[i+1]
		wx += u0
		wx1 += u1
		wxx += u0 * x[i]
		wxx1 += u1 * x[i+1]
		rx += r[i] * x[i]
		rx1 += r[i+1] * x[i+1]
	}
	if i < len(x) {
		u := w[i] * x[i]
		wx += u
		wxx += u * x[i]
		rx += r[i] * x[i]
	}
	return wx + wx1, wxx + wxx1, rx + rx1
}

func (l lines) spread(dst []float64, v int, coef []float64) {
	for i := range dst {
		dst[i] += coef[0]
	}
	l.columns.Add(dst, v, coef[1])
}

// stairs are learners that are constant in each bin of a variable.
type stairs struct {
	x    coded
	bins int
}

var _ logitLearner = stairs{}

// maxHeight limits how far a step function may move a row in a round. A bin with few rows could
// otherwise move further than the next round can correct; the authors of LogitBoost limit the
// working response to a similar value.
const maxHeight = 4

func (l stairs) width() int { return l.bins }

func (l stairs) fit(coef []float64, b *logitBoosting, v int) (gain float64) {
	var room [maxBins]float64
	weight := room[:l.bins]
	l.x.tallyBoth(weight, coef, v, b.weight, b.residual, b.sumW, b.sumR)
	for c, r := range coef {
		w := weight[c]
		// What is left of an empty bin of a sparse variable is rounding.
		if w <= 1e-12*b.sumW {
			coef[c] = 0
			continue
		}
		height := min(max(r/w, -maxHeight), maxHeight)
		gain += height * (2*r - height*w)
		coef[c] = height
	}
	return max(0, gain-b.sumR*b.sumR/b.sumW)
}

func (l stairs) spread(dst []float64, v int, coef []float64) { l.x.spread(dst, v, coef) }

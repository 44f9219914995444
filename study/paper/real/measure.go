package real

import (
	"math"

	"gonum.org/v1/gonum/stat"

	"fsa/eval"
)

// judge evaluates answers for the held-out rows of a pair of tables.
type judge struct {
	set         *Set
	seed        uint64
	train, test *Table
}

// record evaluates an answer.
func (j *judge) record(method string, k int, a Answer) Record {
	r := Record{
		Family: j.set.Family, Set: j.set.Name, Seed: j.seed, K: k, Method: method, Task: j.train.task(), Rows: j.train.Rows, Cols: j.train.Cols,
		Selected: len(a.Selected), Signal: j.set.signal(), Measures: map[string]float64{seconds: a.Seconds},
	}
	put := func(name string, v float64) {
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			r.Measures[name] = v
		}
	}
	keep := func(name string, loses func(i int) float64) {
		if k != 0 {
			return
		}
		list := make([]float64, j.test.Rows)
		for i := range list {
			list[i] = loses(i)
		}
		if r.rows == nil {
			r.rows = map[string][]float64{}
		}
		r.rows[name] = list
	}
	y := j.test.Y
	switch j.train.task() {
	case regression:
		put(r2, eval.R2(a.Prediction, y, nil))
		var mean float64
		for _, v := range j.train.Y {
			mean += v / float64(j.train.Rows)
		}
		square := func(v float64) float64 { return v * v }
		j.compareWithBase(put, func(i int) float64 { return square(y[i]-a.Prediction[i]) - square(y[i]-mean) })
		spread := stat.PopVariance(y, nil)
		keep(r2, func(i int) float64 { return square(y[i]-a.Prediction[i]) / spread })
	case ranking:
		put(ndcg, eval.NDCG(a.Prediction, y, cuts(j.test.Query), 10))
	case twoClasses:
		class := make([]float64, len(y))
		for i, p := range a.Prediction {
			if p > 0.5 {
				class[i] = 1
			}
			r.logit = append(r.logit, logit(p))
		}
		r.y = y
		put(errorRate, eval.ErrorRate(class, y, nil))
		put(logLoss, eval.LogLoss(a.Prediction, y, nil))
		put(auc, eval.AUC(r.logit, y, nil))
		put(slope, pooledSlope([]Record{r}))
		j.compareWithShares(put, func(i int) float64 { return given(a.Prediction[i], y[i]) })
		keep(errorRate, func(i int) float64 { return differs(class[i], y[i]) })
		keep(logLoss, func(i int) float64 { return surprise(given(a.Prediction[i], y[i])) })
	case multiclass:
		classes := len(j.train.Classes)
		class := make([]float64, len(y))
		for i := range class {
			row := a.Prediction[i*classes : (i+1)*classes]
			for c, p := range row {
				if p > row[int(class[i])] {
					class[i] = float64(c)
				}
			}
		}
		put(errorRate, eval.ErrorRate(class, y, nil))
		put(logLoss, eval.LogLossMulti(a.Prediction, classes, y, nil))
		j.compareWithShares(put, func(i int) float64 { return a.Prediction[i*classes+int(y[i])] })
		keep(errorRate, func(i int) float64 { return differs(class[i], y[i]) })
		keep(logLoss, func(i int) float64 { return surprise(a.Prediction[i*classes+int(y[i])]) })
	}
	return r
}

// differs is 1 if the class is wrong.
func differs(class, y float64) float64 {
	if class != y {
		return 1
	}
	return 0
}

// given returns the predicted probability of the true class, for two classes.
func given(p, y float64) float64 {
	if y > 0 {
		return p
	}
	return 1 - p
}

// compareWithShares compares the log loss with that of the class proportions; p is the predicted
// probability of the class of each row.
func (j *judge) compareWithShares(put func(string, float64), p func(i int) float64) {
	share := make([]float64, len(j.train.Classes))
	for _, y := range j.train.Y {
		share[int(y)] += 1 / float64(j.train.Rows)
	}
	base := 0.0
	for _, y := range j.test.Y {
		base += surprise(share[int(y)]) / float64(j.test.Rows)
	}
	put(baseLoss, base)
	j.compareWithBase(put, func(i int) float64 { return surprise(p(i)) - surprise(share[int(j.test.Y[i])]) })
}

// compareWithBase compares the prediction of each row with that of a model without variables.
func (j *judge) compareWithBase(put func(string, float64), worse func(i int) float64) {
	n := float64(j.test.Rows)
	var mean, square float64
	for i := range j.test.Rows {
		d := worse(i)
		mean += d / n
		square += d * d / n
	}
	put(excess, mean)
	put(excessSE, math.Sqrt(max(square-mean*mean, 0)/max(n-1, 1)))
}

// tiny keeps probabilities away from 0 and 1, as package eval does.
const tiny = 0x1p-52

func surprise(p float64) float64 { return -math.Log(min(max(p, tiny), 1-tiny)) }

func logit(p float64) float64 {
	p = min(max(p, tiny), 1-tiny)
	return math.Log(p / (1 - p))
}

// cuts returns where queries begin, and the number of rows.
func cuts(query []int64) []int {
	out := []int{0}
	for i := 1; i < len(query); i++ {
		if query[i] != query[i-1] {
			out = append(out, i)
		}
	}
	return append(out, len(query))
}

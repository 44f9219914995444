package report

import (
	"math"
	"slices"

	"fsa/eval"
)

// foldError returns the standard error of a measure, computed from its values in the folds, or 0 if
// it is not known.
func foldError(r *Run, name string) float64 {
	if r.Rows == nil {
		return 0
	}
	measure := foldMeasure(r, name)
	if measure == nil {
		return 0
	}
	var values []float64
	for _, rows := range r.Rows.folds() {
		if v := measure(rows); !math.IsNaN(v) {
			values = append(values, v)
		}
	}
	n := float64(len(values))
	if n < 2 {
		return 0
	}
	mean, squares := 0.0, 0.0
	for _, v := range values {
		mean += v / n
	}
	for _, v := range values {
		squares += (v - mean) * (v - mean)
	}
	return math.Sqrt(squares / (n - 1) / n)
}

// foldMeasure returns a function that computes the measure on some rows, or nil if that is not
// possible.
func foldMeasure(r *Run, name string) func(rows []int) float64 {
	switch {
	case name == "error" && len(r.Rows.Classes) > 0:
		return r.Rows.errorRate
	case name == "ndcg10" && r.Rows.Query != nil:
		y := r.Rows.numbers()
		if y == nil || len(r.Rows.Number) != len(y) {
			return nil
		}
		return func(rows []int) float64 { return r.Rows.ndcg(rows, y) }
	}
	y, z := r.Rows.numbers(), r.Rows.Number
	if name == "auc" && len(r.Model.Classes) == 2 {
		z, _ = r.Rows.score()
		y = r.Rows.positive(r.Model.Classes[1])
	}
	measure := map[string]func(p, y, w []float64) float64{"r2": eval.R2, "auc": eval.AUC, "rmse": eval.RMSE}[name]
	if measure == nil || y == nil || len(z) != len(y) {
		return nil
	}
	return func(rows []int) float64 {
		var a, b []float64
		for _, i := range rows {
			a, b = append(a, z[i]), append(b, y[i])
		}
		return measure(a, b, nil)
	}
}

// errorRate returns the share of rows whose most probable class is wrong.
func (r *Rows) errorRate(rows []int) float64 {
	wrong := 0
	for _, i := range rows {
		p := r.Probability[i*len(r.Classes) : (i+1)*len(r.Classes)]
		if r.Classes[slices.Index(p, slices.Max(p))] != r.Target[i] {
			wrong++
		}
	}
	return float64(wrong) / float64(len(rows))
}

// ndcg returns the mean NDCG@10 of the queries of rows with relevances y.
func (r *Rows) ndcg(rows []int, y []float64) float64 {
	by := map[string][]int{}
	var names []string
	for _, i := range rows {
		if by[r.Query[i]] == nil {
			names = append(names, r.Query[i])
		}
		by[r.Query[i]] = append(by[r.Query[i]], i)
	}
	var a, b []float64
	query := []int{0}
	for _, name := range names {
		for _, i := range by[name] {
			a, b = append(a, r.Number[i]), append(b, y[i])
		}
		query = append(query, len(a))
	}
	return eval.NDCG(a, b, query, 10)
}

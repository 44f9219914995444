package model

import (
	"fsa/data"
	"fsa/eval"
	"fsa/loss"
)

// Measure measures decision values, row after row, of the rows that have one.
func (r *Response) Measure(z []float64, has []bool) map[string]float64 {
	t := *r.Target
	t.Weight = make([]float64, len(t.Y))
	rows := loss.Target{Weight: r.rowWeight}
	for i, ok := range has {
		if ok {
			t.Weight[i] = rows.WeightOf(i)
		}
	}
	s := &spec{Task: r.Task, Loss: r.Name, Classes: r.Classes, Outputs: r.Loss.Outputs()}
	out := metrics(s, &t, z)
	if rmse, ok := out["rmse"]; ok {
		out["rmse"] = rmse * r.unit
	}
	return out
}

// metrics measures decision values, row after row, against a target that
// is encoded as the model's loss wants it. What cannot be measured, such as the
// AUC of one class, is left out.
func metrics(s *spec, t *data.Target, z []float64) map[string]float64 {
	w := t.Weight
	out := map[string]float64{}
	put := func(name string, v float64) {
		if finite(v) {
			out[name] = v
		}
	}
	switch {
	case s.Task == Ranking && t.Query == nil: // nothing says which rows compete
	case s.Task == Ranking:
		put("ndcg10", eval.NDCG(z, t.Y, t.Query, 10))
	case s.Loss == customLoss && s.Outputs > 1:
	case s.Task == Regression:
		put("rmse", eval.RMSE(z, t.Y, w))
		put("r2", eval.R2(z, t.Y, w))
	case s.Outputs > 1:
		put("error", eval.ErrorRate(s.classes(z), t.Y, w))
		put("logloss", eval.LogLossMulti(s.probabilities(z), s.Outputs, t.Y, w))
	default:
		put("auc", eval.AUC(z, t.Y, w))
		class := s.classes(z)
		for i := range class {
			class[i] = 2*class[i] - 1
		}
		put("error", eval.ErrorRate(class, t.Y, w))
		if p := s.probabilities(z); p != nil {
			put("logloss", eval.LogLoss(p, t.Y, w))
		}
	}
	return out
}

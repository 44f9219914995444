package model

import (
	"fsa/data"
	"fsa/eval"
)

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

package model

import (
	"math"
	"slices"

	"fsa/validate"
)

// mostScores is the maximal number of out-of-fold scores in a model: enough for coverages up to
// 99.9%.
const mostScores = 1000

// Scores returns nonconformity scores for intervals and sets, ascending, from out-of-fold
// decision values: the absolute residual for a numeric target, or 1 minus the probability of
// the true class. If there are many, a subset is returned, rounded up. It returns nil if there
// are no probabilities.
func (r *Response) Scores(z []float64, has []bool, calibrated bool) []float64 {
	if r.Task.Relative() || r.Targets != nil || r.Task == Regression && r.Loss.Outputs() > 1 {
		return nil
	}
	v := r.measured(z, has)
	v.spec.Calibrated = calibrated
	var scores []float64
	switch p := v.spec.probabilities(v.z); {
	case r.Task == Regression:
		scores = r.Residuals(z, has)
	case p == nil:
		return nil
	case v.binary():
		for i, y := range v.Y {
			if y < 0 {
				p[i] = 1 - p[i]
			}
			scores = append(scores, 1-p[i])
		}
	default:
		for i, y := range v.Y {
			scores = append(scores, 1-p[i*len(v.spec.Classes)+int(y)])
		}
	}
	slices.Sort(scores)
	return thinned(scores)
}

// thinned returns at most mostScores of the ascending scores. Each stands for itself and the
// omitted scores below it.
func thinned(scores []float64) []float64 {
	n := len(scores)
	if n <= mostScores {
		return scores
	}
	some := make([]float64, mostScores)
	for i := range some {
		some[i] = scores[((i+1)*n+mostScores-1)/mostScores-1]
	}
	return some
}

// Residuals returns the absolute residuals of the rows that have a decision value, in the unit
// of the target.
func (r *Response) Residuals(z []float64, has []bool) []float64 {
	v := r.measured(z, has)
	list, values := make([]float64, len(v.Y)), v.values()
	for i, y := range v.Y {
		list[i] = math.Abs(y-values[i]) * r.unit
	}
	return list
}

// reach returns the quantile of the out-of-fold scores below which the score of a new row lies with
// probability coverage.
func (m *Model) reach(coverage float64) (float64, error) {
	v := m.spec.Validation
	switch {
	case !(coverage > 0 && coverage < 1):
		return 0, optionError("a coverage of %v: it must be above 0 and below 1", coverage)
	case v == nil:
		return 0, optionError("the model was not cross-validated, so its errors on new rows are unknown: fit it with cross-validation, such as --folds 10")
	case v.Scores == nil && m.spec.Task == Regression:
		return 0, optionError("the model has no out-of-fold scores (older versions did not save them): fit it again")
	case v.Scores == nil:
		return 0, optionError("the %s loss predicts neither numbers nor probabilities: fit the model with --calibrate", m.spec.Loss)
	}
	q := validate.Quantile(v.Scores, nil, coverage)
	if math.IsInf(q, 1) {
		return 0, optionError("a coverage of %v needs more than %d rows: use at most %.4g", coverage, len(v.Scores), float64(len(v.Scores))/float64(len(v.Scores)+1))
	}
	return q, nil
}

// Intervals returns prediction intervals that contain the target with the given probability:
// the prediction plus and minus a quantile of the absolute out-of-fold residuals. The coverage
// holds on average over rows like those of training. Only the selected columns are needed; the
// intervals of [Folds] need the columns that any fold selected.
func (m *Model) Intervals(p *Prediction, coverage float64) (low, high []float64, err error) {
	if m.spec.Settings.Quantiles != nil {
		return nil, nil, optionError("the model predicts several quantiles, and the lowest and the highest of them are an interval: leave the interval out")
	}
	if m.spec.Targets != nil {
		return nil, nil, optionError("intervals are for models of one target, and this one has %d: leave the interval out, or fit each target alone", len(m.spec.Targets))
	}
	if m.spec.Task != Regression || m.spec.Outputs > 1 {
		return nil, nil, optionError("intervals are for regressions, and this is a %s", m.spec.Task)
	}
	if err := m.CheckLink(); err != nil {
		return nil, nil, err
	}
	q, err := m.reach(coverage)
	if err != nil {
		return nil, nil, err
	}
	low, high = make([]float64, p.Rows()), make([]float64, p.Rows())
	for i, v := range p.Values() {
		low[i], high[i] = m.spec.above(v-q), v+q
	}
	return low, high, nil
}

// above returns the lower end of an interval, which is at least 0 for counts and amounts.
func (s *spec) above(low float64) float64 {
	if s.link() == Exp {
		return max(low, 0)
	}
	return low
}

// Sets returns a set of classes for each row that contains the true class with the given
// probability (LAC of Sadinle, Lei and Wasserman 2019).
func (m *Model) Sets(p *Prediction, coverage float64) ([][]string, error) {
	if m.spec.Targets != nil {
		return nil, optionError("sets of classes are for models of one target, and this one has %d: leave the interval out, or fit each target alone", len(m.spec.Targets))
	}
	if m.spec.Task != Classification {
		return nil, optionError("sets of classes are for classifications, and this is a %s", m.spec.Task)
	}
	q, err := m.reach(coverage)
	if err != nil {
		return nil, err
	}
	sets := validate.ClassSets{Limit: q}
	prob := p.Probability()
	list := make([][]string, p.Rows())
	for i := range list {
		row := []float64{0, 0}
		if n := len(m.spec.Classes); n == 2 {
			row[0], row[1] = 1-prob[i], prob[i]
		} else {
			row = prob[i*n : (i+1)*n]
		}
		for _, c := range sets.Set(row) {
			list[i] = append(list[i], m.spec.Classes[c])
		}
	}
	return list, nil
}

package model

import (
	"math"
	"slices"

	"fsa/validate"
)

// mostScores is how many out-of-fold scores a model keeps: enough for coverages up to 99.9%.
const mostScores = 1000

// Scores returns how little each row conforms with its out-of-fold decision values,
// ascending, for intervals and sets: the absolute residual of a number, in its unit, or 1
// less the probability of the class. Of many only some are returned, rounded up. Nil where
// there are no probabilities.
func (r *Response) Scores(z []float64, has []bool, calibrated bool) []float64 {
	if r.Task == Ranking || r.Task == Regression && r.Loss.Outputs() > 1 {
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
	case v.spec.Outputs == 1:
		for i, y := range v.Y {
			if y < 0 {
				p[i] = 1 - p[i]
			}
			scores = append(scores, 1-p[i])
		}
	default:
		for i, y := range v.Y {
			scores = append(scores, 1-p[i*v.spec.Outputs+int(y)])
		}
	}
	slices.Sort(scores)
	return thinned(scores)
}

// thinned returns some of many scores, ascending, each of which stands for those below it.
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

// Residuals returns the absolute residuals of some rows, in the unit of the response.
func (r *Response) Residuals(z []float64, has []bool) []float64 {
	v := r.measured(z, has)
	list := make([]float64, len(v.Y))
	for i, y := range v.Y {
		list[i] = math.Abs(y-v.z[i]) * r.unit
	}
	return list
}

// reach returns how far from a prediction a new row lies with some probability, by the
// out-of-fold scores of the training rows.
func (m *Model) reach(coverage float64) (float64, error) {
	v := m.spec.Validation
	switch {
	case !(coverage > 0 && coverage < 1):
		return 0, optionError("a coverage of %v: it must be above 0 and below 1", coverage)
	case v == nil:
		return 0, optionError("the model was not validated, so that nothing is known of its errors on other rows: fit it with cross-validation, such as --folds 10")
	case v.Scores == nil && m.spec.Task == Regression:
		return 0, optionError("the model keeps no errors on other rows, as those of an older fsa: fit it again")
	case v.Scores == nil:
		return 0, optionError("the %s loss gives neither numbers nor probabilities: fit the model with --calibrate", m.spec.Loss)
	}
	q := validate.Quantile(v.Scores, nil, coverage)
	if math.IsInf(q, 1) {
		return 0, optionError("a coverage of %v cannot be had from %d rows: ask for at most %.4g", coverage, len(v.Scores), float64(len(v.Scores))/float64(len(v.Scores)+1))
	}
	return q, nil
}

// Intervals returns numbers between which the response of each row lies with the
// probability coverage: the prediction, less and plus a quantile of the absolute
// out-of-fold residuals. They hold on average over rows like those of training, and need the
// chosen columns only; those of [Folds] need the columns that any fold has chosen.
func (m *Model) Intervals(p *Prediction, coverage float64) (low, high []float64, err error) {
	if m.spec.Task != Regression || m.spec.Outputs > 1 {
		return nil, nil, optionError("intervals are for regressions, and this is a %s", m.spec.Task)
	}
	q, err := m.reach(coverage)
	if err != nil {
		return nil, nil, err
	}
	low, high = make([]float64, p.Rows()), make([]float64, p.Rows())
	for i, z := range p.Decision {
		low[i], high[i] = z-q, z+q
	}
	return low, high, nil
}

// Sets returns the classes that have to be allowed for in each row, so that its own is
// among them with the probability coverage (LAC of Sadinle, Lei and Wasserman 2019).
func (m *Model) Sets(p *Prediction, coverage float64) ([][]string, error) {
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
		if m.spec.Outputs == 1 {
			row[0], row[1] = 1-prob[i], prob[i]
		} else {
			row = prob[i*m.spec.Outputs : (i+1)*m.spec.Outputs]
		}
		for _, c := range sets.Set(row) {
			list[i] = append(list[i], m.spec.Classes[c])
		}
	}
	return list, nil
}

package fsa

import (
	"math"

	"fsa/data"
	"fsa/internal/contest"
	"fsa/loss"
	"fsa/model"
	"fsa/validate"
)

// Evidence is what cross-validation has seen: more than a model needs to know, for
// whoever wants to look at single folds or rows.
type Evidence struct {
	// Curve is what was compared at all sizes, with that of each fold, so that less is
	// better; of the chosen size before swaps, if there were some.
	Curve *validate.Curve
	// Prediction is that of all rows, each by what was not learned from it, and Has says
	// which rows have one. Of several repeats it is the mean of their decision values.
	Prediction *model.Prediction
	Has        []bool
	// Fold is the fold of each row, the first where rows were dealt several times, and −1
	// where a row is in none.
	Fold []int
	// Selected are the columns of the dataset that each fold has selected, the first one
	// of each group.
	Selected [][]int
	// Folds are the models that folds have learned, the first ones where rows were dealt
	// several times; nil unless they are of one number each.
	Folds *model.Folds
}

// Evidence returns what cross-validation has seen, after [Job.Run] or [Job.Validate]; nil
// where there was none.
func (j *Job) Evidence() *Evidence {
	if j.validated == nil {
		return nil
	}
	return j.validated.evidence
}

// evidence gathers it.
func (j *Job) evidence(v *contest.Verdict, cut *validate.Folds, folds []fold, has []bool) (e *Evidence, err error) {
	e = &Evidence{Curve: v.Curve, Has: has, Fold: make([]int, len(has))}
	for i := range e.Fold {
		e.Fold[i] = -1
	}
	for i, fit := range v.Fits {
		for _, row := range cut.Split(i).Test {
			if e.Fold[row] < 0 {
				e.Fold[row] = i
			}
		}
		var selected []int
		if fit != nil {
			selected = folds[i].sample.Columns(fit.Groups)
		}
		e.Selected = append(e.Selected, selected)
	}
	e.Folds, err = j.foldModels(v, cut, folds)
	return e, err
}

// foldModels returns the models of one number that the folds have learned.
func (j *Job) foldModels(v *contest.Verdict, cut *validate.Folds, folds []fold) (*model.Folds, error) {
	if j.response.Task != loss.Regression || j.response.Loss.Outputs() > 1 || v.Recipe.Direct {
		return nil, nil
	}
	list := &model.Folds{}
	for i := range cut.Len() / cut.Repeats() {
		fit := v.Fits[i]
		if fit == nil { // it diverged
			return nil, nil
		}
		split := cut.Split(i)
		l := j.learned(folds[i].sample, folds[i].data, fit, model.Completed)
		l.Decision = fit.Solution.Z
		m, err := model.FromDesign(folds[i].data, l)
		if err != nil {
			return nil, err
		}
		has := make([]bool, j.data.Rows())
		for _, row := range split.Test {
			has[row] = true
		}
		list.Add(m, j.response.Residuals(fit.Solution.Z, has))
	}
	return list, nil
}

// agreement says how far folds have selected the same, and which share of them selected a
// variable.
func (e *Evidence) agreement(d *data.Dataset) (index *float64, shares map[string]float64) {
	const confidence = 0.95 // of an interval that is not asked for
	if v := validate.Agreement(e.Selected, len(d.Columns), confidence).Index; v == v {
		index = &v
	}
	shares = map[string]float64{}
	for column, share := range validate.Frequencies(e.Selected, len(d.Columns)) {
		if share > 0 {
			shares[d.ColumnName(column)] = share
		}
	}
	return index, shares
}

// gainOverNull returns by how much out-of-fold decision values lower the loss of a row below that
// of the null model of the fold, on average over rows, the standard error of that, and what
// the signed-rank test says of numbers, to which one row far out is but one. Of classes it is 0:
// where there is nothing to find many rows gain a little and few lose much, which ranks take for a signal.
// Folds are too few to tell chance from signal; rows are more. Rows of a query do not
// count each for itself, and then all are 0.
func (j *Job) gainOverNull(z, base []float64, has []bool) (mean, se, rank float64) {
	if j.response.Task == loss.Ranking {
		return 0, 0, 0
	}
	outputs := j.response.Loss.Outputs()
	r := make([]float64, outputs)
	rows := loss.Target{Weight: j.data.Target.Weight}
	var total, sum, squares, n float64
	var gains []float64
	for i, ok := range has {
		w := rows.WeightOf(i)
		if !ok || w == 0 {
			continue
		}
		at := loss.Target{Y: j.sample.Target.Y[i : i+1]}
		own, _ := j.response.Loss.Eval(r, z[i*outputs:(i+1)*outputs], at)
		other, _ := j.response.Loss.Eval(r, base[i*outputs:(i+1)*outputs], at)
		total += w
		sum += w * (other - own)
		squares += w * (other - own) * (other - own)
		n++
		gains = append(gains, other-own)
	}
	if mean = sum / total; j.response.Task == loss.Regression {
		rank = validate.SignedRank(gains)
	}
	return mean, math.Sqrt(max(squares/total-mean*mean, 0) / max(n-1, 1)), rank
}

// weightOf returns the weight of a row, that of its class included.
func (j *Job) weightOf(row int) float64 {
	t := loss.Target{Weight: j.sample.Target.Weight}
	return t.WeightOf(row)
}

// meanLoss returns the mean loss of margins on some rows.
func (j *Job) meanLoss(z []float64, rows []int) float64 {
	t := j.sample.Target
	held := make([]float64, len(t.Y))
	for _, i := range rows {
		held[i] = j.weightOf(i)
	}
	sum, weight := j.response.Loss.Eval(make([]float64, len(z)), z, loss.Target{Y: t.Y, Weight: held, Query: t.Query, Pairs: t.Pairs})
	if weight == 0 { // no pair of grades is among them
		return 0
	}
	return sum / weight
}

package fit

import (
	"fsa/data"
	"fsa/internal/contest"
	"fsa/loss"
	"fsa/model"
	"fsa/validate"
)

// evidence returns the details of the validation.
func (j *Job) evidence(v *contest.Verdict, folds []fold, has []bool) (e *model.Evidence, err error) {
	e = &model.Evidence{Curve: v.Curve, Has: has, Fold: make([]int, len(has))}
	for i := range e.Fold {
		e.Fold[i] = -1
	}
	for i, fit := range v.Fits {
		for _, row := range j.cut.Split(i).Test {
			if e.Fold[row] < 0 {
				e.Fold[row] = i
			}
		}
		var selected []int
		if fit != nil {
			selected = fit.Columns()
		}
		e.Selected = append(e.Selected, selected)
	}
	e.Folds, err = j.foldModels(v, folds)
	return e, err
}

// foldModels returns the models of the folds, if they have one output.
func (j *Job) foldModels(v *contest.Verdict, folds []fold) (*model.Folds, error) {
	if j.Response.Task != loss.Regression || j.Response.Loss.Outputs() > 1 || v.Recipe.Direct {
		return nil, nil
	}
	list := &model.Folds{}
	for i := range j.cut.Len() / j.cut.Repeats() {
		fit := v.Fits[i]
		if fit == nil { // it diverged
			return nil, nil
		}
		split := j.cut.Split(i)
		l := j.learned(folds[i].data, fit, v.Size, model.Completed)
		l.Decision = fit.Complete().Z
		m, err := model.FromDesign(folds[i].data, l)
		if err != nil {
			return nil, err
		}
		has := make([]bool, j.Data.Rows())
		for _, row := range split.Test {
			has[row] = true
		}
		list.Add(m, j.Response.Residuals(l.Decision, has))
	}
	return list, nil
}

// agreement measures how well folds agree on the selection, and returns the inclusion frequency
// of each variable.
func agreement(d *data.Dataset, selected [][]int) (index *float64, shares map[string]float64) {
	const confidence = 0.95 // of an interval that is not used
	if v := validate.Agreement(selected, len(d.Columns), confidence).Index; v == v {
		index = &v
	}
	shares = map[string]float64{}
	for column, share := range validate.Frequencies(selected, len(d.Columns)) {
		if share > 0 {
			shares[d.ColumnName(column)] = share
		}
	}
	return index, shares
}

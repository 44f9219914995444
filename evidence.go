package fsa

import (
	"fsa/data"
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
}

// Evidence returns what cross-validation has seen, after [Job.Run] or [Job.Validate]; nil
// where there was none.
func (j *Job) Evidence() *Evidence { return j.evidence }

// evidence gathers it.
func (t *tuner) evidence(curve *validate.Curve, best choice, has []bool) *Evidence {
	e := &Evidence{Curve: curve, Has: has, Fold: make([]int, len(has))}
	for i := range e.Fold {
		e.Fold[i] = -1
	}
	for i, f := range t.folds {
		for _, row := range t.cut.Split(i).Test {
			if e.Fold[row] < 0 {
				e.Fold[row] = i
			}
		}
		var selected []int
		if p := t.paths[best.descent][i]; p != nil {
			selected = f.columns(p.learned[learnedKey{best.swap, best.size}].groups)
		}
		e.Selected = append(e.Selected, selected)
	}
	return e
}

// columns returns the columns of the dataset behind groups, the first of each.
func (j *Job) columns(groups []int) []int {
	list := make([]int, len(groups))
	for i, g := range groups {
		list[i] = j.design.Variables[j.groups.Of(g)[0]]
	}
	return list
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

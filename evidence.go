package fsa

import (
	"fsa/data"
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

// models returns those that the folds have learned of a number.
func (t *tuner) models(best choice) (*model.Folds, error) {
	j := t.job
	if j.response.Task != loss.Regression || j.response.Loss.Outputs() > 1 {
		return nil, nil
	}
	rows := j.data.Rows()
	all := &model.Folds{}
	for i := range t.cut.Len() / t.cut.Repeats() {
		p, solution := t.paths[best.descent][i], best.solutions[i]
		if p == nil { // it diverged
			return nil, nil
		}
		of := p.learned[learnedKey{best.swap, best.size}]
		chosen := append([]int{}, of.groups...) // nil would be all of them
		s := &selection{chosen: chosen, ridge: best.ridge, adaptive: best.adaptive, ob: p.objective(chosen, best.ridge, rows), problem: of.problem, solution: solution}
		s.keep(nil)
		l := p.Job.learned(s, model.Completed)
		l.Decision = solution.Z
		m, err := model.FromDesign(p.data, l)
		if err != nil {
			return nil, err
		}
		has := make([]bool, rows)
		for _, row := range t.cut.Split(i).Test {
			has[row] = true
		}
		all.Add(m, j.response.Residuals(solution.Z, has))
	}
	return all, nil
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

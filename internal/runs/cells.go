package runs

import (
	"strconv"

	"fsa/model"
)

// exactly formats a number so that it can be read back exactly.
func exactly(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// PredictionCells are the written columns of a prediction. For a classification: class, decision
// value and probability, or one probability per class if there are several (and the decision value
// if they are ordered). For a regression: the predicted number, or one for each quantile. For a ranking: the score. Several targets have the columns of each one, without decision values.
type PredictionCells struct {
	Head  []string
	p     *model.Prediction
	class []string
	prob  []float64          // or the values of several outputs without probabilities
	value []float64          // predicted numbers, or decision values
	each  []*PredictionCells // those of several targets, each by itself
}

// NewPredictionCells returns the columns of a prediction.
func NewPredictionCells(p *model.Prediction) *PredictionCells {
	if names := p.TargetNames(); names != nil {
		return targetCells(p, names)
	}
	c := &PredictionCells{p: p, class: p.Class(), prob: p.Probability(), value: p.Values()}
	if c.value == nil {
		c.value = p.Decision
	}
	c.Head = []string{map[model.Task]string{model.Regression: "prediction", model.Ranking: "score", model.Survival: "risk", model.Classification: "decision"}[p.Task()]}
	if p.Outputs() > 1 {
		c.Head = nil
	}
	switch n := max(p.Outputs(), len(p.Classes())); {
	case n > 2 || p.Outputs() > 1:
		names, what := p.OutputNames(), "probability_"
		if names == nil {
			names = p.Classes()
		} else if p.Settings().Quantiles != nil {
			what = "quantile_"
		}
		for _, name := range names {
			c.Head = append(c.Head, what+name)
		}
		if c.prob == nil {
			c.prob = c.value
		}
	case c.prob != nil:
		c.Head = append(c.Head, "probability")
	}
	if c.class != nil {
		c.Head = append([]string{"class"}, c.Head...)
	}
	return c
}

// Row returns the cells of row i.
func (c *PredictionCells) Row(i int) (row []string) {
	for _, one := range c.each {
		if one.class != nil {
			row = append(row, one.class[i], exactly(one.prob[i]))
		} else {
			row = append(row, exactly(one.value[i]))
		}
	}
	if c.each != nil {
		return row
	}
	if c.class != nil {
		row = append(row, c.class[i])
	}
	if c.p.Outputs() == 1 {
		row = append(row, exactly(c.value[i]))
	}
	if c.prob != nil {
		each := len(c.prob) / c.p.Rows()
		for _, v := range c.prob[i*each : (i+1)*each] {
			row = append(row, exactly(v))
		}
	}
	return row
}

// targetCells returns the columns of several targets: the predicted number of each, or the class and its probability.
func targetCells(p *model.Prediction, names []string) *PredictionCells {
	c := &PredictionCells{p: p}
	for at, one := range p.ByTarget() {
		cells := NewPredictionCells(one)
		if c.each = append(c.each, cells); cells.class != nil {
			c.Head = append(c.Head, "class_"+names[at], "probability_"+names[at])
		} else {
			c.Head = append(c.Head, "prediction_"+names[at])
		}
	}
	return c
}

package main

import "fsa/model"

// predictionCells are the written columns of a prediction. For a classification: class, decision
// value and probability, or one probability per class if there are several (and the decision value
// if they are ordered). For a regression: the predicted number, or one for each quantile. For a ranking: the score.
type predictionCells struct {
	head  []string
	p     *model.Prediction
	class []string
	prob  []float64 // or the values of several outputs without probabilities
	value []float64 // predicted numbers, or decision values
}

func newPredictionCells(p *model.Prediction) *predictionCells {
	c := &predictionCells{p: p, class: p.Class(), prob: p.Probability(), value: p.Values()}
	if c.value == nil {
		c.value = p.Decision
	}
	c.head = []string{map[model.Task]string{model.Regression: "prediction", model.Ranking: "score", model.Survival: "risk", model.Classification: "decision"}[p.Task()]}
	if p.Outputs() > 1 {
		c.head = nil
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
			c.head = append(c.head, what+name)
		}
		if c.prob == nil {
			c.prob = c.value
		}
	case c.prob != nil:
		c.head = append(c.head, "probability")
	}
	if c.class != nil {
		c.head = append([]string{"class"}, c.head...)
	}
	return c
}

// row returns the cells of row i.
func (c *predictionCells) row(i int) (row []string) {
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

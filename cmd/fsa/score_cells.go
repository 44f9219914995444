package main

import (
	"strconv"

	"fsa/model"
)

// predictionCells are the written columns of a prediction. For a classification: class, decision
// value and probability, or one probability per class if there are several. For a regression: the
// predicted number. For a ranking: the score.
type predictionCells struct {
	head  []string
	p     *model.Prediction
	class []string
	prob  []float64 // or the decision values of several outputs without probabilities
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
		for i := range p.Outputs() {
			name := strconv.Itoa(i)
			if c.class != nil {
				name = p.Classes()[i]
			}
			c.head = append(c.head, "probability_"+name)
		}
		if c.prob == nil {
			c.prob = c.value
		}
	} else if c.prob != nil {
		c.head = append(c.head, "probability")
	}
	if c.class != nil {
		c.head = append([]string{"class"}, c.head...)
	}
	return c
}

// row returns the cells of row i.
func (c *predictionCells) row(i int) (row []string) {
	outputs := c.p.Outputs()
	if c.class != nil {
		row = append(row, c.class[i])
	}
	if outputs == 1 {
		row = append(row, exactly(c.value[i]))
	}
	if c.prob != nil {
		for _, v := range c.prob[i*outputs : (i+1)*outputs] {
			row = append(row, exactly(v))
		}
	}
	return row
}

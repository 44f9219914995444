package report

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// The beginnings of column names: of the probabilities of several classes or labels, of several targets, which follow the
// number of their row, of their predictions, and of several quantiles.
const (
	probabilityOf = "probability_"
	targetOf      = "target_"
	predictionOf  = "prediction_"
	quantileOf    = "quantile_"
)

// rowTargets are those of several targets.
type rowTargets []*rowTarget

// rowTarget has the out-of-fold predictions of one of several targets.
type rowTarget struct {
	Name string
	// Target has the cell of each row; it is empty where the target is missing.
	Target []string
	// Number is the predicted number or, for a label, the probability of its positive class.
	Number []float64
}

// add adds a cell, if the column belongs to a target.
func (r *rowTargets) add(column, cell string) (err error) {
	for _, prefix := range []string{targetOf, predictionOf, probabilityOf} {
		name, ok := strings.CutPrefix(column, prefix)
		if !ok {
			continue
		}
		i := slices.IndexFunc(*r, func(t *rowTarget) bool { return t.Name == name })
		if i < 0 {
			i = len(*r)
			*r = append(*r, &rowTarget{Name: name})
		}
		t := (*r)[i]
		if prefix == targetOf {
			t.Target = append(t.Target, cell)
			return nil
		}
		var v float64
		v, err = strconv.ParseFloat(cell, 64)
		t.Number = append(t.Number, v)
	}
	return err
}

// known returns the rows that have the target: their cells, and what is predicted.
func (t *rowTarget) known() (target []string, number []float64) {
	for i, cell := range t.Target {
		if cell != "" && i < len(t.Number) {
			target, number = append(target, cell), append(number, t.Number[i])
		}
	}
	return target, number
}

// sound reports whether all rows have a prediction.
func (t *rowTarget) sound(rows int) bool {
	return len(t.Target) == rows && len(t.Number) == rows && !slices.ContainsFunc(t.Number, math.IsNaN)
}

package contest

import (
	"math"

	"fsa/loss"
	"fsa/validate"
)

// Losses are the losses of two models on held-out units, which are rows or queries.
type Losses struct {
	Own, Other, Weight []float64 // by unit
	Group              []int     // group of each unit; nil if units are independent
}

// Losses returns the out-of-fold losses of two models, whose margins are given row after row, for the rows that have them.
// group labels rows that are not independent; nil if there are none. A unit is a query if there are queries.
func (j Judge) Losses(z, other []float64, has []bool, group []float64) *Losses {
	l, labels := &Losses{}, map[float64]int{}
	weight := loss.Target{Weight: j.Weight}
	units := j.Target.Query // where each begins, and where the last one ends
	if units == nil {
		units = make([]int, j.Rows()+1)
		for i := range units {
			units[i] = i
		}
	}
	for u, hi := range units[1:] {
		lo := units[u]
		w := weight.WeightOf(lo)
		if !has[lo] || w == 0 {
			continue
		}
		a, own := j.lossOf(z, lo, hi)
		b, _ := j.lossOf(other, lo, hi)
		if own == 0 { // a query whose rows are all equal
			continue
		}
		l.Own, l.Other, l.Weight = append(l.Own, a/own), append(l.Other, b/own), append(l.Weight, w)
		if group != nil {
			at, known := labels[group[lo]]
			if !known {
				at = len(labels)
				labels[group[lo]] = at
			}
			l.Group = append(l.Group, at)
		}
	}
	return l
}

// RowLosses returns the loss of each row by margins that are given row after row; NaN for rows without them.
func (j Judge) RowLosses(z []float64, has []bool) []float64 {
	losses := make([]float64, len(has))
	for row := range losses {
		if losses[row] = math.NaN(); has[row] {
			losses[row], _ = j.lossOf(z, row, row+1)
		}
	}
	return losses
}

// lossOf returns the sum of the losses of the rows lo to hi−1, and their weight. They are a query if there are queries.
func (j Judge) lossOf(z []float64, lo, hi int) (sum, weight float64) {
	outputs, t := j.Loss.Outputs(), loss.Target{Y: j.Target.Y[lo:hi]}
	if j.Target.Offset != nil {
		t.Offset = j.Target.Offset[lo:hi]
	}
	if j.Target.Query != nil {
		t.Query = []int{0, hi - lo}
	}
	var by []float64
	for c := range outputs {
		for row := lo; row < hi; row++ {
			by = append(by, z[row*outputs+c])
		}
	}
	return j.Loss.Eval(make([]float64, len(by)), by, t)
}

// Paired returns how much larger the losses of the first model are.
func (l *Losses) Paired() validate.Interval {
	differences := make([]float64, len(l.Own))
	for i, v := range l.Own {
		differences[i] = v - l.Other[i]
	}
	return validate.Paired(differences, l.Weight, l.Group)
}

// Mean returns the weighted mean of the losses of one of the models.
func (l *Losses) Mean(of []float64) float64 { return validate.Paired(of, l.Weight, nil).Mean }

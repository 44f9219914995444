package contest

import (
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
	outputs, weight := j.Loss.Outputs(), loss.Target{Weight: j.Weight}
	room := make([]float64, 0, outputs)
	of := func(z []float64, lo, hi int) (float64, float64) {
		t, by := loss.Target{Y: j.Target.Y[lo:hi]}, make([]float64, 0, outputs*(hi-lo))
		if j.Target.Offset != nil {
			t.Offset = j.Target.Offset[lo:hi]
		}
		if j.Target.Query != nil {
			t.Query = []int{0, hi - lo}
		}
		for c := range outputs {
			for row := lo; row < hi; row++ {
				by = append(by, z[row*outputs+c])
			}
		}
		room = append(room[:0], by...)
		return j.Loss.Eval(room, by, t)
	}
	for u := range j.units() {
		lo, hi := j.unit(u)
		w := weight.WeightOf(lo)
		if !has[lo] || w == 0 {
			continue
		}
		a, own := of(z, lo, hi)
		b, _ := of(other, lo, hi)
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

// units returns the number of queries, or of rows if there are no queries.
func (j Judge) units() int {
	if q := j.Target.Query; q != nil {
		return len(q) - 1
	}
	return j.Rows()
}

// unit returns the rows of a unit.
func (j Judge) unit(u int) (lo, hi int) {
	if q := j.Target.Query; q != nil {
		return q[u], q[u+1]
	}
	return u, u + 1
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

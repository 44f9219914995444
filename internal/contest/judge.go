package contest

import (
	"math"

	"fsa/internal/search"
	"fsa/loss"
	"fsa/validate"
)

// Judge measures the margins of held-out rows. The margins of a list of rows are stored output after output.
type Judge struct {
	// Sample is the sample of all rows. Its weights include the class weights.
	*search.Sample
	// Loss is the loss of held-out rows. For ordered classes it differs from the loss of the sample.
	Loss loss.Loss
	// Weight holds the weights of the rows without class weights, by which gains are averaged; nil means 1.
	Weight []float64
}

// Error returns a measure of the margins of some rows, where smaller is better; nil means the loss.
// The measure is called with the margins of all rows, row after row, and a flag for each row that has margins.
func (j Judge) Error(measure func(z []float64, has []bool) float64, z []float64, test []int) float64 {
	if measure == nil {
		return j.meanLoss(z, test)
	}
	rows, outputs := j.Rows(), j.Loss.Outputs()
	by, has := make([]float64, rows*outputs), make([]bool, rows)
	for i, row := range test {
		has[row] = j.weightOf(row) > 0
		for c := range outputs {
			by[row*outputs+c] = z[c*len(test)+i]
		}
	}
	return measure(by, has)
}

// weightOf returns the weight of a row times that of its class.
func (j Judge) weightOf(row int) float64 {
	t := loss.Target{Weight: j.Target.Weight}
	return t.WeightOf(row)
}

// meanLoss returns the mean loss of the margins of some rows.
func (j Judge) meanLoss(z []float64, test []int) float64 {
	of, t := j.Target, loss.Target{Y: make([]float64, len(test)), Weight: make([]float64, len(test))}
	for i, row := range test {
		t.Y[i], t.Weight[i] = of.Y[row], j.weightOf(row)
	}
	if of.Offset != nil {
		t.Offset = make([]float64, len(test))
		for i, row := range test {
			t.Offset[i] = of.Offset[row]
		}
	}
	if of.Query != nil || of.Pairs != nil { // queries and pairs refer to rows by number
		outputs, rows := j.Loss.Outputs(), len(of.Y)
		all, held := make([]float64, outputs*rows), make([]float64, rows)
		for i, row := range test {
			held[row] = t.Weight[i]
			for c := range outputs {
				all[c*rows+row] = z[c*len(test)+i]
			}
		}
		z, t = all, loss.Target{Y: of.Y, Weight: held, Offset: of.Offset, Query: of.Query, Pairs: of.Pairs}
	}
	sum, weight := j.Loss.Eval(make([]float64, len(z)), z, t)
	if weight == 0 { // the rows contain no pair
		return 0
	}
	return sum / weight
}

// Caution returns the increase of the mean logistic loss of some rows if each label is wrong with probability 1/(N+2). By
// the rule of succession (Laplace), this is the probability that the next label is wrong after N correct ones. A wrong
// label adds ℓ(−y, z) − ℓ(y, z) = yz. Without this term, the contest chooses no ridge for few rows that are separated
// without an error (docs/evidence/defaults.md).
func (j Judge) Caution(z []float64, test []int) float64 {
	var sum, weight float64
	for i, row := range test {
		w := j.weightOf(row)
		sum += w * j.Target.Y[row] * z[i]
		weight += w
	}
	if weight == 0 {
		return 0
	}
	return sum / weight / float64(j.Effective+2)
}

// Gain returns the loss of some rows by other margins minus their loss by the given margins.
func (j Judge) Gain(z, than []float64, test []int) validate.Gain {
	gain, _ := j.gain(test, func(own, other []float64, i, _ int) {
		for c := range own {
			own[c], other[c] = z[c*len(test)+i], than[c*len(test)+i]
		}
	})
	return gain
}

// GainOver is [Judge.Gain] for margins of all rows, row after row, of which some rows have one. It
// also returns the gain of each of these rows with a weight.
func (j Judge) GainOver(z, than []float64, has []bool) (gain validate.Gain, list []float64) {
	var rows []int
	for i, ok := range has {
		if ok {
			rows = append(rows, i)
		}
	}
	outputs := j.Loss.Outputs()
	return j.gain(rows, func(own, other []float64, _, row int) {
		copy(own, z[row*outputs:])
		copy(other, than[row*outputs:])
	})
}

// gain returns the difference between the losses of two sets of margins, in total and for each row.
// values sets both margins for the i-th row of the list.
func (j Judge) gain(rows []int, values func(own, other []float64, i, row int)) (gain validate.Gain, list []float64) {
	outputs := j.Loss.Outputs()
	own, other, r := make([]float64, outputs), make([]float64, outputs), make([]float64, outputs)
	weight := loss.Target{Weight: j.Weight}
	for i, row := range rows {
		w := weight.WeightOf(row)
		if w == 0 {
			continue
		}
		values(own, other, i, row)
		target := loss.Target{Y: j.Target.Y[row : row+1]}
		if o := j.Target.Offset; o != nil {
			target.Offset = o[row : row+1]
		}
		before, _ := j.Loss.Eval(r, other, target)
		after, _ := j.Loss.Eval(r, own, target)
		gain.Add(before-after, w)
		list = append(list, before-after)
	}
	gain.Rows = j.effective(gain)
	return gain, list
}

// effective returns the share of some rows in the effective sample size: a row of weight 2 among rows of weight 1 is two.
func (j Judge) effective(some validate.Gain) int {
	if j.Weight == nil {
		return some.Rows
	}
	total := 0.0
	for _, w := range j.Weight {
		total += w
	}
	return int(math.Round(some.Weight / total * float64(j.Effective)))
}

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
	has := make([]bool, j.Rows())
	for _, row := range test {
		has[row] = j.weightOf(row) > 0
	}
	return measure(j.byRow(z, test), has)
}

// byRow returns margins of all rows, row after row, given those of some rows, output after output.
func (j Judge) byRow(z []float64, test []int) []float64 {
	outputs := j.Loss.Outputs()
	by := make([]float64, j.Rows()*outputs)
	for i, row := range test {
		for c := range outputs {
			by[row*outputs+c] = z[c*len(test)+i]
		}
	}
	return by
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
	gain, _ := j.gain(j.byRow(z, test), j.byRow(than, test), test)
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
	return j.gain(z, than, rows)
}

// gain returns the difference between the losses of some rows by two sets of margins of all rows, in total and for each row.
func (j Judge) gain(z, than []float64, rows []int) (gain validate.Gain, list []float64) {
	weight := loss.Target{Weight: j.Weight}
	for _, row := range rows {
		w := weight.WeightOf(row)
		if w == 0 {
			continue
		}
		before, _ := j.lossOf(than, row, row+1)
		after, _ := j.lossOf(z, row, row+1)
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

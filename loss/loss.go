// Package loss holds the functions that are minimised. A loss sees margins
// z = Xβ and targets, never X: any storage goes with any loss, and a new loss
// is one new file here.
//
// The learner takes rows in blocks. For each block it computes the margins z,
// asks the loss for r = ∂loss/∂z, and adds Xᵀr to the gradient. So a loss is
// two formulas, its value and its derivative by the margin, and a third that
// bounds its second derivative, from which the learner takes its step.
//
// A loss of your own is any type with the three methods of [Loss]; the example
// below has one, and package losstest checks it with one call. Losses hold
// settings and no state: one value serves all threads at once.
package loss

// Target is what a loss knows of a block of rows besides their margins.
type Target struct {
	// Y is the response of each row: a number, −1 or +1, the number of a
	// class, or a grade of relevance, as the loss asks.
	Y []float64
	// Weight is the weight of each row; nil means 1 for all.
	Weight []float64
	// Query cuts the rows into queries: rows Query[q] to Query[q+1]−1 belong
	// together. Blocks never split a query. Nil where there are no queries.
	Query []int
	// Pairs are judged pairs of rows; both lie in this block.
	Pairs []Pair
}

// Pair says how much row I of a block is better than row J: R is 1 where I is
// better, 0 where J is, ½ where neither is.
type Pair struct {
	I, J int
	R    float64
}

// Loss is a differentiable function of the margins of a block of rows. Sums
// over blocks, threads and machines compose, so everything here is a sum.
type Loss interface {
	// Outputs is the number of margins of a row: 1, or the number of classes.
	// With several, z and r hold the first margin of all rows, then the second.
	Outputs() int
	// Eval sets r to the derivative of the loss by z and returns the sum of
	// the loss and the weight to divide it by for the mean.
	Eval(r, z []float64, t Target) (sum, weight float64)
	// Curvature sets d, one number a row, so that diag(d), repeated for each
	// output, bounds the Hessian of the loss by z from above whatever z is.
	// Steps are chosen by it. It returns the weight, as Eval does.
	Curvature(d []float64, t Target) (weight float64)
}

// WeightOf returns the weight of row i.
func (t *Target) WeightOf(i int) float64 {
	if t.Weight == nil {
		return 1
	}
	return t.Weight[i]
}

// scaled sets d to c times the weight of each row and returns the weight of
// all: the curvature of a loss whose second derivative is at most c.
func (t *Target) scaled(d []float64, c float64) (weight float64) {
	for i := range t.Y {
		w := t.WeightOf(i)
		d[i] = c * w
		weight += w
	}
	return weight
}

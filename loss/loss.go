// Package loss has the functions that training minimises. A loss sees margins z = Xβ and
// targets, never X. So any storage works with any loss, and a new loss is one new file.
//
// Training takes rows in blocks. For each block it computes the margins z, asks the loss for r
// = ∂loss/∂z, and adds Xᵀr to the gradient. A loss therefore has three formulas: its value,
// its derivative by the margin, and a bound on its second derivative, which determines the
// step size.
//
// A loss of your own is any type with the three methods of [Loss]; the example below has one,
// and package losstest checks it with one call. Losses have settings but no state: one value
// serves all threads at once.
package loss

// Target is what a loss knows about a block of rows besides the margins.
type Target struct {
	// Y is the response of each row: a number, −1 or +1, the number of a
	// class, or a grade of relevance, as the loss asks.
	Y []float64
	// Weight is the weight of each row; nil means 1 for all.
	Weight []float64
	// Offset is what a loss of [WithOffset] adds to the margin of each row; nil means 0 for all.
	Offset []float64
	// Query cuts the rows into queries: rows Query[q] to Query[q+1]−1 belong
	// together. Blocks never split a query. Nil where there are no queries.
	Query []int
	// Pairs are judged pairs of rows; both lie in this block.
	Pairs []Pair
}

// Pair compares two rows of a block: R is 1 if row I is better, 0 if row J is, ½ if they are
// equal.
type Pair struct {
	I, J int
	R    float64
}

// Loss is a differentiable function of the margins of a block of rows. All results are sums,
// so that those of blocks, threads and machines can be added.
type Loss interface {
	// Outputs is the number of margins of a row: 1, or the number of classes.
	// With several, z and r hold the first margin of all rows, then the second.
	Outputs() int
	// Eval sets r to the derivative of the loss by z and returns the sum of
	// the loss and the weight to divide it by for the mean.
	Eval(r, z []float64, t Target) (sum, weight float64)
	// Curvature sets d, one number a row, so that diag(d), repeated for each
	// output, bounds the Hessian of the loss by z from above whatever z is.
	// Steps are chosen by it. A loss without such a bound, such as that of
	// counts, gives what holds near the null model and near the optimum; steps
	// that turn out too long are taken back. It returns the weight, as Eval does.
	Curvature(d []float64, t Target) (weight float64)
}

// WeightOf returns the weight of row i.
func (t *Target) WeightOf(i int) float64 {
	if t.Weight == nil {
		return 1
	}
	return t.Weight[i]
}

// OffsetOf returns the offset of row i.
func (t *Target) OffsetOf(i int) float64 {
	if t.Offset == nil {
		return 0
	}
	return t.Offset[i]
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

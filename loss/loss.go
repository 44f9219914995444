// Package loss has the functions that training minimises. A loss is a function of the margins z =
// Xβ and the targets and never sees X. So any storage works with any loss, and a new loss is one
// new file.
//
// Training processes rows in blocks. For each block it computes the margins z, asks the loss for r
// = ∂loss/∂z, and adds Xᵀr to the gradient. A loss therefore has three formulas: its value, its
// derivative by the margin, and a bound on its second derivative, which determines the step size.
//
// You can write your own loss: any type with the three methods of [Loss]. The example below shows
// one, and package losstest checks it with one call. Losses have settings but no state: one value
// can be used by many threads at once.
package loss

// Target holds what a loss needs to know about a block of rows, besides the margins.
type Target struct {
	// Y is the response of each row: a number, −1 or +1, a class number, or a grade of relevance,
	// depending on the loss.
	Y []float64
	// Weight is the weight of each row; nil means 1 for all.
	Weight []float64
	// Offset is added to the margin of each row by a loss from [WithOffset]; nil means 0 for all.
	Offset []float64
	// Query divides the rows into queries: rows Query[q] to Query[q+1]−1 belong together. Blocks
	// never split a query. Nil if there are no queries.
	Query []int
	// Pairs are judged pairs of rows; both rows are in this block.
	Pairs []Pair
}

// Pair compares two rows of a block: R is 1 if row I is better, 0 if row J is, ½ if they are
// equal.
type Pair struct {
	I, J int
	R    float64
}

// Loss is a differentiable function of the margins of a block of rows. All results are sums, so the
// results of blocks, threads and machines can be added.
type Loss interface {
	// Outputs is the number of margins of a row: 1, or the number of classes. If there are several,
	// z and r hold the first margin of all rows, then the second, and so on.
	Outputs() int
	// Eval sets r to the derivative of the loss by z. It returns the sum of the loss, and the
	// weight by which the sum must be divided to get the mean.
	Eval(r, z []float64, t Target) (sum, weight float64)
	// Curvature sets d, one number per row, so that diag(d), repeated for each output, is an upper
	// bound of the Hessian of the loss by z for every z. Step sizes are derived from it. A loss
	// without such a bound, such as those of counts, returns a bound that holds near the null model
	// and near the optimum; steps that turn out too long are undone. Curvature returns the weight,
	// as Eval does.
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

// scaled sets d to c times the weight of each row and returns the total weight. It is the curvature
// of a loss whose second derivative is at most c.
func (t *Target) scaled(d []float64, c float64) (weight float64) {
	for i := range t.Y {
		w := t.WeightOf(i)
		d[i] = c * w
		weight += w
	}
	return weight
}

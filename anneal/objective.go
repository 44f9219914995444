package anneal

import "context"

// Objective is what [Run] minimises: a smooth function of coefficients in groups. A group is
// kept or dropped as a whole: a single coefficient, the knots of a curve, or the categories of
// a text. After the last group come free coefficients, such as an intercept, which always
// stay.
//
// Eval returns sums over rows, together with the weight of those rows; Run divides. Sums can
// be added, so an Objective may be spread over threads, devices or machines.
//
// Run stops when the context is cancelled, because Eval and Curvature then return its error.
type Objective interface {
	// Layout describes the coefficients that are alive. What it returned before is
	// still true of what was alive then.
	Layout() Layout
	// Batches is the number of parts the rows are cut into for sequential
	// updates; 1 means one step an epoch, on all rows. The parts should weigh
	// about the same: each takes the same step on its own mean, and a few rows
	// alone are much more curved than many. They may become fewer when groups
	// are dropped.
	Batches() int
	// Eval sets grad to the gradient at beta over the rows of one batch, and
	// returns the value there and the weight, all as sums.
	Eval(ctx context.Context, batch int, grad, beta []float64) (sum, weight float64, err error)
	// Keep drops every group but the given ones, ascending, for good. They
	// are renumbered from 0 and their coefficients move together. The list may
	// change afterwards.
	Keep(ctx context.Context, groups []int) error
}

// Curved is an [Objective] with a bound on its Hessian, from which a step size can be
// computed.
type Curved interface {
	Objective
	// Curvature sets dst to Hv, where H bounds the Hessian of the sum over
	// one batch from above, everywhere, and returns the weight of the batch.
	Curvature(ctx context.Context, batch int, dst, v []float64) (weight float64, err error)
}

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
	// Layout describes the active coefficients. Layouts that it returned before stay valid for the groups that were
	// active then.
	Layout() Layout
	// Batches is the number of minibatches into which the rows are divided; 1 means one step per epoch, on all rows. All
	// batches should have about equal weight: each takes a step of the same size on its own mean, and the mean over a few
	// rows can have a much larger curvature. The number may decrease when groups are dropped.
	Batches() int
	// Eval sets grad to the gradient at beta and returns the value there and the weight, as sums over the rows of a batch.
	Eval(ctx context.Context, batch int, grad, beta []float64) (sum, weight float64, err error)
	// Keep permanently drops all groups except the given ones, which ascend. They are renumbered from 0, and their
	// coefficients become contiguous. The caller may modify the list afterwards.
	Keep(ctx context.Context, groups []int) error
}

// Curved is an [Objective] with a bound on its Hessian, from which a step size can be
// computed.
type Curved interface {
	Objective
	// Curvature sets dst to Hv, where H is an upper bound on the Hessian of the sum over a batch at any β, and returns the
	// weight of the batch.
	Curvature(ctx context.Context, batch int, dst, v []float64) (weight float64, err error)
}

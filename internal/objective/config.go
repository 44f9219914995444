// Package objective joins data, a loss and priors into what annealing minimises:
// the mean loss plus the priors, as sums over blocks of rows,
//
//	for each block b:   z = X_b β     r = ∂loss/∂z     g += X_bᵀ r
//
// with the same bits for any number of threads. It is where minibatches are cut,
// groups become columns, dead columns leave storage and the intercept is found.
package objective

import (
	"fsa/internal/matrix"
	"fsa/loss"
	"fsa/prior"
)

// Config is what an objective is made of.
type Config struct {
	// X holds the stored numbers; a column of the design is scale·x + offset. Offset is
	// nil where all are zero.
	X             matrix.Matrix
	Scale, Offset []float64
	// Owned says that nobody else uses X, so that columns may be dropped in place.
	Owned bool
	// Numbers is how many of the variables of X, the first ones, are numbers; the others
	// are categories. Numbers are curves of Bins+1 knots where Bins is positive.
	Numbers, Bins int

	Loss   loss.Loss
	Target Target
	// Intercept says that there is one; not where rows are only compared with each other.
	Intercept bool

	// Ridge is λ of the penalty λ‖β‖² on all coefficients but the intercept, Curve the
	// priors on the knots of each curve.
	Ridge float64
	Curve prior.Sum
	// CategoryRows is, for each variable of categories, how many more rows of each of them
	// say that it adds nothing; nil means none. See categories.go.
	CategoryRows []float64

	// Groups are what is kept or dropped as one, and Final how many shall stay: once no
	// others are left, a step looks at all rows.
	Groups Groups
	Final  int

	// Batch is the number of rows that a step looks at; 0 means all.
	Batch int
	// Seed chooses which.
	Seed    uint64
	Threads int
	// Meter counts what is read; nil for nobody.
	Meter *Meter
}

// New returns the objective.
func New(c Config) *Objective {
	ob := &Objective{
		loss: c.Loss, outputs: c.Loss.Outputs(), bins: c.Bins,
		ridge: prior.Ridge{Lambda: c.Ridge}, curve: c.Curve,
		groups: c.Groups, final: c.Final,
		x: c.X, owned: c.Owned, cells: c.X.Cells(),
		scale: c.Scale, offset: c.Offset, numbers: c.Numbers,
		pool: &pool{threads: c.Threads}, meter: c.Meter,
	}
	if ob.meter == nil {
		ob.meter = new(Meter)
	}
	if ob.groups.Variables() < matrix.Variables(c.X) { // the others go at once, and these get new numbers
		ob.groups = ob.groups.clone()
	}
	if c.Intercept {
		ob.layout.Free = ob.outputs
	}
	run, mixed := runRows(c.X, c.Batch)
	ob.rows = newRowPlan(&c.Target, c.Batch, run, mixed, c.Seed)
	if c.Groups.Count() <= c.Final {
		ob.rows.join() // nothing is to be chosen
	}
	if c.CategoryRows != nil {
		ob.category = ob.categoryStrengths(c.CategoryRows)
	}
	ob.arrange()
	ob.first = ob.columns
	return ob
}

// runRows returns how many neighbouring rows a minibatch takes at a time, and whether
// runs are mixed. What is best taken in order is, a batch at a time, in whole blocks.
// Else a run is what is read well at once, but short enough that a batch is a sample. What
// a minibatch is made of depends on the table alone, never on the cache of a machine or
// on how numbers are stored.
func runRows(x matrix.Matrix, batch int) (rows int, mixed bool) {
	if matrix.Sequential(x) {
		block := x.BlockRows()
		return max((batch+block-1)/block, 1) * block, false
	}
	n, _ := x.Dims()
	perRow := x.Cells() / max(n, 1)
	bytes := 4 * perRow
	if perRow < matrix.Variables(x) { // cells have to be told apart
		bytes = 8 * (perRow + 1)
	}
	run := max(4, runBytes/max(bytes, 1)&^3)
	return max(1, min(run, batch/runsPerBatch)), true
}

// Package objective joins a table, a loss and priors into the function that annealing minimises: the mean
// loss plus the priors. It computes sums over blocks of rows,
//
//	for each block b:   z = X_b β     r = ∂loss/∂z     g += X_bᵀ r
//
// with the same bits for any number of threads. It also makes the minibatches, maps groups to columns,
// removes dropped columns from storage and finds the intercept of the null model.
package objective

import (
	"fsa/internal/matrix"
	"fsa/loss"
	"fsa/prior"
)

// Config holds the parts and settings of an objective.
type Config struct {
	// X holds the stored numbers; a column of the design is scale·x + offset. Offset is nil if all
	// offsets are zero.
	X             matrix.Matrix
	Scale, Offset []float64
	// Owned means that nobody else uses X, so its memory may be overwritten.
	Owned bool
	// Numbers is the number of numeric variables of X, which come first; the others are categorical.
	// If Bins is positive, numeric variables have shape functions with Bins+1 knots.
	Numbers, Bins int

	Loss   loss.Loss
	Target Target
	// Intercept adds an intercept for each output. Ranking has none.
	Intercept bool

	// Ridge is λ of the penalty λ‖β‖² on all coefficients except the intercept, and Curve holds the
	// priors on the knots of each shape function.
	Ridge float64
	Curve prior.Sum
	// CategoryRows is the prior pseudo-count of a category, for each categorical variable; nil means
	// no prior. See categories.go.
	CategoryRows []float64

	// Groups are the groups of variables, and Final is the number of groups to keep: once no more
	// groups are left, every step uses all rows.
	Groups Groups
	Final  int

	// Batch is the number of rows of a step; 0 means all.
	Batch int
	// Seed is the seed of the random order of rows.
	Seed    uint64
	Threads int
	// Meter counts the cells that are read; nil means no count.
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
	if ob.groups.Variables() < matrix.Variables(c.X) { // variables without a group are dropped, and the others renumbered
		ob.groups = ob.groups.clone()
	}
	if c.Intercept {
		ob.layout.Free = ob.outputs
	}
	run, mixed := runRows(c.X, c.Batch)
	ob.rows = newRowPlan(&c.Target, c.Batch, run, mixed, c.Seed)
	if c.Groups.Count() <= c.Final {
		ob.rows.join() // no group will be dropped
	}
	if c.CategoryRows != nil {
		ob.category = ob.categoryStrengths(c.CategoryRows)
	}
	ob.arrange()
	ob.first = ob.columns
	return ob
}

// runRows returns the length of the runs of neighbouring rows of which minibatches consist, and whether
// runs are in random order. A matrix that is read in order is cut into whole blocks, one batch after the
// other. Otherwise a run is long enough to be read efficiently, and short enough that a batch is a random
// sample. The minibatches depend on the table alone, never on the caches of a machine or the number
// format.
func runRows(x matrix.Matrix, batch int) (rows int, mixed bool) {
	if matrix.Sequential(x) {
		block := x.BlockRows()
		return max((batch+block-1)/block, 1) * block, false
	}
	n, _ := x.Dims()
	perRow := x.Cells() / max(n, 1)
	bytes := 4 * perRow
	if perRow < matrix.Variables(x) { // sparse cells have indices
		bytes = 8 * (perRow + 1)
	}
	run := max(4, runBytes/max(bytes, 1)&^3)
	return max(1, min(run, batch/runsPerBatch)), true
}

package anneal

import "context"

// Resident is an [Objective] that stores the coefficients of a descent beside its data: on a
// device, or distributed over several machines. [Run] uses only these methods and does not see
// all coefficients, unless there is an observer. For any other Objective, Run keeps the
// coefficients itself (local.go, which also defines the meaning of each method).
type Resident interface {
	Objective
	// Load sets the coefficients and the rule by which groups are compared. It keeps the listed
	// groups and drops the others.
	Load(ctx context.Context, c Coefficients, r Rank) error
	// Save returns the coefficients. They are valid until the next call of any method.
	Save(ctx context.Context) (Coefficients, error)
	// Reset sets the free coefficients (nil means zero), and sets all others and the velocity to zero.
	Reset(ctx context.Context, free []float64) error
	// Epoch takes a step on every batch.
	Epoch(ctx context.Context, w Walk) (Walked, error)
	// Undo reverts the last Epoch, which had one batch, and sets the velocity to zero.
	Undo(ctx context.Context) error
	// Loss returns the sum of the objective over a batch at the coefficients, and its
	// weight.
	Loss(ctx context.Context, batch int) (sum, weight float64, err error)
	// Lipschitz measures the Lipschitz constant of the gradient; see [Lipschitz].
	Lipschitz(ctx context.Context) (Lipschitz, error)
	// KeepStrongest keeps the m strongest groups and drops the others. Ties are broken by index. If the last epoch had
	// several batches, it compares the mean of β over that epoch.
	KeepStrongest(ctx context.Context, m int) error
}

// Coefficients is the state of the coefficients of a descent. The zero value is the null
// model.
type Coefficients struct {
	// Groups lists the active groups, ascending; nil means all.
	Groups []int `json:"groups,omitempty"`
	// Beta holds their coefficients and the free ones; nil means zero, except for the free ones.
	Beta []float64 `json:"beta,omitempty"`
	// Free holds the initial free coefficients if Beta is nil; nil means zero.
	Free []float64 `json:"free,omitempty"`
	// Momentum says that the descent has momentum. Velocity is the decaying sum of past moves; nil means zero.
	Momentum bool      `json:"momentum,omitempty"`
	Velocity []float64 `json:"velocity,omitempty"`
	// Direction is the direction of the largest curvature at the last measurement; nil if there was none.
	Direction []float32 `json:"direction,omitempty"`
	// Measured is the number of groups that were active at that measurement.
	Measured int `json:"measured,omitempty"`
}

// Rank is the rule by which groups are compared: ‖β_j‖₂ divided by the fourth root of the size of
// the group, times a weight.
type Rank struct {
	// Weight returns the weight of a group, given its original number; nil means 1 for all.
	Weight func(group int) float64
	// Raise may raise the strengths of active groups, which are given by their original numbers; nil
	// changes none. Objectives that do not compute in this process ignore it.
	Raise func(strength []float64, groups []int)
	// Force lists the original numbers of groups that must be kept.
	Force []int
}

// Walk is one epoch: a step on every batch, in cyclic order from First.
type Walk struct {
	First         int
	Eta, Momentum float64
}

// Walked is the result of an epoch.
type Walked struct {
	Loss    float64 // mean of the objective before each step
	Weight  float64 // total weight of the batches
	Moved   float64 // largest change of a coefficient
	Largest float64 // largest coefficient after the epoch, without free ones
}

// Lipschitz is an estimate of the Lipschitz constant L of the gradient of the mean: the
// largest eigenvalue of its Hessian bound, found by power iteration.
type Lipschitz struct {
	Constant float64 // L
	Typical  float64 // curvature along a random direction, which is close to the mean eigenvalue
	Weight   float64 // weight of the rows on which it was measured
}

package anneal

import "context"

// Resident is an [Objective] that keeps the coefficients of a descent where its numbers are:
// on a device, or spread over several machines. [Run] uses only these methods and does not see
// all coefficients, unless there is an observer. For any other Objective, Run keeps the
// coefficients itself (local.go, which also defines the meaning of each method).
type Resident interface {
	Objective
	// Load sets the coefficients and the rule by which groups are compared. It keeps the listed
	// groups and drops the others.
	Load(ctx context.Context, c Coefficients, r Rank) error
	// Save returns the coefficients. They are valid until the next call of any method.
	Save(ctx context.Context) (Coefficients, error)
	// Reset sets the free coefficients, nil meaning zero, all others and what
	// momentum remembers to zero.
	Reset(ctx context.Context, free []float64) error
	// Epoch takes a step on every batch.
	Epoch(ctx context.Context, w Walk) (Walked, error)
	// Undo takes back the last Epoch, which had one batch, and forgets momentum.
	Undo(ctx context.Context) error
	// Loss returns the sum of the objective over a batch at the coefficients, and its
	// weight.
	Loss(ctx context.Context, batch int) (sum, weight float64, err error)
	// Lipschitz measures the Lipschitz constant of the gradient; see [Lipschitz].
	Lipschitz(ctx context.Context) (Lipschitz, error)
	// KeepStrongest drops all but the m strongest groups: those whose norm is above a
	// threshold, and of equal ones those with the lower number. Where the last epoch
	// had several batches, the mean of β over it is compared.
	KeepStrongest(ctx context.Context, m int) error
}

// Coefficients is the state of the coefficients of a descent. The zero value is the null
// model.
type Coefficients struct {
	// Groups lists the living groups, ascending; nil means all.
	Groups []int `json:"groups,omitempty"`
	// Beta holds their coefficients and the free ones; nil means zero, but for Free.
	Beta []float64 `json:"beta,omitempty"`
	// Free is where free coefficients begin where Beta is nil; nil means zero.
	Free []float64 `json:"free,omitempty"`
	// Momentum says that moves carry on. Velocity holds what is left of the last ones;
	// nil means zero.
	Momentum bool      `json:"momentum,omitempty"`
	Velocity []float64 `json:"velocity,omitempty"`
	// Direction is that of the largest curvature, as last measured; nil means none yet.
	Direction []float32 `json:"direction,omitempty"`
	// Measured is how many groups were alive when it was measured.
	Measured int `json:"measured,omitempty"`
}

// Rank is the rule by which groups are compared: ‖β_j‖₂ divided by the fourth root of the size of
// the group, times a weight.
type Rank struct {
	// Weight of a group, by its number at the start; nil means 1 for all.
	Weight func(group int) float64
	// Force lists groups that must stay, by their number at the start.
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
	Weight  float64 // of all batches
	Moved   float64 // the largest move of a coefficient
	Largest float64 // coefficient afterwards, free ones apart
}

// Lipschitz is an estimate of the Lipschitz constant L of the gradient of the mean: the
// largest eigenvalue of its Hessian bound, found by power iteration.
type Lipschitz struct {
	Constant float64 // L
	Typical  float64 // the same along a random direction: about the mean eigenvalue
	Weight   float64 // of the rows that it was measured on
}

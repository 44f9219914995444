package motion

import "fmt"

// Pool is a set of candidate segmentations.
type Pool string

const (
	// PaperPool is the paper's: velocity clustering in 2K to 4K dimensions.
	PaperPool Pool = "paper"
	// WidePool adds other methods to it.
	WidePool Pool = "wide"
)

// Validate returns an error unless the pool exists.
func (p Pool) Validate() error {
	if p != PaperPool && p != WidePool {
		return fmt.Errorf("unknown pool %q: it must be %s or %s", p, PaperPool, WidePool)
	}
	return nil
}

// halves reports whether models for the pool are also trained on halves of sequences. The wide pool
// already has mistakes of many kinds, and halves would improve it little at several times the cost.
func (p Pool) halves() bool { return p == PaperPool }

// Candidate is a segmentation, and the methods that found it.
type Candidate struct {
	Labels  Labels
	Origins []string
}

// by returns a candidate of a single method.
func by(method string, labels Labels) Candidate {
	return Candidate{Labels: labels, Origins: []string{method}}
}

// The names of methods without training.
const (
	Oracle = "oracle" // the best candidate: the limit of ranking
	VC     = "vc"     // velocity clustering with its own error measure
	SC     = "sc"     // spectral clustering of tracks
	SSC    = "ssc"    // sparse subspace clustering
	RV     = "rv"     // randomized voting
)

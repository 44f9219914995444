package motion

import "fmt"

// Pool says which candidate segmentations there are to choose from.
type Pool string

const (
	// PaperPool is the paper's: velocity clustering in 2K to 4K dimensions.
	PaperPool Pool = "paper"
	// WidePool adds other methods to it.
	WidePool Pool = "wide"
)

// Validate says whether there is such a pool.
func (p Pool) Validate() error {
	if p != PaperPool && p != WidePool {
		return fmt.Errorf("unknown pool %q: it must be %s or %s", p, PaperPool, WidePool)
	}
	return nil
}

// halves says whether models for the pool learn from halves of sequences too.
// In the wide pool there are mistakes of many kinds to learn from without them,
// and little is left to win at several times the cost.
func (p Pool) halves() bool { return p == PaperPool }

// Candidate is a segmentation, and the methods that came to it.
type Candidate struct {
	Labels  Labels
	Origins []string
}

// by returns a segmentation that a method made.
func by(method string, labels Labels) Candidate {
	return Candidate{Labels: labels, Origins: []string{method}}
}

// The names of methods that do not learn.
const (
	Oracle = "oracle" // the best candidate there is: the limit of ranking
	VC     = "vc"     // velocity clustering with an error measure of its own
	SC     = "sc"     // spectral clustering of tracks
	SSC    = "ssc"    // sparse subspace clustering
	RV     = "rv"     // randomized voting
)

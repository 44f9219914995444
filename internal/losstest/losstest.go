// Package losstest checks that a [loss.Loss] keeps the promises of the interface. The test of a new
// loss is one call:
//
//	func TestMine(t *testing.T) { losstest.Run(t, Mine{}, losstest.Config{}) }
//
// The checks assume that losses are never negative and have a continuous derivative; corners of the
// derivative are allowed.
package losstest

import (
	"math/rand/v2"
	"testing"

	"fsa/loss"
)

// Config describes the targets of a loss.
type Config struct {
	// Response draws the target of a row. Nil draws −1 or +1.
	Response func(*rand.Rand) float64
	// Rows is the dependence between the rows of a block.
	Rows Rows
	// Working says that the loss has no bound on its Hessian. Its curvature is then only checked at the
	// null model, where all margins are zero.
	Working bool
	// Offset gives rows an offset; the loss is one of [loss.WithOffset].
	Offset bool
}

// Rows is the dependence between the rows of a block.
type Rows int

const (
	// Independent rows: the loss of a block is a sum over its rows.
	Independent Rows = iota
	// Queries of rows: the loss of a block is a sum over its queries.
	Queries
	// Pairs of rows, as in Target.Pairs, each within one query.
	Pairs
)

// Run checks l on random targets of the kind that c describes.
func Run(t *testing.T, l loss.Loss, c Config) {
	const seed = 20
	for _, check := range checks {
		t.Run(check.name, func(t *testing.T) {
			s := source{rand.New(rand.NewPCG(seed, 0)), c, l.Outputs()}
			for range 50 {
				if err := check.run(l, s); err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
			}
		})
	}
}

// checks are the promises, each a function that draws what it needs and returns an error that
// describes a broken promise.
var checks = []struct {
	name string
	run  func(loss.Loss, source) error
}{
	{"gradient", gradient},
	{"curvature", curvature},
	{"extremes", extremes},
	{"blocks", blocks},
	{"weights", weights},
	{"copies", copies},
	{"inputs", inputs},
}

// Package losstest checks that a [loss.Loss] keeps the promises of the
// interface. The test of a new loss is one call:
//
//	func TestMine(t *testing.T) { losstest.Run(t, Mine{}, losstest.Config{}) }
//
// What it checks holds for losses that are never negative and whose derivative
// is continuous; corners of the derivative are allowed.
package losstest

import (
	"math/rand/v2"
	"testing"

	"fsa/loss"
)

// Config says which targets a loss takes.
type Config struct {
	// Response draws the response of a row. Nil draws −1 or +1.
	Response func(*rand.Rand) float64
	// Rows says how the rows of a block hang together.
	Rows Rows
}

// Rows says how the rows of a block hang together.
type Rows int

const (
	// Independent rows: the loss of a block is a sum over its rows.
	Independent Rows = iota
	// Queries of rows: the loss of a block is a sum over its queries.
	Queries
	// Pairs of rows, judged as Target.Pairs says, each within one query.
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

// checks are the promises, each a function that draws what it needs and
// returns an error that says what is broken.
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

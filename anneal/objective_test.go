package anneal_test

import (
	"math"
	"testing"

	"fsa/anneal"
	"fsa/internal/objectivetest"
)

// TestTones checks that the objective of the example satisfies the contract of [anneal.Objective].
func TestTones(t *testing.T) {
	objectivetest.Run(t, func() anneal.Objective {
		o := &tones{signal: make([]float64, 50), cycles: []int{1, 2, 3, 5, 8, 13, 21}}
		for i := range o.signal {
			o.signal[i] = math.Sin(float64(i * i))
		}
		return o
	})
}

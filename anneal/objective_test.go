package anneal_test

import (
	"math"
	"testing"

	"fsa/anneal"
	"fsa/internal/objectivetest"
)

// TestTones holds the objective of the example to the same promises as others.
func TestTones(t *testing.T) {
	objectivetest.Run(t, func() anneal.Objective {
		o := &tones{signal: make([]float64, 50), cycles: []int{1, 2, 3, 5, 8, 13, 21}}
		for i := range o.signal {
			o.signal[i] = math.Sin(float64(i * i))
		}
		return o
	})
}

package validate_test

import (
	"math"
	"testing"

	"fsa/validate"
)

// Gains of 1, 2 and 3 have a mean of 2 and a standard error of √(2/3/2); a weight counts as rows
// do for the mean, and gains of two folds are those of all rows.
func TestGain(t *testing.T) {
	var all, first, second validate.Gain
	for i, gain := range []float64{1, 2, 3} {
		all.Add(gain, 1)
		if i == 0 {
			first.Add(gain, 1)
		} else {
			second.Add(gain, 1)
		}
	}
	mean, se := all.Mean()
	if mean != 2 || math.Abs(se-math.Sqrt(2.0/3/2)) > 1e-12 {
		t.Errorf("%v ± %v", mean, se)
	}
	if first.Join(second); first != all {
		t.Errorf("%+v, not %+v", first, all)
	}
	var weighted validate.Gain
	weighted.Add(1, 3)
	weighted.Add(5, 1)
	if mean, _ := weighted.Mean(); mean != 2 {
		t.Errorf("%v", mean)
	}
}

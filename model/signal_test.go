package model

import "testing"

// TestDrop looks at curves that fall and that do not.
func TestDrop(t *testing.T) {
	for _, c := range []struct {
		name   string
		v      Validation
		size   int
		seen   bool
		signal bool
	}{
		{"falls from 2401 to 183, nothing chosen", Validation{Measure: "squared", Null: 2401, Best: 5, Points: []ValidationPoint{{0, 2401, 1900}, {5, 183, 90}}}, 5, true, false},
		{"falls by a third within its error", Validation{Measure: "squared", Null: 9006, Best: 4, Points: []ValidationPoint{{0, 9006, 8921}, {4, 5682, 5664}}}, 4, true, false},
		{"flat", Validation{Measure: "logistic", Null: 0.693, Best: 2, Points: []ValidationPoint{{0, 0.693, 0.001}, {2, 0.690, 0.01}}}, 2, false, false},
		{"rises", Validation{Measure: "logistic", Null: 0.693, Points: []ValidationPoint{{0, 0.693, 0.001}, {2, 0.71, 0.01}}}, 0, false, false},
		{"AUC", Validation{Measure: "auc", Null: 0.5, Chosen: 1, Best: 1, Gain: 0.01, GainSE: 0.01, Points: []ValidationPoint{{1, 0.8, 0.05}}}, 1, true, false},
		{"AUC below chance", Validation{Measure: "auc", Null: 0.5, Chosen: 1, Best: 1, Gain: 0.01, GainSE: 0.01, Points: []ValidationPoint{{1, 0.4, 0.05}}}, 1, false, false},
		{"a signal", Validation{Measure: "squared", Null: 10, Chosen: 1, Best: 2, Gain: 5, GainSE: 1, Points: []ValidationPoint{{1, 5, 1}, {2, 4, 1}}}, 1, true, true},
	} {
		at, seen := c.v.Drop()
		if at.Size != c.size || seen != c.seen || c.v.Signal() != c.signal {
			t.Errorf("%s: size %d, seen %v, signal %v", c.name, at.Size, seen, c.v.Signal())
		}
	}
}

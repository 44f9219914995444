package stages

import (
	"math"
	"testing"
)

// The time left is that of what was measured, and unknown before that.
func TestLeft(t *testing.T) {
	type report struct {
		at          float64
		part        string // of cross-validation, or a stage
		share       float64
		least, most float64 // −1 if unknown
	}
	open := Work{Folds: 10, Selections: 4, Open: true, Saving: true}
	for name, c := range map[string]struct {
		work    Work
		reports []report
	}{
		"interactions": {open, []report{
			{0, "recipes", 0, -1, -1}, {1, "recipes", 0.9, -1, -1}, {1, "interactions", 0, -1, -1},
			{31, "interactions", 0.1, -1, -1}, // the race may give them up after the first fold
			{41, "interactions", 0.2, 64, 96 + 3 + 16}, {51, "interactions", 0.3, 56, 84 + 3 + 16}, {121, "interactions", 1, -1, -1}, {122, "sizes", 0.5, -1, -1},
		}},
		"two contests": {Work{Folds: 10, Selections: 4, Open: true, Variants: 2}, []report{{0, "recipes", 0, -1, -1}, {1, "interactions", 0, -1, -1}, {3, "interactions", 0.1, -1, -1}, {5, "interactions", 0.2, -1, -1}}},
		"recipes":      {Work{Folds: 10, Selections: 4}, []report{{0, "recipes", 0, -1, -1}, {2, "recipes", 1, -1, -1}, {12, "swaps", 0.9, -1, -1}}},
		"training":     {Work{}, []report{{0, Training, 0, -1, -1}, {5, Training, 0.25, 0.75 * 15, 1.33 * 15}, {15, Training, 0.75, 3.75, 6.65}}},
		"half samples": {Work{HalfSamples: 20}, []report{{0, Training, 0.5, -1, -1}, {10, Training, 1, -1, -1}, {10, HalfSamples, 0, -1, -1}, {15, HalfSamples, 0.5, 3.75, 6.65}}},
	} {
		f, now := OfFit(c.work), 0.0
		f.clock = func() float64 { return now }
		for i, r := range c.reports {
			now = r.at
			var state State
			switch r.part {
			case Training:
				state = f.Epoch(r.share)
			case HalfSamples:
				state = f.Count(r.part, int(100*r.share), 100)
			default:
				state = f.Compare(r.part, r.share)
			}
			if least, most := f.Left(state); math.Abs(least-r.least) > 0.02 || math.Abs(most-r.most) > 0.02 {
				t.Errorf("%s, report %d: %v to %v s, not %v to %v", name, i, least, most, r.least, r.most)
			}
		}
		if name == "training" {
			if now = 17; math.Abs(f.pace.at-15) > 1e-9 {
				t.Error("the clock is not read")
			}
			if least, most := f.Left(f.State()); math.Abs(least-1.75) > 0.01 || math.Abs(most-4.65) > 0.01 {
				t.Errorf("two seconds later: %v to %v s", least, most)
			}
		}
	}
}

package stages

import (
	"sync"
	"time"
)

// The stages of a fit, by their names in progress reports.
const (
	Nested      = "nested cross-validation"
	Folds       = "folds"
	Training    = "training"
	HalfSamples = "half samples"
	Saving      = "saving"
)

// titles are the names of the stages for users.
var titles = map[string]string{
	Nested: "nested cross-validation", Folds: "cross-validation", Training: "training on all rows",
	HalfSamples: "half samples", Saving: "measuring and saving",
}

// The costs of stages, relative to a fit of all rows. They are estimates for the bar: a fold trains
// on fewer rows, and a half sample on half of them.
const (
	costFold   = 0.8
	costHalf   = 0.6
	costSaving = 0.2
)

// part is a part of cross-validation, and the share of it that is done when it ends, which is an estimate
// (performance.md#progress).
type part struct {
	name string
	to   float64
}

// The parts of cross-validation in their order, if the number of variables is open and if it is given.
var (
	openParts  = []part{{"recipes", 0.40}, {"interactions", 0.50}, {"sizes", 0.70}, {"improvements", 0.75}, {"swaps", 0.85}, {"smaller sizes", 1}}
	givenParts = []part{{"recipes", 0.45}, {"improvements", 0.55}, {"swaps", 1}}
)

// Work is what a fit does.
type Work struct {
	// Folds is the number of folds of the comparison, Selections the number of competing ways to select,
	// and Variants the number of fits from which cross-validation chooses; 0 means 1.
	Folds, Selections, Variants int
	// Open says that the number of variables is compared, too.
	Open bool
	// HalfSamples is the number of half samples.
	HalfSamples int
	// Nested says that the whole procedure is cross-validated, and Saving that the model is measured
	// and saved at the end.
	Nested, Saving bool
}

// Fit tracks the progress of a fit.
type Fit struct {
	*Tracker
	parts []part
	work  Work

	pacing sync.Mutex
	clock  func() float64 // seconds since the beginning
	pace   pace           // of the present part of cross-validation, or of the present stage
	first  float64        // seconds that the recipes took
}

// OfFit plans the stages of a fit.
func OfFit(w Work) *Fit {
	folds := costFold * float64(w.Folds*max(w.Selections, 1))
	variants := max(w.Variants, 1)
	plan := []Stage{
		{Name: Nested, Rounds: max(w.Folds, 1) * variants},
		{Name: Folds, Cost: folds * float64(variants), Rounds: variants},
		{Name: Training, Cost: 1},
		{Name: HalfSamples, Cost: costHalf * float64(w.HalfSamples)},
		{Name: Saving},
	}
	if w.Nested {
		plan[0].Cost = float64(plan[0].Rounds) * costFold * (folds + 1)
	}
	if w.Saving {
		plan[4].Cost = costSaving
	}
	begun := time.Now()
	f := &Fit{Tracker: New(plan...), parts: givenParts, work: w, clock: func() float64 { return time.Since(begun).Seconds() }}
	if w.Open {
		f.parts = openParts
	}
	return f
}

// Epoch records the share of the training that is done.
func (f *Fit) Epoch(done float64) State {
	f.see(Training, done)
	return f.Report(Training, done)
}

// Count records that done of total steps of a stage are complete.
func (f *Fit) Count(stage string, done, total int) State {
	share := float64(done) / float64(max(total, 1))
	f.see(stage, share)
	return f.Report(stage, share)
}

// Compare records the share of a part of cross-validation that is done.
func (f *Fit) Compare(name string, share float64) State {
	f.see(name, share)
	from := 0.0
	for _, p := range f.parts {
		if p.name == name {
			return f.Report(Folds, from+(p.to-from)*share)
		}
		from = p.to
	}
	return f.State()
}

// Title returns the name of the stage for users.
func (s State) Title() string { return titles[s.Stage] }

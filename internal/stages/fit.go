package stages

import "sync/atomic"

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
// on fewer rows, a half sample on half of them, and folds are also used to improve the best recipe.
const (
	costFold   = 0.8
	costHalf   = 0.6
	costSaving = 0.2
	counted    = 0.75 // share of the cost of folds before the best recipe is improved
)

// Work is what a fit does.
type Work struct {
	// Folds is the number of folds of the comparison, Selections the number of competing ways to select,
	// and Variants the number of fits from which cross-validation chooses; 0 means 1.
	Folds, Selections, Variants int
	// HalfSamples is the number of half samples.
	HalfSamples int
	// Nested says that the whole procedure is cross-validated, and Saving that the model is measured
	// and saved at the end.
	Nested, Saving bool
}

// Fit tracks the progress of a fit.
type Fit struct {
	*Tracker
	improves atomic.Bool // the folds are counted, and the best recipe is being improved
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
	return &Fit{Tracker: New(plan...)}
}

// Epoch records the share of the training that is done.
func (f *Fit) Epoch(done float64) State { return f.Report(Training, done) }

// Count records that done of total steps of a stage are complete.
func (f *Fit) Count(stage string, done, total int) State {
	share := float64(done) / float64(max(total, 1))
	if stage == Folds {
		f.improves.Store(done >= total)
		share *= counted
	}
	return f.Report(stage, share)
}

// Compared records a point of the curve of error against size.
func (f *Fit) Compared() State {
	if !f.improves.Load() {
		return f.State()
	}
	return f.Advance(Folds)
}

// Title returns the name of the stage for users.
func (s State) Title() string { return titles[s.Stage] }

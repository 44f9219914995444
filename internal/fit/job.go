// Package fit runs a planned fit: plan → contest → run → model. [Prepare] makes the plan, and [Job.Run] runs the contest, the
// winner on all rows, and what is measured besides, one file each: false discoveries, rivals, the reference and stability.
package fit

import (
	"cmp"
	"context"

	"fsa/data"
	"fsa/internal/contest"
	"fsa/internal/plan"
	"fsa/internal/search"
	"fsa/internal/training"
	"fsa/model"
	"fsa/validate"
)

// Job is a planned fit of a dataset.
type Job struct {
	*training.Set
	Plan     *plan.Plan
	Settings Settings

	given     *data.Target                          // target of the table, without the decision values of the offset model
	measurer  func(z []float64, has []bool) float64 // measure to compare; nil means the loss
	cut       *validate.Folds                       // folds, once they are known
	validated *validated                            // result of the contest; nil before it ran
}

// validated is the choice of a contest and its results.
type validated struct {
	*contest.Verdict
	record      *model.Validation
	evidence    *model.Evidence
	calibration *calibration
	honest      []float64 // out-of-fold decision values of what the other folds choose, for the reference
	judged      []bool    // rows that have them
	folds       []fold
}

// fold holds the sample of the training rows of a fold, and its dataset.
type fold struct {
	sample *search.Sample
	data   *data.Dataset
}

// chosen holds the recipe and the size to run on all rows, and how they were chosen.
type chosen struct {
	recipe    search.Recipe
	size      int
	validated *validated         // result of the contest; nil without a contest
	criterion *model.Criterion   // information criterion that chose the size; nil if none did
	found     *model.Discoveries // discoveries at a false discovery rate, with their columns; nil without one
	columns   []int
	runner    *search.Runner // runner that has already run the recipe; nil if none has
}

// Close releases the device of a job that does not run.
func (j *Job) Close() { j.Whole.Device.Close() }

// Intact reports whether the dataset can be read again after the fit: the fit does not overwrite it, and this process alone
// can read all of it.
func (j *Job) Intact() bool { return !j.Settings.Run.Discard && j.Spread() == nil }

// Fingerprint returns a checksum of the training data.
func (j *Job) Fingerprint(ctx context.Context) (string, error) {
	// A table in a file has its own checksums, and sampling it is slow.
	return j.Whole.Fingerprint(ctx, j.Data, j.Settings.Validation.FoldOf, !j.Paged() && j.Spread() == nil)
}

// Evidence returns the details of cross-validation, or nil if there was none.
func (j *Job) Evidence() *model.Evidence {
	if j.validated == nil {
		return nil
	}
	return j.validated.evidence
}

// heldOut returns the judge of held-out rows.
func (j *Job) heldOut() contest.Judge {
	return contest.Judge{Sample: j.Whole, Loss: j.Response.Loss, Weight: j.Data.Target.Weight}
}

// count reports the progress of a stage.
func (j *Job) count(stage string, done, total int) {
	if tell := j.Settings.Run.Count; tell != nil {
		tell(stage, done, total)
	}
}

// measure returns the name of the measure to compare.
func (j *Job) measure() string { return cmp.Or(j.Settings.Validation.Measure, j.Response.Name) }

// signed converts between a minimised value and the measure.
func signed(measure string, v float64) float64 {
	if model.LargerIsBetter(measure) {
		return -v
	}
	return v
}

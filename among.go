package fsa

import (
	"context"

	"fsa/data"
	"fsa/internal/fit"
	"fsa/model"
)

// Contest is the result of a comparison of options by cross-validation.
type Contest struct {
	// Job is the fit with the chosen options. It does not validate again.
	Job *Job
	// Winner is the index of the chosen options in the list.
	Winner int
	// Measure is the measure that was compared, and Means its mean over the folds for each entry of the list.
	Measure string
	Means   []float64
}

// BestOf lets cross-validation choose among options, such as losses or numbers of bins, on the same folds. The rule of
// [validate.Simplest] prefers earlier options to later ones. Options with the same loss are compared by that loss, unless
// Measure names another measure. Options with different losses are compared by the area under the ROC curve for two
// classes, the error rate for more classes, the squared error for numbers, and NDCG for rankings.
func BestOf(ctx context.Context, d *data.Dataset, among []Options) (*Contest, error) {
	if len(among) == 0 {
		return nil, optionError("there are no options to choose from")
	}
	var settings []fit.Settings
	for _, o := range among {
		o.Validation.Always, o.Run.Discard = true, false // the next options need the table, too
		if err := o.Validate(); err != nil {
			return nil, err
		}
		settings = append(settings, o.settings())
	}
	best, err := fit.Choose(ctx, d, settings)
	if err != nil {
		return nil, err
	}
	return &Contest{Job: &Job{best.Job}, Winner: best.Winner, Measure: best.Measure, Means: best.Means}, nil
}

// Among is a learner that lets cross-validation choose its options; see [BestOf].
type Among []Options

// Fit implements [model.Learner].
func (a Among) Fit(ctx context.Context, d *data.Dataset) (*model.Model, error) {
	c, err := BestOf(ctx, d, a)
	if err != nil {
		return nil, err
	}
	return c.Job.Run(ctx)
}

var _ model.Learner = Among(nil)

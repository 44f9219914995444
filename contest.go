package fsa

import (
	"cmp"
	"context"

	"fsa/data"
	"fsa/loss"
	"fsa/model"
)

// Contest is what cross-validation says of several options.
type Contest struct {
	// Job is the fit with those that were chosen. It does not validate again.
	Job *Job
	// Winner is the place of these options in the list.
	Winner int
	// Measure is what was compared, and Means its mean over the folds for each of the list.
	Measure string
	Means   []float64
}

// BestOf lets cross-validation choose among options, such as losses or numbers of bins,
// all on the same folds. Later options have to be better than earlier ones by more than the standard
// error of the difference. Options of one loss are compared by it, unless Measure names
// something else; those of several by the area under the ROC curve of two classes, the
// error of more, the squared error of numbers and the NDCG of rankings.
func BestOf(ctx context.Context, d *data.Dataset, among []Options) (*Contest, error) {
	if len(among) == 0 {
		return nil, optionError("there are no options to choose from")
	}
	c := &Contest{}
	jobs := make([]*Job, len(among))
	for i, o := range among {
		o.CrossValidate, o.Discard = true, false // which would be of no use to the next
		var err error
		if jobs[i], err = Prepare(ctx, d, o); err != nil {
			return nil, err
		}
		jobs[i].journal = jobs[i].journal.of("contender", i)
		c.Measure = cmp.Or(o.Measure, jobs[i].measureBeside(jobs[0]), c.Measure)
	}
	cut, err := jobs[0].Folds(ctx)
	if err != nil {
		return nil, err
	}
	var least []float64
	for i, j := range jobs {
		j.cut = cut
		if j.validated, err = j.validate(ctx); err != nil {
			return nil, err
		}
		losses, err := j.foldLosses(c.Measure)
		if err != nil {
			return nil, err
		}
		c.Means = append(c.Means, signed(c.Measure, mean(losses)))
		if least == nil || better(losses, least) {
			c.Job, c.Winner, least = j, i, losses
		}
	}
	c.Measure = cmp.Or(c.Measure, jobs[0].response.Name)
	return c, nil
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

// measureBeside returns what can be compared with another job if the losses of both cannot.
func (j *Job) measureBeside(other *Job) string {
	r := j.response
	switch {
	case r.Name == other.response.Name:
		return ""
	case r.Task == model.Ranking:
		return "ndcg10"
	case r.Task == loss.Regression:
		return "rmse"
	case r.Loss.Outputs() > 1:
		return "error"
	}
	return "auc"
}

// foldLosses returns how good a job that was validated is on each fold by a measure, less
// being better; "" means its loss.
func (j *Job) foldLosses(name string) ([]float64, error) {
	if name == "" || name == j.options.Measure {
		return j.validated.losses, nil
	}
	measure, err := j.response.Measurer(name)
	if err != nil {
		return nil, err
	}
	var losses []float64
	for f := range j.cut.Len() {
		has := make([]bool, j.data.Rows())
		for _, row := range j.cut.Split(f).Test {
			has[row] = j.validated.evidence.Has[row]
		}
		losses = append(losses, measure(j.validated.evidence.Prediction.Decision, has))
	}
	return losses, nil
}

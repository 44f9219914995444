package fsa

import (
	"cmp"
	"context"
	"math"

	"fsa/data"
	"fsa/internal/search"
	"fsa/model"
	"fsa/validate"
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
// all on the same folds. Earlier options are preferred to later ones, by the rule
// of [validate.Simplest]. Options of one loss are compared by it, unless Measure names
// something else; those of several by the area under the ROC curve of two classes, the
// error of more, the squared error of numbers and the NDCG of rankings.
func BestOf(ctx context.Context, d *data.Dataset, among []Options) (*Contest, error) {
	if len(among) == 0 {
		return nil, optionError("there are no options to choose from")
	}
	c := &Contest{}
	measure, err := commonMeasure(d, among)
	if err != nil {
		return nil, err
	}
	var cut *validate.Folds
	var least []float64
	for i, o := range among {
		o.CrossValidate, o.Discard = true, false // the next one needs the table, too
		j, err := Prepare(ctx, d, o)
		if err != nil {
			c.close()
			return nil, err
		}
		j.sample.Journal, j.cut = j.sample.Journal.Part("contender", i), cut
		losses, null, err := j.foldErrors(ctx, measure)
		if err != nil {
			j.sample.Device.Close()
			c.close()
			return nil, err
		}
		cut = j.cut
		c.Measure = cmp.Or(measure, j.response.Name)
		c.Means = append(c.Means, signed(measure, mean(losses)))
		if least == nil || validate.Simplest([][]float64{least, losses}, null, cut.Repeats()) == 1 {
			c.close()
			c.Job, c.Winner, least = j, i, losses
		} else {
			j.sample.Device.Close()
		}
	}
	return c, nil
}

// close gives back what the job holds, which another one takes the place of.
func (c *Contest) close() {
	if c.Job != nil {
		c.Job.sample.Device.Close()
	}
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

// commonMeasure returns what options can be compared by: the measure that they name, or "" for
// their loss if they have the same.
func commonMeasure(d *data.Dataset, among []Options) (string, error) {
	measure, first := "", ""
	for i, o := range among {
		if err := o.Validate(); err != nil {
			return "", err
		}
		o.Discard = false
		r, err := o.response(d)
		if err != nil {
			return "", err
		}
		if i == 0 {
			measure, first = o.Measure, r.Name
		}
		if measure == "" && r.Name != first {
			measure = usualMeasure(r)
		}
	}
	return measure, nil
}

// usualMeasure returns what says how good predictions are, whatever the loss.
func usualMeasure(r *model.Response) string {
	switch {
	case r.Task == model.Ranking:
		return "ndcg10"
	case r.Task == model.Regression:
		return "rmse"
	case r.Loss.Outputs() > 1:
		return "error"
	}
	return "auc"
}

// foldErrors validates a job and returns its error in each fold by a measure, less being
// better, and that of the null model; "" means its loss.
func (j *Job) foldErrors(ctx context.Context, name string) (errors, null []float64, err error) {
	if j.cut, err = j.Folds(ctx); err != nil {
		return nil, nil, err
	}
	v, err := j.validate(ctx)
	if err != nil {
		return nil, nil, err
	}
	if name == "" || name == j.options.Measure {
		return v.verdict.Errors, v.verdict.Null.Errors, nil
	}
	measure, err := j.response.Measurer(name)
	if err != nil {
		return nil, nil, err
	}
	for f := range j.cut.Len() {
		test := j.cut.Split(f).Test
		for _, of := range []struct {
			list *[]float64
			fit  *search.Fit
		}{{&errors, v.verdict.Fits[f]}, {&null, v.verdict.NullFits[f]}} {
			e := math.Inf(1)
			if of.fit != nil {
				z, err := of.fit.Margins(ctx)
				if err != nil {
					return nil, nil, err
				}
				e = j.error(measure, z, test)
			}
			*of.list = append(*of.list, e)
		}
	}
	return errors, null, nil
}

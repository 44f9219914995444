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
	c := &Contest{}
	measure, err := commonMeasure(d, among)
	if err != nil {
		return nil, err
	}
	var cut *validate.Folds
	var least []float64
	for i, o := range among {
		o.Validation.Always, o.Run.Discard = true, false // the next options need the table, too
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

// close releases the resources of a job that another one replaces.
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

// commonMeasure returns the measure for comparing options: the one that they name, or "" for their
// loss if it is the same.
func commonMeasure(d *data.Dataset, among []Options) (string, error) {
	measure, first := "", ""
	for i, o := range among {
		if err := o.Validate(); err != nil {
			return "", err
		}
		o.Run.Discard = false
		r, err := o.response(d)
		if err != nil {
			return "", err
		}
		if i == 0 {
			measure, first = o.Validation.Measure, r.Name
		}
		if measure == "" && r.Name != first {
			measure = usualMeasure(r)
		}
	}
	return measure, nil
}

// usualMeasure returns the measure for comparing predictions of different losses.
func usualMeasure(r *model.Response) string {
	switch {
	case r.Task == model.Ranking:
		return "ndcg10"
	case r.Task == model.Survival:
		return "concordance"
	case r.Task == model.Regression:
		return "rmse"
	case r.Loss.Outputs() > 1:
		return "error"
	}
	return "auc"
}

// foldErrors validates a job and returns its error in each fold and the error of the null model by
// a measure, where smaller is better; "" means its loss.
func (j *Job) foldErrors(ctx context.Context, name string) (errors, null []float64, err error) {
	if j.cut, err = j.Folds(ctx); err != nil {
		return nil, nil, err
	}
	v, err := j.validate(ctx)
	if err != nil {
		return nil, nil, err
	}
	if name == "" || name == j.options.Validation.Measure {
		return v.verdict.Reported, v.verdict.Null.Reported, nil
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
				z, err := of.fit.MarginsOf(ctx, test)
				if err != nil {
					return nil, nil, err
				}
				e = j.heldOut().Error(measure, z, test)
			}
			*of.list = append(*of.list, e)
		}
	}
	return errors, null, nil
}

package fit

import (
	"context"
	"math"
	"slices"

	"fsa/data"
	"fsa/internal/search"
	"fsa/model"
	"fsa/validate"
)

// Best is the result of a comparison of settings by cross-validation.
type Best struct {
	*Job           // with the chosen settings; it does not validate again
	Winner  int    // index of the chosen settings
	Measure string // what was compared
	Means   []float64
}

// Choose lets cross-validation choose among settings on the same folds. The rule of [validate.Simplest] prefers earlier
// settings to later ones.
func Choose(ctx context.Context, d *data.Dataset, among []Settings) (best *Best, err error) {
	measure, err := commonMeasure(d, among)
	if err != nil {
		return nil, err
	}
	best = &Best{}
	defer func() {
		if err != nil && best.Job != nil {
			best.Close()
		}
	}()
	var cut *validate.Folds
	var least []float64
	huber := slices.ContainsFunc(among, func(s Settings) bool { return s.Response.Loss == "huber" })
	for i, s := range among {
		s.Request.Loss = s.Request.Loss || huber // then it has one contest
		j, err := Prepare(ctx, d, s)
		if err != nil {
			return best, err
		}
		j.Whole.Journal, j.cut = j.Whole.Journal.Part("contender", i), cut
		errors, null, err := j.foldErrors(ctx, measure)
		if err != nil {
			j.Close()
			return best, err
		}
		cut = j.cut
		best.Measure = measure
		if measure == "" {
			best.Measure = j.Response.Name
		}
		best.Means = append(best.Means, signed(measure, mean(errors)))
		if least == nil || validate.Simplest([][]float64{least, errors}, null, cut.Repeats()) == 1 {
			if best.Job != nil {
				best.Close()
			}
			best.Job, best.Winner, least = j, i, errors
		} else {
			j.Close()
		}
	}
	return best, nil
}

// commonMeasure returns the measure for comparing settings: the one that they name, or "" for their
// loss if it is the same.
func commonMeasure(d *data.Dataset, among []Settings) (string, error) {
	measure, first := "", ""
	for i, s := range among {
		r, err := model.NewResponse(d, s.Response)
		if err != nil {
			return "", err
		}
		if i == 0 {
			measure, first = s.Validation.Measure, r.Name
		}
		if measure == "" && (r.Name != first || r.Name == "squared" && model.Extreme(d.Target) > 0) { // the huber loss may win
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
	if name == "" || name == j.Settings.Validation.Measure {
		return v.Reported, v.Null.Reported, nil
	}
	measure, err := j.Response.Measurer(name)
	if err != nil {
		return nil, nil, err
	}
	for f := range j.cut.Len() {
		test := j.cut.Split(f).Test
		for _, of := range []struct {
			list *[]float64
			fit  *search.Fit
		}{{&errors, v.Fits[f]}, {&null, v.NullFits[f]}} {
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

func mean(v []float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum += x
	}
	return sum / float64(len(v))
}

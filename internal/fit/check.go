package fit

import (
	"fmt"
	"slices"

	"fsa/data"
	"fsa/internal/plan"
	"fsa/internal/training"
	"fsa/internal/tuning"
	"fsa/loss"
	"fsa/model"
)

func optionError(format string, a ...any) error {
	return fmt.Errorf("%w: %s", model.ErrOptions, fmt.Sprintf(format, a...))
}

// checkSizes refuses sizes that a dataset does not have.
func (s *Settings) checkSizes(d *data.Dataset) error {
	r := &s.Request
	most := r.Terms(d.Width())
	if r.K > most {
		return optionError("k = %d, but %s has %d variables to select from", r.K, d.Name, d.Width())
	}
	if len(r.Sizes) > 0 && slices.Max(r.Sizes) > most {
		return optionError("sizes up to %d are to be compared, but %s has only %d variables to select from", slices.Max(r.Sizes), d.Name, d.Width())
	}
	return nil
}

// checkClasses refuses settings for classes if the target has none.
func (v *Validation) checkClasses(r *model.Response) error {
	switch {
	case (v.Calibrate || v.Threshold != "") && r.Target.Offset != nil:
		return optionError("calibration and thresholds do not support an offset: leave one of them out")
	case (v.Calibrate || v.Threshold != "") && r.Targets != nil:
		return optionError("calibration and thresholds are for one target, and there are %d: leave them out, or fit each target alone", len(r.Targets))
	case v.Calibrate && r.Task != loss.Classification:
		return optionError("calibration is for classifications, and this is a %s", r.Task)
	case v.Calibrate && r.Kind.Ordered:
		return optionError("calibration is for losses that learn each class, and the probabilities of the %s loss share thresholds: leave it out, or give --loss multinomial", r.Name)
	case v.Threshold != "" && (r.Task != loss.Classification || r.Loss.Outputs() > 1):
		return optionError("a threshold is for two classes, and this is a %s with the %s loss", r.Task, r.Name)
	}
	return nil
}

// checkSet refuses settings that the training data do not allow.
func (s *Settings) checkSet(t *training.Set) error {
	r, whole := &s.Request, t.Whole
	switch {
	case r.K > 0 && len(whole.Force) > r.K:
		return optionError("%d variables are forced, but k = %d", len(whole.Force), r.K)
	case len(s.Training.Groups) > 0 && r.K > whole.Groups.Count():
		return optionError("k = %d, but there are %d groups", r.K, whole.Groups.Count())
	case r.Batch > 0 && (whole.Task == loss.Survival || whole.Kind.Ordered):
		return optionError("each step of the %s loss compares all rows, so there are no minibatches: leave the batch out", t.Response.Name)
	case r.FDR > 0 && whole.Task == loss.Ranking:
		return optionError("fdr does not support rankings: leave it out, or predict a number or classes")
	case r.FDR > 0 && t.Spread() != nil:
		return optionError("fdr needs the table on one machine: leave it out, or fit on one machine")
	case r.Interactions.Most == 0:
		return nil
	case t.Data.Sparse():
		return optionError("interactions need a dense table, and %s is sparse: leave the interactions out", t.Data.Name)
	case !t.Data.InMemory():
		return optionError("interactions need a table in the memory of one machine, and %s is not: leave the interactions out, or give more memory", t.Data.Name)
	case whole.Loss.Outputs() > 1:
		return optionError("interactions need a loss with one decision value per row, and this one has %d: leave the interactions out", whole.Loss.Outputs())
	case whole.Task == loss.Ranking:
		return optionError("interactions are not available for ranking: leave them out")
	}
	return nil
}

// checkRivals refuses rivals for tables and models that are too large for them.
func (s *Settings) checkRivals(t *training.Set, p *plan.Plan) error {
	switch {
	case !s.Validation.Rivals:
		return nil
	case t.Spread() != nil:
		return optionError("rivals need the table on one machine: leave them out, or fit on one machine")
	case p.Recipe.Direct:
		return optionError("rivals need a model of at most %d coefficients without priors on curves: leave them out, or select fewer variables", tuning.ExactCoefficients)
	}
	return nil
}

// checkConfidence refuses tables and models for which confidence intervals cannot be computed.
func (s *Settings) checkConfidence(t *training.Set, p *plan.Plan) error {
	switch r := t.Response; {
	case s.Validation.Confidence == 0:
		return nil
	case t.Spread() != nil:
		return optionError("confidence intervals need the table on one machine: leave confidence out, or fit on one machine")
	case !r.Kind.Likelihood || r.Loss.Outputs() > 1 || r.Kind.Ordered || r.Task == loss.Survival:
		return optionError("confidence intervals need a likelihood of single rows with one decision value, such as the squared, logistic or poisson loss, and the %s loss is none: leave confidence out", r.Name)
	case p.Size*(s.Training.Design.Bins+1) > tuning.ExactCoefficients:
		return optionError("confidence intervals need a model of at most %d coefficients: leave confidence out, or select fewer variables", tuning.ExactCoefficients)
	}
	return nil
}

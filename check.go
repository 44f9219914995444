package fsa

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"fsa/data"
	"fsa/eval"
	"fsa/internal/fit"
	"fsa/internal/training"
	"fsa/loss"
	"fsa/model"
	"fsa/prior"
	"fsa/validate"
)

// Validate checks the options as far as possible without the data.
func (o *Options) Validate() error {
	p := o.plain()
	var err error
	switch {
	case p.K < 0:
		err = optionError("k = %d: at least one variable has to be selected", p.K)
	case p.Bins < None:
		err = optionError("bins = %d: it must be positive, Auto or None", p.Bins)
	case p.Bins > model.MaxBins:
		err = optionError("bins = %d: at most %d are possible", p.Bins, model.MaxBins)
	}
	return cmp.Or(err, p.Selection.check(p.K), p.Validation.check(p.Objective.Custom), p.Descent.check(), p.Objective.check(p.Loss, p.Bins), p.Design.check(p.Bins), p.Run.check(), p.checkConstraints(), p.checkDiscovery(), p.checkCosts(), p.checkQuotas(), p.checkConfidence(), p.Selection.Interactions.check(&p), model.CheckLoss(p.Loss))
}

func (s *Selection) check(k int) error {
	switch {
	case k != Auto && (s.Sizes != nil || s.Choose != ""):
		return optionError("k = %d is given: leave out the sizes and the rule, or leave k open", k)
	case s.Choose != "" && !slices.Contains(validate.RuleNames(), s.Choose):
		return optionError("unknown rule %q: it must be %s", s.Choose, strings.Join(validate.RuleNames(), ", "))
	case len(s.Sizes) > 0 && slices.Min(s.Sizes) < 0:
		return optionError("size %d: it must not be negative", slices.Min(s.Sizes))
	}
	return nil
}

func (v *Validation) check(custom loss.Loss) error {
	switch {
	case v.Folds < 0 || v.Folds == 1:
		return optionError("folds = %d: at least 2 are needed", v.Folds)
	case v.Repeats < 0:
		return optionError("repeats = %d: it must not be negative", v.Repeats)
	case v.Stability < 0:
		return optionError("stability = %d: the number of pairs of half samples must not be negative", v.Stability)
	case v.FoldOf != nil && (v.Folds > 0 || v.Repeats > 0 || v.Ordered):
		return optionError("folds are given: leave out their number, repeats and the order of time")
	case v.Ordered && v.Repeats > 1:
		return optionError("folds in the order of time are always the same: leave repeats out")
	case v.Measure != "" && custom == nil && !slices.Contains(model.MeasureNames(), v.Measure):
		return optionError("unknown measure %q: it must be %s", v.Measure, strings.Join(model.MeasureNames(), ", "))
	}
	if v.Losses && v.Repeats > 1 {
		return optionError("the losses of rows are those of one division into folds: leave repeats out")
	}
	if v.Reference != "" && !slices.Contains(ReferenceNames(), v.Reference) {
		return optionError("unknown reference %q: it must be %s", v.Reference, strings.Join(ReferenceNames(), " or "))
	}
	if _, ok := eval.ThresholdRule(v.Threshold); !ok && v.Threshold != "" {
		return optionError("threshold %q: it must be %s or cost=FP:FN, the costs of a false positive and a false negative", v.Threshold, strings.Join(eval.ThresholdNames(), ", "))
	}
	return nil
}

func (d *Descent) check() error {
	switch {
	case d.Iterations < 0 || d.WarmUp < 0:
		return optionError("iterations and warm-up must not be negative")
	case d.Iterations > MaxIterations || d.WarmUp > MaxIterations:
		return optionError("iterations and warm-up must not be more than %d", MaxIterations)
	case d.Momentum >= 1 || math.IsNaN(d.Momentum) || d.Momentum < 0 && d.Momentum != None:
		return optionError("momentum = %v: it must be below 1 and not negative", d.Momentum)
	case d.Batch < 0 && d.Batch != AllRows:
		return optionError("batch = %d: it must not be negative", d.Batch)
	}
	return cmp.Or(checkNumber("mu", d.Mu), checkNumber("eta", d.Eta), checkNumber("tolerance", d.Tolerance, None))
}

func (j *Objective) check(loss string, bins int) error {
	switch {
	case j.Custom != nil && loss != "":
		return optionError("give the name of a loss or a loss, not both")
	case j.Custom != nil && (j.Balanced || j.ClassWeights != nil):
		return optionError("class weights do not work with a loss of your own: give row weights")
	case j.Huber > 0 && loss != "svm":
		return optionError("huber is for the svm loss")
	case j.Quantile != 0 && loss != "quantile":
		return optionError("a quantile is for the quantile loss: give it as the loss")
	case j.Quantile != 0 && !(j.Quantile > 0 && j.Quantile < 1):
		return optionError("quantile = %v: it must be above 0 and below 1", j.Quantile)
	case j.Quantiles != nil && loss != "quantile":
		return optionError("quantiles are for the quantile loss: give it as the loss")
	case j.Quantiles != nil && j.Quantile != 0:
		return optionError("give either one quantile or several")
	}
	if j.Ties != "" && !slices.Contains(model.Ties(), j.Ties) {
		return optionError("unknown ties %q: they must be %s", j.Ties, strings.Join(model.Ties(), " or "))
	}
	if j.Order != nil && loss != "ordinal" && loss != "" && loss != "auto" {
		return optionError("an order of classes is for the ordinal loss: give it as the loss")
	}
	for _, class := range slices.Sorted(maps.Keys(j.ClassWeights)) {
		if w := j.ClassWeights[class]; !(w > 0) || math.IsInf(w, 0) {
			return optionError("the weight of class %q is %v: it must be positive", class, w)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(j.CurvePriors)) {
		strength := j.CurvePriors[name]
		if !slices.ContainsFunc(prior.Curves(), func(k prior.Kind) bool { return k.Name == name }) {
			return optionError("there is no prior %q on curves", name)
		}
		if bins <= 0 && strength > 0 {
			return optionError("%s is for curves: set bins too", name)
		}
		if err := checkNumber(name, strength); err != nil {
			return err
		}
	}
	return cmp.Or(checkNumber("huber", j.Huber), checkNumber("ridge", j.Ridge, None))
}

func (d *Design) check(bins int) error {
	switch {
	case !d.Spacing.Known():
		return optionError("unknown spacing %q: it must be %s", d.Spacing, strings.Join(data.SpacingNames(), " or "))
	case d.Spacing != data.SpacingAuto && bins == None:
		return optionError("spacing %s is for bins: set bins too", d.Spacing)
	case !d.Scale.Known():
		return optionError("unknown scale %q: it must be %s", d.Scale, strings.Join(data.ScaleNames(), ", "))
	case !d.Storage.Known():
		return optionError("unknown storage %q: it must be %s", d.Storage, strings.Join(data.StorageNames(), ", "))
	case d.Storage != data.StorageFloat32 && bins > 0:
		return optionError("storage %s is for straight lines: leave it out with bins", d.Storage)
	case d.Extrapolate != "" && !slices.Contains(model.Extrapolations(), d.Extrapolate):
		return optionError("unknown extrapolation %q: it must be %s", d.Extrapolate, strings.Join(model.Extrapolations(), " or "))
	}
	return nil
}

func (r *Run) check() error {
	switch {
	case r.Threads < 0:
		return optionError("threads = %d: it must not be negative", r.Threads)
	case r.Device != "" && !slices.Contains(DeviceNames(), r.Device):
		return optionError("unknown device %q: it must be %s", r.Device, strings.Join(DeviceNames(), ", "))
	case r.DeviceMemory < 0:
		return optionError("the memory of a device must not be negative")
	}
	return nil
}

// checkNumber refuses numbers that are negative or not finite, except for those listed.
func checkNumber(name string, value float64, except ...float64) error {
	if (!(value >= 0) || math.IsInf(value, 0)) && !slices.Contains(except, value) {
		return optionError("%s = %v: it must be a finite number and not negative", name, value)
	}
	return nil
}

// conflict is an option that does not go together with another one, and why.
type conflict struct {
	given bool
	why   string
}

// refuse returns the error of the first conflict of an option that is given; its reason may end with the cure.
func refuse(option, cure string, list []conflict) error {
	for _, c := range list {
		if c.given && cure != "" {
			return optionError("%s: %s: %s", option, c.why, cure)
		}
		if c.given {
			return optionError("%s: %s", option, c.why)
		}
	}
	return nil
}

// curved reports whether there is a prior on curves.
func (j *Objective) curved() bool {
	for _, strength := range j.CurvePriors {
		if strength > 0 {
			return true
		}
	}
	return false
}

// elsewhere reports whether a device other than the processor is asked for.
func (r *Run) elsewhere() bool {
	return r.Device != "" && r.Device != DeviceCPU && r.Device != DeviceAuto
}

// checkDiscovery refuses what does not go together with a false discovery rate.
func (o *Options) checkDiscovery() error {
	rate, s := o.Selection.FDR, &o.Selection
	if rate == 0 {
		return nil
	}
	if !(rate > 0 && rate < 1) {
		return optionError("fdr = %v: it must be above 0 and below 1, such as 0.1", rate)
	}
	validation := fit.Validation(o.Validation)
	return refuse(fmt.Sprint("fdr = ", rate), "leave one of them out", []conflict{
		{o.K != Auto || s.Sizes != nil, "a number of variables is given, but fdr chooses it"},
		{s.Choose != "", "a rule for the size is given, but fdr chooses it"},
		{len(s.Force) > 0, "forced variables are selected whether they are relevant or not"},
		{s.Polish, "fdr does not polish the selection"},
		{validation.Asked(), "cross-validation would not repeat the choice of fdr; nested cross-validation does"},
		{o.Validation.Stability > 0, "fdr has half samples of its own"},
		{o.Objective.curved(), "fdr does not support priors on curves"},
		{len(o.Objective.Constraints) > 0, "fdr does not support constraints"},
		{!o.Run.Deadline.IsZero(), "fdr cannot end early"},
	})
}

// checkConfidence refuses what does not go together with confidence intervals.
func (o *Options) checkConfidence() error {
	level, v := o.Validation.Confidence, &o.Validation
	if level == 0 {
		return nil
	}
	if !(level > 0 && level < 1) {
		return optionError("confidence = %v: it must be above 0 and below 1, such as 0.9", level)
	}
	return refuse(fmt.Sprint("confidence = ", level), "leave one of them out", []conflict{
		{o.Selection.FDR > 0, "the half samples of fdr choose the variables, so they cannot correct the effects"},
		{o.Selection.Costs != nil, "selections within a budget have no intervals yet"},
		{o.Selection.Interactions.Find, "the effects of interactions are not repeated on half samples"},
		{len(o.Objective.Constraints) > 0, "an effect at its bound has no interval of this kind"},
		{o.Objective.curved(), "effects under a prior are not those of the data alone"},
		{v.Calibrate, "calibration scales the effects"},
		{v.Ordered, "half samples ignore the order of the rows"},
		{!o.Run.Deadline.IsZero(), "the half samples cannot end early"},
	})
}

// checkConstraints refuses constraints that cannot be kept, and what does not go together with them.
func (o *Options) checkConstraints() error {
	list := o.Objective.Constraints
	if len(list) == 0 {
		return nil
	}
	if err := training.CheckConstraints(list); err != nil {
		return err
	}
	if i := slices.IndexFunc(list, Constraint.Coefficient); i >= 0 && o.Bins > 0 {
		return optionError("%s: this is for the coefficient of a straight line, and bins asks for curves: use increasing or decreasing, or leave bins out", list[i])
	}
	switch {
	case len(o.Objective.CurvePriors) > 0:
		return optionError("constraints do not work together with priors on curves: leave one of them out")
	case o.Validation.Calibrate && slices.ContainsFunc(list, func(c Constraint) bool { return c.Kind == model.Bounds }):
		return optionError("calibration multiplies coefficients, which would move them out of their bounds: leave out the bounds or the calibration")
	case o.Run.elsewhere():
		return optionError("device %s does not keep constraints: use the CPU", o.Run.Device)
	}
	return nil
}

// check checks the options of interactions against the other options.
func (i *Interactions) check(o *Options) error {
	switch {
	case i.Heredity != "" && !slices.Contains(Heredities(), i.Heredity):
		return optionError("unknown heredity %q: it must be %s", i.Heredity, strings.Join(Heredities(), ", "))
	case i.None && (i.Find || i.Most > 0 || i.Heredity != "" || i.Among != nil):
		return optionError("interactions are switched off and asked for: leave one of them out")
	case i.Most < 0:
		return optionError("interactions = %d: the largest number of pairs must not be negative", i.Most)
	case !i.Find && (i.Most > 0 || i.Heredity != ""):
		return optionError("a number or a heredity of interactions is given, but they are not looked for: ask for interactions too")
	case !i.Find && i.Among != nil && (o.K != Auto || !o.pairs()):
		return optionError("variables of interactions are given, but they are not looked for: ask for interactions too")
	case !i.Find:
		return nil
	case o.Selection.Polish:
		return optionError("polishing does not know interactions yet: leave it out")
	case len(o.Objective.Constraints) > 0:
		return optionError("constraints do not hold for interactions: leave the constraints out, or the interactions")
	case o.Selection.FDR > 0:
		return optionError("a false discovery rate is not controlled for interactions: leave fdr out, or the interactions")
	case o.Validation.Rivals:
		return optionError("rivals are variables, not interactions: leave rivals out, or the interactions")
	case o.Validation.Stability > 0:
		return optionError("the stability of interactions cannot be measured yet: leave stability out, or the interactions")
	case o.Run.Device != "" && o.Run.Device != DeviceCPU:
		return optionError("device %s: interactions are computed on the CPU only: leave the device out", o.Run.Device)
	}
	return nil
}

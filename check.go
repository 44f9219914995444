package fsa

import (
	"maps"
	"math"
	"slices"
	"strings"

	"fsa/data"
	"fsa/model"
	"fsa/prior"
	"fsa/validate"
)

// Validate says what is wrong with the options, as far as that can be said
// without the data.
func (o *Options) Validate() error {
	plain := o.plain()
	o = &plain
	switch {
	case o.K < 0:
		return optionError("k = %d: at least one variable has to be selected", o.K)
	case o.K != Auto && (o.Sizes != nil || o.Choose != ""):
		return optionError("k = %d is given: sizes to compare and a rule to choose are for a k that is open", o.K)
	case o.Folds < 0 || o.Folds == 1:
		return optionError("folds = %d: at least 2 are needed", o.Folds)
	case checkThreshold(o.Threshold) != nil:
		return checkThreshold(o.Threshold)
	case o.Stability < 0:
		return optionError("stability = %d: the number of pairs of half samples must not be negative", o.Stability)
	case o.Repeats < 0:
		return optionError("repeats = %d: it must not be negative", o.Repeats)
	case o.FoldOf != nil && (o.Folds > 0 || o.Repeats > 0 || o.Ordered):
		return optionError("folds are given: their number, repeats and the order of time are for folds that are to be made")
	case o.Ordered && o.Repeats > 1:
		return optionError("folds in the order of time are always the same: leave repeats out")
	case o.Measure != "" && !slices.Contains(model.MeasureNames(), o.Measure):
		return optionError("unknown measure %q: it must be %s", o.Measure, strings.Join(model.MeasureNames(), ", "))
	case o.Choose != "" && !slices.Contains(validate.RuleNames(), o.Choose):
		return optionError("unknown rule %q: it must be %s", o.Choose, strings.Join(validate.RuleNames(), ", "))
	case len(o.Sizes) > 0 && slices.Min(o.Sizes) < 0:
		return optionError("size %d: it must not be negative", slices.Min(o.Sizes))
	case o.Bins < None || o.Bins > model.MaxBins:
		return optionError("bins = %d: it must lie between 0 and %d, or be None", o.Bins, model.MaxBins)
	case o.Iterations < 0 || o.WarmUp < 0 || o.Threads < 0:
		return optionError("iterations, warm-up and threads must not be negative")
	case o.Iterations > MaxIterations || o.WarmUp > MaxIterations:
		return optionError("iterations and warm-up must not be more than %d", MaxIterations)
	case o.Momentum >= 1 || math.IsNaN(o.Momentum) || o.Momentum < 0 && o.Momentum != None:
		return optionError("momentum = %v: it must be below 1 and not negative", o.Momentum)
	case o.Batch < 0 && o.Batch != AllRows:
		return optionError("batch = %d: it must not be negative", o.Batch)
	case o.Loss != nil && o.LossName != "":
		return optionError("give the name of a loss or a loss, not both")
	case o.Loss != nil && (o.Balanced || o.ClassWeights != nil):
		return optionError("a loss of your own is given the response as it stands, so that there are no classes to weigh: give weights to the rows")
	case o.Huber > 0 && o.LossName != "svm":
		return optionError("huber is for the svm loss")
	case !o.Spacing.Known():
		return optionError("unknown spacing %q: it must be %s", o.Spacing, strings.Join(data.SpacingNames(), " or "))
	case o.Spacing != data.SpacingAuto && o.Bins == None:
		return optionError("spacing %s is that of bins: it needs some", o.Spacing)
	case !o.Scale.Known():
		return optionError("unknown scale %q: it must be %s", o.Scale, strings.Join(data.ScaleNames(), ", "))
	case !o.Storage.Known():
		return optionError("unknown storage %q: it must be %s", o.Storage, strings.Join(data.StorageNames(), ", "))
	case o.Device != "" && !slices.Contains(DeviceNames(), o.Device):
		return optionError("unknown device %q: it must be %s", o.Device, strings.Join(DeviceNames(), ", "))
	case o.DeviceMemory < 0:
		return optionError("the memory of a device must not be negative")
	case o.Storage != data.StorageFloat32 && o.Bins > 0:
		return optionError("storage %s is for linear responses: leave it out with bins", o.Storage)
	}
	if err := model.CheckLoss(o.LossName); err != nil {
		return err
	}
	if err := o.checkNumbers(); err != nil {
		return err
	}
	for _, class := range slices.Sorted(maps.Keys(o.ClassWeights)) {
		if w := o.ClassWeights[class]; !(w > 0) || math.IsInf(w, 0) {
			return optionError("the weight of class %q is %v: it must be positive", class, w)
		}
	}
	return nil
}

// checkNumbers refuses what is negative, but None, or not finite.
func (o *Options) checkNumbers() error {
	type number struct {
		name  string
		value float64
		none  bool // may be None
	}
	all := []number{{"mu", o.Mu, false}, {"eta", o.Eta, false}, {"huber", o.Huber, false}, {"ridge", o.Ridge, true}, {"tolerance", o.Tolerance, true}}
	for _, name := range slices.Sorted(maps.Keys(o.CurvePriors)) {
		if !slices.ContainsFunc(prior.Curves(), func(k prior.Kind) bool { return k.Name == name }) {
			return optionError("there is no prior %q on curves", name)
		}
		if o.Bins <= 0 && o.CurvePriors[name] > 0 {
			return optionError("%s acts on piecewise-linear responses: it needs bins", name)
		}
		all = append(all, number{name, o.CurvePriors[name], false})
	}
	for _, n := range all {
		if (n.value < 0 && !(n.none && n.value == None)) || math.IsNaN(n.value) || math.IsInf(n.value, 0) {
			return optionError("%s = %v: it must be a finite number and not negative", n.name, n.value)
		}
	}
	return nil
}

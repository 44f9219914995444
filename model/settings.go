package model

import (
	"fmt"
	"math"
	"slices"

	"fsa/data"
	"fsa/loss"
)

// MedianQuantile is the quantile of the quantile loss if none is given.
const MedianQuantile = 0.5

// setLog prepares a response for a loss with a log link. It checks every row, computes the mean
// response, relative to which decision values are learned, and estimates the other parameters of
// the loss.
func (r *Response) setLog(d *data.Dataset, p *loss.Params) error {
	t := r.Target
	weight := loss.Target{Weight: t.Weight}
	exposed := loss.Target{Offset: t.Offset}
	var sum, exposure, rows, zeros float64
	for i, y := range t.Y {
		w := weight.WeightOf(i)
		sum += w * y
		exposure += w * math.Exp(exposed.OffsetOf(i))
		if rows += w; y == 0 {
			zeros += w
		}
	}
	center := r.centerOffset(math.Log(exposure / rows))
	if p.Rate = sum / rows; !(p.Rate > 0) || !finite(exposure) || !finite(p.Rate, math.Log(p.Rate)) {
		return &data.Error{File: d.Name, Column: t.Name, Msg: fmt.Sprintf("the %s loss needs responses with a positive finite mean, and exposures with a positive finite sum; they are %v and %v: change the units of the target or of the offset", r.Name, p.Rate, exposure)}
	}
	r.zero = math.Log(p.Rate) - center
	exposed.Offset = r.Target.Offset
	var square, squares float64 // sum of squared errors of the null model, and sum of its squared means
	for i, y := range t.Y {
		w, m := weight.WeightOf(i), p.Rate*math.Exp(exposed.OffsetOf(i))
		square += w * (y - m) * (y - m)
		squares += w * m * m
	}
	switch r.Name {
	case "negbinomial":
		p.Size = sizeOf(sum, square, squares)
	case "tweedie":
		if p.Power == 0 {
			p.Power = powerOf(p.Rate, square/rows, zeros/rows)
		}
		if zeros == 0 {
			return &data.Error{File: d.Name, Column: t.Name, Msg: "no amount is zero, but the tweedie loss expects some zeros: use --loss gamma"}
		}
	}
	return nil
}

// centerOffset subtracts the logarithm of the mean exposure from the offsets, so that the loss does
// not depend on the unit of exposures. It returns what it subtracted.
func (r *Response) centerOffset(center float64) float64 {
	if r.Target.Offset == nil || !finite(center) {
		return 0
	}
	t := *r.Target
	t.Offset = make([]float64, len(t.Offset))
	for i, o := range r.Target.Offset {
		t.Offset[i] = o - center
	}
	r.Target = &t
	return center
}

// sizeOf estimates the size θ of a negative binomial distribution by moments, from the sums of the
// means, the squared errors and the squared means: the variance is μ + μ²/θ. Counts that vary less
// than Poisson counts get the largest size, which is nearly Poisson.
func sizeOf(means, errors, squares float64) float64 {
	const least, most = 1e-3, 1e6
	if !(errors > means) {
		return most
	}
	return min(max(squares/(errors-means), least), most)
}

// powerOf estimates the power p of a Tweedie distribution by moments. If the share of zeros is
// exp(−λ), the power is 2 − μ²/(λ·variance).
func powerOf(mean, variance, zeros float64) float64 {
	const least, most = 1.1, 1.9
	if !(zeros > 0 && zeros < 1 && variance > 0) {
		return loss.DefaultPower
	}
	return min(max(2+mean*mean/(variance*math.Log(zeros)), least), most)
}

// onlyEnds reports whether all shares are 0 or 1.
func onlyEnds(y []float64) bool {
	return !slices.ContainsFunc(y, func(v float64) bool { return v != 0 && v != 1 })
}

// check returns an error if the loss does not allow a response.
func (r *Response) check(d *data.Dataset) error {
	if r.Kind.Check == nil {
		return nil
	}
	for i, y := range r.Target.Y {
		if msg := r.Kind.Check(y); msg != "" {
			return &data.Error{File: d.Name, Column: r.Target.Name, Row: i + 1, Msg: fmt.Sprintf("the target is %v: %s", y, msg)}
		}
	}
	return nil
}

// checkSettings returns an error if the loss does not have a setting.
func (r *Response) checkSettings(s loss.Settings) error {
	if s.Quantiles != nil {
		if err := checkQuantiles(s.Quantiles); err != nil {
			return err
		}
	}
	switch {
	case s.Quantiles != nil && r.Name != "quantile":
		return optionError("quantiles are for the quantile loss, but the loss is %s: give --loss quantile", r.Name)
	case s.Quantiles != nil && r.Target.Offset != nil:
		return optionError("several quantiles do not support an offset: leave the offset out, or give one quantile")
	case s.Quantile != 0 && r.Name != "quantile":
		return optionError("a quantile is for the quantile loss, but the loss is %s: give --loss quantile", r.Name)
	case s.Quantile != 0 && !(s.Quantile > 0 && s.Quantile < 1):
		return optionError("a quantile of %v: it must be above 0 and below 1", s.Quantile)
	case s.Ties != "" && r.Task != Survival:
		return optionError("ties are those of survival times, but the loss is %s: give --loss cox, or leave the ties out", r.Name)
	case r.Target.Entry != nil && r.Task != Survival:
		return optionError("entries are for survival times, but the loss is %s: give --loss cox, or leave the entries out", r.Name)
	case r.Target.Event != nil && r.Task != Survival:
		return optionError("events are for survival times, but the loss is %s: give --loss cox, or leave the events out", r.Name)
	case r.Target.Stratum != nil && r.Task != Survival:
		return optionError("strata are for survival times, but the loss is %s: give --loss cox, or leave the strata out", r.Name)
	case r.Name == "binomial" && r.Target.Trials == nil && r.Target.Categories == nil && onlyEnds(r.Target.Y):
		return optionError("the target is 0 or 1 in all rows: give --loss logistic for two classes or, if it counts successes, name the column of the numbers of trials with --trials")
	case r.Target.Trials != nil && r.Name != "binomial":
		return optionError("numbers of trials are for the binomial loss, but the loss is %s: give --loss binomial, or leave the trials out", r.Name)
	case r.Target.Offset != nil && (r.Kind.Many || r.Task == Ranking):
		return optionError("the %s loss does not support an offset: leave the offset out", r.Name)
	case r.Target.Exposure && r.Kind.Link != loss.Exp:
		return optionError("an exposure is for counts and amounts, but the loss is %s: give --loss poisson, or --offset for an offset", r.Name)
	}
	return nil
}

// setTargets chooses the loss of several targets and encodes them.
func (r *Response) setTargets(d *data.Dataset, o *ResponseOptions) error {
	err := r.checkTargets(o)
	if err != nil {
		return err
	}
	r.Kind, _ = loss.Named(r.Name)
	r.Task, r.link = r.Kind.Task, r.Kind.Link
	if r.several, err = newSeveral(d.Name, r.Target, r.Task); err != nil {
		return err
	}
	t := *r.Target
	t.Each, r.Target = r.several.each, &t
	r.Targets = r.several.columns
	r.Loss = r.Kind.New(loss.Params{Targets: r.several.learned})
	r.Learned = r.Loss
	return nil
}

// checkTargets chooses the name of the loss of several targets, and refuses what does not go together with them.
func (r *Response) checkTargets(o *ResponseOptions) error {
	t := r.Target
	if len(t.Each) > MaxTargets {
		return optionError("%d targets: at most %d are possible", len(t.Each), MaxTargets)
	}
	for _, other := range []struct {
		given bool
		what  string
	}{
		{o.Custom != nil, "a loss of your own"},
		{o.Balanced || o.ClassWeights != nil, "class weights"},
		{o.Positive != "", "a positive class"},
		{o.Order != nil, "an order of classes"},
		{o.Quantile != 0 || o.Quantiles != nil, "quantiles"},
		{tiesSetting(o.Ties) != "", "ties"},
		{t.Query != nil || t.Pairs != nil, "queries"},
		{t.Event != nil || t.Stratum != nil || t.Entry != nil, "survival times"},
		{t.Offset != nil, "an offset or an exposure"},
		{t.Trials != nil, "numbers of trials"},
	} {
		if other.given {
			return optionError("%d targets are given, and several targets do not support %s: leave it out, or fit each target alone", len(t.Each), other.what)
		}
	}
	var err error
	switch r.Name {
	case "squared", "multitarget":
		r.Name = "multitarget"
	case "logistic", "multilabel":
		r.Name = "multilabel"
	case "", "auto":
		r.Name, err = autoTargets(t)
	default:
		err = optionError("%d targets are given, but the %s loss is for one: give --loss multitarget for numbers or --loss multilabel for labels, or fit each target alone", len(t.Each), r.Name)
	}
	return err
}

package model

import (
	"math"
	"slices"
	"strings"

	"fsa/data"
	"fsa/eval"
	"fsa/loss"
)

// measure is a metric of decision values.
type measure struct {
	name   string
	usual  bool // is printed, and saved for the training rows
	larger bool // larger values are better
	of     func(v *measured) float64
}

// measures is the table of metrics. A metric that does not apply is NaN. A new metric needs a line
// here.
var measures = []measure{
	{"ndcg10", true, true, func(v *measured) float64 { return v.rank(func() float64 { return eval.NDCG(v.z, v.Y, v.Query, 10) }) }},
	{"map", false, true, func(v *measured) float64 { return v.rank(func() float64 { return eval.MAP(v.z, v.Y, v.Query) }) }},
	{"concordance", false, true, func(v *measured) float64 {
		return v.survival(func() float64 { return eval.ConcordanceFrom(v.z, v.Y, v.Event, v.Entry, v.Stratum, v.Weight) })
	}},
	{"uno", false, true, func(v *measured) float64 {
		if v.Entry != nil { // its weights need rows that are observed from the start
			return math.NaN()
		}
		return v.survival(func() float64 { return eval.ConcordanceUno(v.z, v.Y, v.Event, v.Stratum, v.Weight) })
	}},
	{"rmse", true, false, func(v *measured) float64 {
		return v.number(func() float64 { return v.unit * eval.RMSE(v.values(), v.Y, v.Weight) })
	}},
	{"mae", false, false, func(v *measured) float64 {
		return v.number(func() float64 { return v.unit * eval.MAE(v.values(), v.Y, v.Weight) })
	}},
	{"r2", true, true, func(v *measured) float64 {
		return v.number(func() float64 { return eval.R2(v.values(), v.Y, v.Weight) })
	}},
	{"auc", true, true, func(v *measured) float64 { return v.two(func() float64 { return eval.AUC(v.z, v.Y, v.Weight) }) }},
	{"ap", false, true, func(v *measured) float64 {
		return v.two(func() float64 { return eval.AveragePrecision(v.z, v.Y, v.Weight) })
	}},
	{"error", true, false, func(v *measured) float64 { return v.class(eval.ErrorRate) }},
	{"balanced", false, false, func(v *measured) float64 { return v.class(eval.BalancedError) }},
	{"logloss", true, false, func(v *measured) float64 { return v.probability(eval.LogLoss, eval.LogLossMulti) }},
	{"brier", false, false, func(v *measured) float64 { return v.probability(eval.Brier, eval.BrierMulti) }},
	{"rps", false, false, func(v *measured) float64 { return v.ordered(eval.RankedProbability) }},
	{"pinball", false, false, func(v *measured) float64 {
		if v.spec.Settings.Quantiles != nil {
			return v.mean(pinball)
		}
		return pinball(v)
	}},
	{"below", false, false, func(v *measured) float64 {
		return v.quantile(func(float64) float64 { return eval.Below(v.z, v.Y, v.Weight) })
	}},
	{"deviance", false, false, func(v *measured) float64 {
		if v.spec.Task == Regression && v.link() != loss.Identity {
			if v.spec.Loss == customLoss { // whose deviance is unknown
				return math.NaN()
			}
			return v.number(v.deviance)
		}
		if v.spec.Task == Regression {
			return v.number(func() float64 { return v.unit * v.unit * eval.DevianceSquared(v.z, v.Y, v.Weight) })
		}
		return v.probability(eval.DevianceLogistic, eval.DevianceMultinomial)
	}},
}

// MeasureNames lists the metrics by which a size can be chosen.
func MeasureNames() (names []string) {
	for _, m := range measures {
		names = append(names, m.name)
	}
	return names
}

// LargerIsBetter reports whether larger values of a metric are better. For a loss, smaller values
// are better.
func LargerIsBetter(measure string) bool {
	for _, m := range measures {
		if m.name == measure {
			return m.larger
		}
	}
	return false
}

// MeasureOf splits the name of a metric of one output, such as below_0.9, into those of the measure and
// of the output. The output is "" for other metrics.
func MeasureOf(metric string) (measure, output string) {
	measure, output, _ = strings.Cut(metric, outputMark)
	return measure, output
}

// measureOf returns a measure by its name.
func measureOf(name string) func(v *measured) float64 {
	return measures[slices.IndexFunc(measures, func(m measure) bool { return m.name == name })].of
}

// Usual returns the metrics that are printed for a loss.
func Usual(lossName string, metrics map[string]float64) map[string]float64 {
	out := map[string]float64{}
	for name, v := range metrics {
		of, _ := MeasureOf(name)
		at := slices.IndexFunc(measures, func(m measure) bool { return m.name == of })
		if at < 0 || measures[at].usualFor(lossName) { // others are those of a loss of the caller
			out[name] = v
		}
	}
	return out
}

// usualFor reports whether the metric is printed for a loss, and saved for the training rows.
func (m *measure) usualFor(lossName string) bool {
	if kind, ok := loss.Named(lossName); ok && kind.Measures != nil {
		return slices.Contains(kind.Measures, m.name)
	}
	return m.usual
}

// measured holds what metrics are computed from: decision values, row after row, and a target
// encoded for the loss of the model.
type measured struct {
	*data.Target
	spec *spec
	z    []float64
	unit float64 // unit of the response of a regression
}

func (v *measured) rank(f func() float64) float64 {
	if v.spec.Task != Ranking || v.Query == nil { // without queries it is unknown which rows compete
		return math.NaN()
	}
	return f()
}

func (v *measured) survival(f func() float64) float64 {
	if v.spec.Task != Survival || v.Event == nil { // without events it is unknown which rows had one
		return math.NaN()
	}
	return f()
}

func (v *measured) number(f func() float64) float64 {
	if v.spec.Task != Regression || v.spec.Outputs > 1 || v.spec.unlinked() {
		return math.NaN()
	}
	return f()
}

// link returns the function that turns decision values into predictions.
func (v *measured) link() loss.Link {
	return v.spec.link()
}

// values returns the predicted numbers.
func (v *measured) values() []float64 { return v.spec.values(v.z) }

// deviance returns the mean deviance of a loss of numbers with a link.
func (v *measured) deviance() float64 {
	l := v.spec.natural()
	sum, weight := l.Eval(make([]float64, len(v.z)), v.z, loss.Target{Y: v.Y, Weight: v.Weight})
	return 2 * sum / weight * loss.NatsOf(l)
}

func (v *measured) quantile(f func(q float64) float64) float64 {
	if v.spec.Loss != "quantile" || v.spec.Outputs > 1 {
		return math.NaN()
	}
	return f(v.spec.Settings.Quantile)
}

func pinball(v *measured) float64 {
	return v.quantile(func(q float64) float64 { return v.unit * eval.Pinball(v.z, v.Y, v.Weight, q) })
}

func (v *measured) two(f func() float64) float64 {
	if v.spec.Task != Classification || v.spec.Outputs > 1 || len(v.spec.Classes) > 2 {
		return math.NaN()
	}
	return f()
}

func (v *measured) class(f func(predicted, y, w []float64) float64) float64 {
	if v.spec.Task != Classification {
		return math.NaN()
	}
	class := v.spec.classes(v.z)
	if v.binary() {
		for i := range class {
			class[i] = 2*class[i] - 1
		}
	}
	return f(class, v.Y, v.Weight)
}

func (v *measured) probability(two func(p, y, w []float64) float64, many func(p []float64, classes int, y, w []float64) float64) float64 {
	if v.spec.Task != Classification {
		return math.NaN()
	}
	p := v.spec.probabilities(v.z)
	switch {
	case p == nil:
		return math.NaN()
	case v.binary():
		return two(p, v.Y, v.Weight)
	}
	return many(p, len(v.spec.Classes), v.Y, v.Weight)
}

// binary reports whether there are two classes with one decision value.
func (v *measured) binary() bool { return v.spec.Outputs == 1 && v.spec.Settings.Cuts == nil }

// ordered returns a measure of the probabilities of ordered classes.
func (v *measured) ordered(f func(p []float64, classes int, y, w []float64) float64) float64 {
	if kind, _ := loss.Named(v.spec.Loss); !kind.Ordered {
		return math.NaN()
	}
	return f(v.spec.probabilities(v.z), len(v.spec.Classes), v.Y, v.Weight)
}

// metrics computes all metrics, or only the usual ones. Metrics that are not defined, such as the
// AUC of one class, are left out.
func (v *measured) metrics(usual bool) map[string]float64 {
	out := map[string]float64{}
	for _, m := range measures {
		if usual && !m.usualFor(v.spec.Loss) {
			continue
		}
		if x := m.value(v); finite(x) {
			out[m.name] = x
		}
	}
	for _, m := range v.spec.ownMeasures() {
		if x := m.of(v); finite(x) {
			out[m.name] = x
		}
	}
	switch {
	case v.spec.Settings.Quantiles != nil:
		v.byOutput(out, []string{"pinball", "below"})
	case v.spec.Targets != nil:
		kind, _ := loss.Named(v.spec.Loss)
		v.byOutput(out, kind.Measures)
	}
	return out
}

// value returns the metric, or its mean over several targets. Numbers of several targets may have different units: only
// shares of their variances have a mean.
func (m *measure) value(v *measured) float64 {
	if v.spec.Targets == nil || v.spec.Task == Regression && m.name != "r2" {
		return m.of(v)
	}
	return v.mean(m.of)
}

// Measure computes all metrics that apply, from decision values in row order. has says which rows
// have a decision value.
func (r *Response) Measure(z []float64, has []bool) map[string]float64 {
	return r.MeasureAs(z, has, false, 0)
}

// MeasureAs is [Response.Measure] for calibrated decision values, or with a threshold between
// two classes.
func (r *Response) MeasureAs(z []float64, has []bool, calibrated bool, threshold float64) map[string]float64 {
	v := r.measured(z, has)
	v.spec.Calibrated, v.spec.Threshold = calibrated, threshold
	return v.metrics(false)
}

// measured restricts a target to the rows that have a decision value.
func (r *Response) measured(z []float64, has []bool) *measured {
	t, outputs := *r.Target, r.Loss.Outputs()
	t.Weight, z = r.rowWeight, r.complete(z)
	if slices.Contains(has, false) {
		var rows []int
		var some []float64
		for i, ok := range has {
			if ok && (t.Weight == nil || t.Weight[i] > 0) {
				rows = append(rows, i)
				some = append(some, z[i*outputs:(i+1)*outputs]...)
			}
		}
		t, z = *t.Select(rows), some
	}
	return &measured{&t, r.spec(), z, r.unit}
}

// spec returns the fields of a model that metrics need.
func (r *Response) spec() *spec {
	return &spec{Task: r.Task, Loss: r.Name, Classes: r.Classes, Targets: r.Targets, Outputs: r.Loss.Outputs(), Settings: r.Settings, Link: r.ownLink(), given: r.given}
}

// Measurer returns a function that computes the named metric, with its sign changed if larger
// values are better. It returns nil for the loss itself, which is not one of the metrics.
func (r *Response) Measurer(name string) (func(z []float64, has []bool) float64, error) {
	if err := r.checkGiven(); err != nil || name == "" {
		return nil, err
	}
	own := r.spec().ownMeasures()
	all := slices.Concat(measures, own)
	at := slices.IndexFunc(all, func(m measure) bool { return m.name == name })
	if at < 0 {
		return nil, optionError("unknown measure %q: it must be %s", name, strings.Join(MeasureNames(), ", "))
	}
	m := all[at]
	if applies := r.applies(); at < len(measures) && !slices.Contains(applies, name) {
		return nil, optionError("the measure %s does not apply to a %s with the %s loss: it must be %s", name, r.Task, r.Name, strings.Join(applies, ", "))
	}
	return func(z []float64, has []bool) float64 {
		v := m.value(r.measured(z, has))
		if m.larger {
			v = -v
		}
		return v
	}, nil
}

// applies lists the metrics that apply to this task.
func (r *Response) applies() (names []string) {
	t := &data.Target{Y: []float64{1, -1, 1}, Query: []int{0, 3}, Event: []float64{1, 1, 0}}
	if r.Target.Entry != nil {
		t.Entry = []float64{-2, -2, -2}
	}
	z := slices.Repeat([]float64{0.5}, 3*r.Loss.Outputs())
	if r.Loss.Outputs() > 1 || r.Kind.Ordered {
		t.Y = []float64{0, 1, 0}
	}
	for _, of := range r.Targets {
		t.Each = append(t.Each, data.Vector{Name: of.Name, Values: []float64{1, -1, 1}})
	}
	v := &measured{t, r.spec(), z, 1}
	for _, m := range measures {
		if finite(m.value(v)) {
			names = append(names, m.name)
		}
	}
	return names
}

// metrics computes the usual metrics of decision values against a target.
func metrics(s *spec, t *data.Target, z []float64) map[string]float64 {
	return (&measured{t, s, z, 1}).metrics(true)
}

// natural returns the loss in the units of the response, which metrics use.
func (s *spec) natural() loss.Loss {
	kind, _ := loss.Named(s.Loss)
	return kind.New(loss.Params{Rate: 1, Spread: 1, Settings: s.Settings})
}

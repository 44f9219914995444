package model

import (
	"math"
	"slices"
	"strings"

	"fsa/data"
	"fsa/eval"
)

// measure is a way to say how good decision values are.
type measure struct {
	name   string
	usual  bool // it is printed, and kept of the training rows
	larger bool // a larger one is better
	of     func(v *measured) float64
}

// measures is the table of them. What does not apply is NaN. A new one is a line here.
var measures = []measure{
	{"ndcg10", true, true, func(v *measured) float64 { return v.rank(func() float64 { return eval.NDCG(v.z, v.Y, v.Query, 10) }) }},
	{"map", false, true, func(v *measured) float64 { return v.rank(func() float64 { return eval.MAP(v.z, v.Y, v.Query) }) }},
	{"rmse", true, false, func(v *measured) float64 {
		return v.number(func() float64 { return v.unit * eval.RMSE(v.z, v.Y, v.Weight) })
	}},
	{"mae", false, false, func(v *measured) float64 {
		return v.number(func() float64 { return v.unit * eval.MAE(v.z, v.Y, v.Weight) })
	}},
	{"r2", true, true, func(v *measured) float64 { return v.number(func() float64 { return eval.R2(v.z, v.Y, v.Weight) }) }},
	{"auc", true, true, func(v *measured) float64 { return v.two(func() float64 { return eval.AUC(v.z, v.Y, v.Weight) }) }},
	{"ap", false, true, func(v *measured) float64 {
		return v.two(func() float64 { return eval.AveragePrecision(v.z, v.Y, v.Weight) })
	}},
	{"error", true, false, func(v *measured) float64 { return v.class(eval.ErrorRate) }},
	{"balanced", false, false, func(v *measured) float64 { return v.class(eval.BalancedError) }},
	{"logloss", true, false, func(v *measured) float64 { return v.probability(eval.LogLoss, eval.LogLossMulti) }},
	{"brier", false, false, func(v *measured) float64 { return v.probability(eval.Brier, eval.BrierMulti) }},
	{"deviance", false, false, func(v *measured) float64 {
		if v.spec.Task == Regression {
			return v.number(func() float64 { return v.unit * v.unit * eval.DevianceSquared(v.z, v.Y, v.Weight) })
		}
		return v.probability(eval.DevianceLogistic, eval.DevianceMultinomial)
	}},
}

// MeasureNames lists the measures by which a size can be chosen.
func MeasureNames() (names []string) {
	for _, m := range measures {
		names = append(names, m.name)
	}
	return names
}

// LargerIsBetter reports whether a measure is the better the larger it is. A loss is not.
func LargerIsBetter(measure string) bool {
	for _, m := range measures {
		if m.name == measure {
			return m.larger
		}
	}
	return false
}

// Usual returns those of some metrics that are printed.
func Usual(metrics map[string]float64) map[string]float64 {
	out := map[string]float64{}
	for _, m := range measures {
		if v, ok := metrics[m.name]; ok && m.usual {
			out[m.name] = v
		}
	}
	return out
}

// measured is what is measured: decision values, row after row, and a target that is
// encoded as the model's loss wants it.
type measured struct {
	*data.Target
	spec *spec
	z    []float64
	unit float64 // of the numbers of a regression
}

func (v *measured) rank(f func() float64) float64 {
	if v.spec.Task != Ranking || v.Query == nil { // nothing says which rows compete
		return math.NaN()
	}
	return f()
}

func (v *measured) number(f func() float64) float64 {
	if v.spec.Task != Regression || v.spec.Outputs > 1 {
		return math.NaN()
	}
	return f()
}

func (v *measured) two(f func() float64) float64 {
	if v.spec.Task != Classification || v.spec.Outputs > 1 {
		return math.NaN()
	}
	return f()
}

func (v *measured) class(f func(predicted, y, w []float64) float64) float64 {
	if v.spec.Task != Classification {
		return math.NaN()
	}
	class := v.spec.classes(v.z)
	if v.spec.Outputs == 1 {
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
	case v.spec.Outputs == 1:
		return two(p, v.Y, v.Weight)
	}
	return many(p, v.spec.Outputs, v.Y, v.Weight)
}

// metrics measures all that can be, or the usual; what cannot be measured, such as the AUC
// of one class, is left out.
func (v *measured) metrics(usual bool) map[string]float64 {
	out := map[string]float64{}
	for _, m := range measures {
		if usual && !m.usual {
			continue
		}
		if x := m.of(v); finite(x) {
			out[m.name] = x
		}
	}
	return out
}

// Measure measures decision values, row after row, of the rows that have one, by all
// measures that apply.
func (r *Response) Measure(z []float64, has []bool) map[string]float64 {
	return r.MeasureAs(z, has, false, 0)
}

// MeasureAs is [Response.Measure] of decision values that were calibrated, or with a
// threshold between two classes.
func (r *Response) MeasureAs(z []float64, has []bool, calibrated bool, threshold float64) map[string]float64 {
	v := r.measured(z, has)
	v.spec.Calibrated, v.spec.Threshold = calibrated, threshold
	return v.metrics(false)
}

// measured restricts a target to the rows that have a decision value.
func (r *Response) measured(z []float64, has []bool) *measured {
	t, outputs := *r.Target, r.Loss.Outputs()
	t.Weight = r.rowWeight
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

// spec is what measures ask a model for.
func (r *Response) spec() *spec {
	return &spec{Task: r.Task, Loss: r.Name, Classes: r.Classes, Outputs: r.Loss.Outputs()}
}

// Measurer returns what measures decision values by name, as [Response.Measure] does, so
// that less is better; nil for the loss itself, which has no name among measures.
func (r *Response) Measurer(name string) (func(z []float64, has []bool) float64, error) {
	if name == "" {
		return nil, nil
	}
	at := slices.IndexFunc(measures, func(m measure) bool { return m.name == name })
	if at < 0 {
		return nil, optionError("unknown measure %q: it must be %s", name, strings.Join(MeasureNames(), ", "))
	}
	m := measures[at]
	if applies := r.applies(); !slices.Contains(applies, name) {
		return nil, optionError("the measure %s is not for a %s with the %s loss: it may be %s", name, r.Task, r.Name, strings.Join(applies, ", "))
	}
	return func(z []float64, has []bool) float64 {
		v := m.of(r.measured(z, has))
		if m.larger {
			v = -v
		}
		return v
	}, nil
}

// applies lists the measures that this task has.
func (r *Response) applies() (names []string) {
	t := &data.Target{Y: []float64{1, -1, 1}, Query: []int{0, 3}}
	z := slices.Repeat([]float64{0.5}, 3*r.Loss.Outputs())
	if r.Loss.Outputs() > 1 {
		t.Y = []float64{0, 1, 0}
	}
	v := &measured{t, r.spec(), z, 1}
	for _, m := range measures {
		if finite(m.of(v)) {
			names = append(names, m.name)
		}
	}
	return names
}

// metrics measures decision values against a target by the usual measures.
func metrics(s *spec, t *data.Target, z []float64) map[string]float64 {
	return (&measured{t, s, z, 1}).metrics(true)
}

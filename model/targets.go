package model

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"fsa/data"
	"fsa/loss"
)

// TargetColumn is one of several targets of a model.
type TargetColumn struct {
	Name string `json:"name"`
	// Classes are the two classes of a label, the last of them positive; nil for a number.
	Classes []string `json:"classes,omitempty"`
}

// MaxTargets is the largest number of targets of a model.
const MaxTargets = 1000

// setTargets chooses the loss of several targets and encodes them: labels as −1 and +1, and numbers in units of their
// standard deviations from their means, so that each of them counts alike.
func (r *Response) setTargets(d *data.Dataset, o *ResponseOptions) error {
	if err := r.checkTargets(o); err != nil {
		return err
	}
	t := *r.Target
	t.Each = slices.Clone(t.Each)
	p := loss.Params{}
	for c := range t.Each {
		var values []float64
		var err error
		if r.Task == Multilabel {
			values, err = r.encodeLabel(d, &t, c)
		} else {
			values, err = r.standardise(d, &t, c)
		}
		if err != nil {
			return err
		}
		p.Targets = append(p.Targets, values)
	}
	r.Target = &t
	r.Loss = r.Kind.New(p)
	r.Learned = r.Loss
	return nil
}

// checkTargets chooses the loss, and refuses what does not go together with several targets.
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
	r.Kind, _ = loss.Named(r.Name)
	r.Task = r.Kind.Task
	return err
}

// autoTargets chooses the loss of several targets: labels if all have two values, and numbers if none has two values or
// texts.
func autoTargets(t *data.Target) (string, error) {
	var labels, numbers []string
	for c := range t.Each {
		if v := &t.Each[c]; v.Categories != nil || len(distinct(known(t, c))) == 2 {
			labels = append(labels, v.Name)
		} else {
			numbers = append(numbers, v.Name)
		}
	}
	switch {
	case numbers == nil:
		return "multilabel", nil
	case labels == nil:
		return "multitarget", nil
	}
	return "", optionError("the targets are of different kinds: %s has texts or two values, and %s has numbers: give only labels or only numbers, or --loss multitarget if all of them are numbers", labels[0], numbers[0])
}

// known returns target c of several as a target of the rows that have it.
func known(t *data.Target, c int) *data.Target {
	v := &t.Each[c]
	if !slices.ContainsFunc(v.Values, math.IsNaN) {
		return &data.Target{Name: v.Name, Y: v.Values, Categories: v.Categories, Weight: t.Weight}
	}
	to := &data.Target{Name: v.Name, Categories: v.Categories}
	for i, y := range v.Values {
		if y != y {
			continue
		}
		if to.Y = append(to.Y, y); t.Weight != nil {
			to.Weight = append(to.Weight, t.Weight[i])
		}
	}
	return to
}

// encodeLabel encodes target c, a label.
func (r *Response) encodeLabel(d *data.Dataset, t *data.Target, c int) ([]float64, error) {
	v := &t.Each[c]
	one := Response{Name: "logistic", Task: Classification, Target: known(t, c)}
	one.Kind, _ = loss.Named(one.Name)
	values := distinct(one.Target)
	switch n := len(values); {
	case n > 2 && r.Name == "multilabel":
		return nil, &data.Error{File: d.Name, Column: v.Name, Msg: fmt.Sprintf("the target has more than two classes (%s), but each of several labels has two: fit this target alone", some(values[:3], classNames(one.Target, values)))}
	case n < 2:
		return nil, &data.Error{File: d.Name, Column: v.Name, Msg: "the target is the same in all rows: it must have two classes; leave it out"}
	}
	if err := one.encode(d, values, &ResponseOptions{}); err != nil {
		return nil, err
	}
	encoded, at := make([]float64, len(v.Values)), 0
	for i, y := range v.Values {
		if encoded[i] = math.NaN(); y == y {
			encoded[i] = one.Target.Y[at]
			at++
		}
	}
	t.Each[c] = data.Vector{Name: v.Name, Values: encoded}
	r.Targets = append(r.Targets, TargetColumn{v.Name, one.Classes})
	return encoded, nil
}

// classNames returns the names of classes by their responses.
func classNames(t *data.Target, values []float64) map[float64]string {
	names := map[float64]string{}
	for _, v := range values {
		names[v] = className(t, v)
	}
	return names
}

// standardise returns target c, a number, in units of its standard deviation from its mean.
func (r *Response) standardise(d *data.Dataset, t *data.Target, c int) ([]float64, error) {
	v := &t.Each[c]
	if v.Categories != nil {
		return nil, &data.Error{File: d.Name, Column: v.Name, Msg: fmt.Sprintf("the target is text (%q, …), but the other targets are numbers: leave it out, or fit it alone", v.Categories[0])}
	}
	mean, deviation := moments(known(t, c))
	if !(deviation > 0) {
		return nil, &data.Error{File: d.Name, Column: v.Name, Msg: "the target is the same in all rows: it must have at least two values; leave it out"}
	}
	values := make([]float64, len(v.Values))
	for i, y := range v.Values {
		values[i] = y/deviation - mean/deviation
	}
	r.Targets = append(r.Targets, TargetColumn{Name: v.Name})
	r.means, r.deviations = append(r.means, mean), append(r.deviations, deviation)
	return values, nil
}

// moments returns the mean and the standard deviation of a response. The deviation is 0 if all rows with a weight are equal.
func moments(t *data.Target) (mean, deviation float64) {
	weight, total, largest := loss.Target{Weight: t.Weight}, 0.0, 0.0
	for i, y := range t.Y {
		total += weight.WeightOf(i)
		largest = max(largest, math.Abs(y))
	}
	if len(distinct(t)) < 2 {
		return 0, 0
	}
	for i, y := range t.Y {
		mean += weight.WeightOf(i) / total * (y / largest) // relative to the largest, so that no square overflows
	}
	squares := 0.0
	for i, y := range t.Y {
		e := y/largest - mean
		squares += weight.WeightOf(i) / total * e * e
	}
	return mean * largest, math.Sqrt(squares) * largest
}

// restoreTargets converts decision values, row after row, back to the units of several targets.
func (r *Response) restoreTargets(z []float64) {
	for i := range z {
		c := i % len(r.deviations)
		z[i] = z[i]*r.deviations[c] + r.means[c]
	}
}

// rescaleTargets converts the coefficients back to the units of several targets. The importance of a variable stays in
// units of their standard deviations.
func (s *spec) rescaleTargets(deviations []float64) {
	if deviations == nil {
		return
	}
	scale := func(v []float64) {
		each := len(v) / len(deviations)
		for i := range v {
			v[i] *= deviations[i/each]
		}
	}
	for i := range s.Variables {
		scale(s.Variables[i].Coefficients)
		scale(s.Variables[i].Missing)
	}
	for i := range s.Interactions {
		scale(s.Interactions[i].Coefficients)
	}
}

// checkTargets returns an error unless the targets of a model file match its loss.
func (s *spec) checkTargets() error {
	kind, _ := loss.Named(s.Loss)
	if !kind.Several {
		if s.Targets != nil {
			return fmt.Errorf("several targets do not match the loss %q", s.Loss)
		}
		return nil
	}
	names := map[string]bool{}
	for _, t := range s.Targets {
		classes := 0
		if s.Task == Multilabel {
			classes = 2
		}
		if t.Name == "" || names[t.Name] || len(t.Classes) != classes || classes == 2 && (t.Classes[0] == t.Classes[1] || slices.Contains(t.Classes, "")) {
			return errors.New("its targets are invalid")
		}
		names[t.Name] = true
	}
	if len(s.Targets) != s.Outputs {
		return fmt.Errorf("%d targets for %d outputs", len(s.Targets), s.Outputs)
	}
	return nil
}

// ofTarget returns what metrics and predictions of target c alone need.
func (s *spec) ofTarget(c int) *spec {
	one := &spec{Task: Regression, Loss: "squared", Outputs: 1}
	if classes := s.Targets[c].Classes; classes != nil {
		one.Task, one.Loss, one.Classes = Classification, "logistic", classes
	}
	return one
}

// encodeTargets encodes several targets, found by their names, in the order of the model.
func (s *spec) encodeTargets(t *data.Target) (*data.Target, error) {
	var names []string
	for _, of := range s.Targets {
		names = append(names, of.Name)
	}
	out := *t
	out.Each = nil
	for c, of := range s.Targets {
		at := slices.IndexFunc(t.Each, func(v data.Vector) bool { return v.Name == of.Name })
		if at < 0 {
			return nil, &data.Error{Msg: fmt.Sprintf("the model predicts several targets, and %q is missing: give --target %s", of.Name, strings.Join(names, ","))}
		}
		v := t.Each[at]
		if of.Classes == nil && v.Categories != nil {
			return nil, &data.Error{Column: v.Name, Msg: fmt.Sprintf("the target is text (%q, …), but the model predicts numbers", v.Categories[0])}
		}
		if of.Classes != nil {
			one, err := s.ofTarget(c).encodeKnown(v)
			if err != nil {
				return nil, err
			}
			v = data.Vector{Name: v.Name, Values: one}
		}
		out.Each = append(out.Each, v)
	}
	return &out, nil
}

// encodeKnown encodes the labels that are not missing.
func (s *spec) encodeKnown(v data.Vector) ([]float64, error) {
	to := make([]float64, len(v.Values))
	for i, y := range v.Values {
		if to[i] = math.NaN(); y != y {
			continue
		}
		one, err := s.encode(&data.Target{Y: []float64{y}, Categories: v.Categories})
		if err != nil {
			var bad *data.Error
			if errors.As(err, &bad) {
				bad.Column, bad.Row = v.Name, i+1
			}
			return nil, err
		}
		to[i] = one.Y[0]
	}
	return to, nil
}

// Targets returns the targets of a model, if it has several.
func (m *Model) Targets() []TargetColumn { return slices.Clone(m.spec.Targets) }

// ByTarget returns the prediction of each of several targets, in the order of [Model.Targets]; nil for a model of one target.
func (p *Prediction) ByTarget() (list []*Prediction) {
	for c := range p.spec.Targets {
		one := &Prediction{spec: p.spec.ofTarget(c)}
		for i := range p.Rows() {
			one.Decision = append(one.Decision, p.Decision[i*p.spec.Outputs+c])
		}
		list = append(list, one)
	}
	return list
}

// Labels are the predicted classes and the probabilities of the positive classes of several labels, row after row.
type Labels struct {
	Class       []string
	Probability []float64
}

// Labels returns the predictions of several labels, and nil for other models.
func (p *Prediction) Labels() *Labels {
	if p.spec.Task != Multilabel {
		return nil
	}
	list, n, rows := &Labels{}, p.spec.Outputs, p.Rows()
	list.Class, list.Probability = make([]string, n*rows), make([]float64, n*rows)
	for c, one := range p.ByTarget() {
		class, prob := one.Class(), one.Probability()
		for i := range rows {
			list.Class[i*n+c], list.Probability[i*n+c] = class[i], prob[i]
		}
	}
	return list
}

// TargetNames returns the names of the targets, if there are several.
func (p *Prediction) TargetNames() (names []string) {
	for _, t := range p.spec.Targets {
		names = append(names, t.Name)
	}
	return names
}

// byTarget returns what each of several targets is measured by: the rows that have it.
func (v *measured) byTarget() (list []*measured) {
	for c := range v.spec.Targets {
		t, one := known(v.Target, c), &measured{spec: v.spec.ofTarget(c), unit: 1}
		one.Target = t
		for i, y := range v.Each[c].Values {
			if !math.IsNaN(y) {
				one.z = append(one.z, v.z[i*v.spec.Outputs+c])
			}
		}
		list = append(list, one)
	}
	return list
}

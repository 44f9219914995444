package model

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"fsa/data"
	"fsa/data/kind"
	"fsa/loss"
)

// Prediction holds the predictions of a model for some rows.
type Prediction struct {
	// Decision holds the decision values, row after row.
	Decision []float64
	spec     *spec
}

// Predict reads all rows of r and returns their predictions.
func (m *Model) Predict(ctx context.Context, r data.Reader) (*Prediction, error) {
	s, err := m.Scorer(r.Schema())
	if err != nil {
		return nil, err
	}
	var all []float64
	for b, err := range data.Blocks(ctx, r) {
		if err != nil {
			return nil, err
		}
		z, err := s.Score(b)
		if err != nil {
			return nil, err
		}
		all = append(all, z...)
	}
	return m.Prediction(all), nil
}

// Prediction returns decision values as a prediction.
func (m *Model) Prediction(decision []float64) *Prediction {
	return &Prediction{Decision: decision, spec: &m.spec}
}

// Prediction returns out-of-fold decision values as a prediction, in the unit of the target.
func (r *Response) Prediction(decision []float64, calibrated bool, threshold float64) *Prediction {
	switch {
	case r.Kind.Link == loss.Exp || r.several != nil:
		decision = r.complete(decision)
	case r.unit != 1 || r.zero != 0 || r.Target.Offset != nil:
		decision = slices.Clone(r.complete(decision))
		r.restore(decision)
	}
	s := r.spec()
	s.Calibrated, s.Threshold = calibrated, threshold
	return &Prediction{Decision: decision, spec: s}
}

// Task returns the task of the model.
func (p *Prediction) Task() Task { return p.spec.Task }

// Outputs returns the number of decision values per row.
func (p *Prediction) Outputs() int { return p.spec.Outputs }

// Classes returns the names of the classes; the last of two is the positive one.
func (p *Prediction) Classes() []string { return slices.Clone(p.spec.Classes) }

// Rows returns the number of rows.
func (p *Prediction) Rows() int { return len(p.Decision) / p.spec.Outputs }

// Probability returns the probability of the positive class of each row or, if there are more than
// two classes, the probabilities of all classes, row after row. It is nil if the loss gives no
// probabilities.
func (p *Prediction) Probability() []float64 { return p.spec.probabilities(p.Decision) }

// Values returns the predicted numbers of a regression, row after row; nil for other tasks. They
// are the decision values or, for a loss with a link, what the link makes of them. If the link is unknown, they are nil; see
// [Model.WithLoss].
func (p *Prediction) Values() []float64 {
	if p.spec.Task != Regression {
		return nil
	}
	return p.spec.values(p.Decision)
}

// Class returns the name of the predicted class of each row, or nil if the model is not a
// classifier.
func (p *Prediction) Class() []string {
	if p.spec.Task != Classification {
		return nil
	}
	names := make([]string, p.Rows())
	for i, c := range p.spec.classes(p.Decision) {
		names[i] = p.spec.Classes[int(c)]
	}
	return names
}

// Metrics evaluates the prediction against a target. The target may lack some classes of the model,
// but must not have others.
func (p *Prediction) Metrics(t *data.Target) (map[string]float64, error) {
	if err := t.Check(p.Rows()); err != nil {
		return nil, err
	}
	encoded, err := p.spec.encode(t)
	if err != nil {
		return nil, err
	}
	return metrics(p.spec, encoded, p.Decision), nil
}

// Measures is [Prediction.Metrics] with all metrics that apply.
func (p *Prediction) Measures(t *data.Target) (map[string]float64, error) {
	if err := t.Check(p.Rows()); err != nil {
		return nil, err
	}
	encoded, err := p.spec.encode(t)
	if err != nil {
		return nil, err
	}
	return (&measured{encoded, p.spec, p.Decision, 1}).metrics(false), nil
}

// encode converts a target to the numbers that the loss of the model expects.
func (s *spec) encode(t *data.Target) (*data.Target, error) {
	if s.Targets != nil {
		return s.encodeTargets(t)
	}
	if t.Each != nil {
		return nil, &data.Error{Msg: fmt.Sprintf("there are %d targets, but the model predicts one: give --target with its column", len(t.Each))}
	}
	out := *t
	switch s.Task {
	case Ranking, Survival:
	case Classification:
		code := make(map[string]float64, len(s.Classes))
		for c, name := range s.Classes {
			code[name] = float64(c)
			if len(s.Classes) == 2 && s.Outputs == 1 {
				code[name] = float64(2*c - 1)
			}
		}
		out.Y = make([]float64, len(t.Y))
		for i, v := range t.Y {
			name := className(t, v)
			c, ok := code[name]
			if !ok {
				c, ok = code[kind.SameTruth(name, s.Classes)]
			}
			if !ok {
				return nil, &data.Error{Row: i + 1, Msg: fmt.Sprintf("the target is %q, but the classes of the model are %q", name, s.Classes)}
			}
			out.Y[i] = c
		}
		return &out, nil
	}
	if kind, _ := loss.Named(s.Loss); kind.Check != nil && t.Categories == nil {
		for i, y := range t.Y {
			if msg := kind.Check(y); msg != "" {
				return nil, &data.Error{Row: i + 1, Msg: fmt.Sprintf("the target is %v: %s", y, msg)}
			}
		}
	}
	if t.Categories != nil {
		return nil, &data.Error{Msg: fmt.Sprintf("the target is text (%q, …), but the model predicts numbers", t.Categories[0])}
	}
	return &out, nil
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

// classes returns the number of the predicted class of every row.
func (s *spec) classes(z []float64) []float64 {
	z, outputs := s.byClass(z)
	out := make([]float64, len(z)/outputs)
	for i := range out {
		row := z[i*outputs : (i+1)*outputs]
		if outputs == 1 {
			if row[0] > s.Threshold {
				out[i] = 1
			}
			continue
		}
		for c, v := range row {
			if v > row[int(out[i])] {
				out[i] = float64(c)
			}
		}
	}
	return out
}

// values returns the numbers that the decision values predict.
func (s *spec) values(z []float64) []float64 {
	link := s.link()
	switch {
	case s.unlinked():
		return nil
	case !link.Numbers():
		return s.inOrderOfQuantiles(z)
	}
	out := slices.Clone(z)
	if of, ok := s.given.(loss.Inverter); ok && link == loss.Own {
		for row := range slices.Chunk(out, s.Outputs) {
			of.Inverse(row)
		}
		return out
	}
	link.Apply(out)
	return out
}

// probabilities returns the probability of the positive class of each row or, if there are more
// than two classes, of each class, row after row. It is nil if the loss gives no probabilities.
func (s *spec) probabilities(z []float64) []float64 {
	kind, _ := loss.Named(s.Loss)
	link := kind.Link
	if s.Task != Classification {
		return nil
	}
	if !link.Probability() && s.Calibrated {
		link = loss.LogisticLink
	}
	if !link.Probability() {
		return nil
	}
	z, outputs := s.byClass(z)
	out := slices.Clone(z)
	for row := range slices.Chunk(out, outputs) {
		link.Apply(row)
	}
	return out
}

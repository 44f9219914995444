package model

import (
	"context"
	"fmt"
	"slices"

	"fsa/data"
	"fsa/data/kind"
	"fsa/loss"
)

// Prediction is what a model says of rows.
type Prediction struct {
	// Decision holds the decision values, row after row.
	Decision []float64
	spec     *spec
}

// Predict reads all rows of r and predicts them.
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

// Prediction returns out-of-fold decision values as a prediction, in the unit of the
// target.
func (r *Response) Prediction(decision []float64, calibrated bool, threshold float64) *Prediction {
	if r.unit != 1 {
		decision = slices.Clone(decision)
		for i := range decision {
			decision[i] *= r.unit
		}
	}
	s := r.spec()
	s.Calibrated, s.Threshold = calibrated, threshold
	return &Prediction{Decision: decision, spec: s}
}

// Task returns what is predicted.
func (p *Prediction) Task() Task { return p.spec.Task }

// Outputs returns the number of decision values of a row.
func (p *Prediction) Outputs() int { return p.spec.Outputs }

// Classes returns the names of the classes; the last of two is the positive one.
func (p *Prediction) Classes() []string { return slices.Clone(p.spec.Classes) }

// Rows returns the number of rows.
func (p *Prediction) Rows() int { return len(p.Decision) / p.spec.Outputs }

// Probability returns the probability of the positive class of every row, or
// with several classes the probability of each, row after row. It is nil where
// the loss does not give probabilities.
func (p *Prediction) Probability() []float64 { return p.spec.probabilities(p.Decision) }

// Class returns the name of the predicted class of every row, and nil where
// the model does not classify.
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

// Metrics measures the prediction against a target, which need not hold every
// class that the model knows, but none that it does not.
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

// Measures is [Prediction.Metrics] by all measures that apply.
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

// encode brings a target to the numbers that the model was learned with.
func (s *spec) encode(t *data.Target) (*data.Target, error) {
	out := *t
	switch s.Task {
	case Ranking:
	case Classification:
		code := make(map[string]float64, len(s.Classes))
		for c, name := range s.Classes {
			code[name] = float64(c)
			if s.Outputs == 1 {
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
				return nil, &data.Error{Row: i + 1, Msg: fmt.Sprintf("the response is %q, but the model knows the classes %q", name, s.Classes)}
			}
			out.Y[i] = c
		}
		return &out, nil
	}
	if t.Categories != nil {
		return nil, &data.Error{Msg: fmt.Sprintf("the target is text (%q, …), but the model predicts numbers", t.Categories[0])}
	}
	return &out, nil
}

// classes returns the number of the predicted class of every row.
func (s *spec) classes(z []float64) []float64 {
	out := make([]float64, len(z)/s.Outputs)
	for i := range out {
		row := z[i*s.Outputs : (i+1)*s.Outputs]
		if s.Outputs == 1 {
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

// probabilities returns the probability of the positive class of every row, or
// of each class, row after row; nil where the loss gives none.
func (s *spec) probabilities(z []float64) []float64 {
	kind, _ := loss.Named(s.Loss)
	if kind.Link == nil && s.Calibrated {
		kind, _ = loss.Named("logistic")
	}
	if kind.Link == nil {
		return nil
	}
	out := slices.Clone(z)
	for row := range slices.Chunk(out, s.Outputs) {
		kind.Link(row)
	}
	return out
}

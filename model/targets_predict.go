package model

import "slices"

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

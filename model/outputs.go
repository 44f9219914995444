package model

import (
	"math"
	"slices"
	"strconv"

	"fsa/loss"
)

// OutputNames returns the names of the decision values of a row, if it has several: the classes, the quantiles or the
// targets. A
// loss of the caller has numbers.
func (m *Model) OutputNames() []string { return m.spec.outputNames() }

// OutputNames returns the same as [Model.OutputNames].
func (p *Prediction) OutputNames() []string { return p.spec.outputNames() }

// Settings returns the parameters of the loss.
func (p *Prediction) Settings() loss.Settings { return p.spec.Settings }

func (s *spec) outputNames() (names []string) {
	switch {
	case s.Outputs == 1:
		return nil
	case s.Classes != nil:
		return slices.Clone(s.Classes)
	case s.Settings.Quantiles != nil:
		for _, q := range s.Settings.Quantiles {
			names = append(names, strconv.FormatFloat(q, 'g', -1, 64))
		}
		return names
	case s.Targets != nil:
		for _, t := range s.Targets {
			names = append(names, t.Name)
		}
		return names
	}
	for c := range s.Outputs {
		names = append(names, strconv.Itoa(c))
	}
	return names
}

// inOrderOfQuantiles sorts the decision values of each row, if they are those of several quantiles: quantiles do not
// cross, and the mean pinball loss can only fall (Chernozhukov, Fernández-Val and Galichon 2010).
func (s *spec) inOrderOfQuantiles(z []float64) []float64 {
	if s.Settings.Quantiles == nil {
		return z
	}
	z = slices.Clone(z)
	for row := range slices.Chunk(z, s.Outputs) {
		slices.Sort(row)
	}
	return z
}

// split returns what each output is measured by.
func (v *measured) split() []*measured {
	if v.spec.Targets != nil {
		return v.byTarget()
	}
	values := v.values()
	list := make([]*measured, v.spec.Outputs)
	for c := range list {
		s := *v.spec
		s.Outputs, s.Settings = 1, loss.Settings{Quantile: v.spec.Settings.Quantiles[c]}
		z := make([]float64, len(v.Y))
		for i := range z {
			z[i] = values[i*len(list)+c]
		}
		list[c] = &measured{v.Target, &s, z, v.unit}
	}
	return list
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

// mean returns the mean of a measure over the outputs for which it is defined.
func (v *measured) mean(of func(*measured) float64) float64 {
	sum, n := 0.0, 0.0
	for _, one := range v.split() {
		if x := of(one); !math.IsNaN(x) {
			sum, n = sum+x, n+1
		}
	}
	return sum / n
}

// byOutput adds measures of each output under their names.
func (v *measured) byOutput(to map[string]float64, measures []string) {
	names := v.spec.outputNames()
	for c, one := range v.split() {
		for _, name := range measures {
			if x := measureOf(name)(one); finite(x) {
				to[name+outputMark+names[c]] = x
			}
		}
	}
}

// outputMark stands between the name of a measure and that of an output.
const outputMark = "_"

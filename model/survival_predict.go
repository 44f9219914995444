package model

import (
	"math"
	"slices"
	"sort"
)

// Survival returns the probability that a row with each of the given log hazard ratios has no event
// until each of the times, row after row. It returns an error for a model with strata.
func (m *Model) Survival(risk, times []float64) ([]float64, error) {
	list := m.spec.Baselines
	switch {
	case m.spec.Task != Survival:
		return nil, optionError("survival probabilities need the cox loss, and this is a %s with the %s loss", m.spec.Task, m.spec.Loss)
	case len(list) != 1 || list[0].Stratum != "":
		return nil, optionError("the model has a baseline hazard for each stratum, but predict does not read strata: predict the risk alone, without times")
	}
	b := list[0]
	out := make([]float64, 0, len(risk)*len(times))
	for _, z := range risk {
		for _, at := range times {
			hazard := 0.0
			if i := sort.Search(len(b.Times), func(i int) bool { return b.Times[i] > at }); i > 0 {
				hazard = b.Hazard[i-1]
			}
			out = append(out, math.Exp(-hazard*math.Exp(min(z, largestRisk))))
		}
	}
	return out, nil
}

// Baselines returns the cumulative hazards of rows with a decision value of 0, for a survival
// model: one, or one per stratum.
func (m *Model) Baselines() []Baseline { return slices.Clone(m.spec.Baselines) }

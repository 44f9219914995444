package anneal

import "math"

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// mean accumulates a weighted mean, which is 0 without values.
type mean struct{ sum, weight float64 }

func (m *mean) add(sum, weight float64) {
	m.sum += sum
	m.weight += weight
}

func (m *mean) value() float64 {
	if m.weight == 0 {
		return 0
	}
	return m.sum / m.weight
}

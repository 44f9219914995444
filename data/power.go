package data

import (
	"math"

	"fsa/internal/matrix"
)

// power is the power of two of the unit in which the numbers of a column are stored: 2·exponent +
// 1. It is 0 if it has not been chosen yet, which means a unit of one for now.
type power int16

func powerOf(exponent int) power { return power(2*exponent + 1) }

func (p power) chosen() bool { return p != 0 }

func (p power) exponent() int { return int(p >> 1) }

func (p power) store(v float64) float32 {
	if p.exponent() == 0 { // the most common case, and much faster
		return float32(v)
	}
	return float32(p.inUnits(v))
}

// inUnits converts v to units of the power.
func (p power) inUnits(v float64) float64 { return math.Ldexp(v, -p.exponent()) }

// ofUnits converts v from units of the power.
func (p power) ofUnits(v float64) float64 {
	if e := p.exponent(); e != 0 {
		return math.Ldexp(v, e)
	}
	return v // the most common case, and much faster
}

// widen increases the unit, if necessary, for a number of the given size. It returns the factor
// that converts stored numbers to the new unit.
func (p *power) widen(size float64) float32 {
	if size == 0 || size != size || *p == powerOf(0) && size < 1<<matrix.WideExponent {
		return 1
	}
	need, old := math.Ilogb(size), *p
	if need-old.exponent() <= matrix.WideExponent && (old.chosen() || need >= -matrix.WideExponent) {
		*p = powerOf(old.exponent())
		return 1
	}
	*p = powerOf(need)
	if !old.chosen() { // only zeros are stored so far
		return 1
	}
	return float32(math.Ldexp(1, old.exponent()-need))
}

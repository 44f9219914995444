package data

import (
	"math"

	"fsa/internal/matrix"
)

// power is the power of two that the numbers of a column are stored in units of:
// 2·exponent + 1, or 0 while it is not chosen, which is one so far.
type power int16

func powerOf(exponent int) power { return power(2*exponent + 1) }

func (p power) chosen() bool { return p != 0 }

func (p power) exponent() int { return int(p >> 1) }

func (p power) store(v float64) float32 {
	if p.exponent() == 0 { // nearly always, and far quicker
		return float32(v)
	}
	return float32(p.inUnits(v))
}

// inUnits returns v in units of the power.
func (p power) inUnits(v float64) float64 { return math.Ldexp(v, -p.exponent()) }

// ofUnits returns what v units of the power are.
func (p power) ofUnits(v float64) float64 { return math.Ldexp(v, p.exponent()) }

// widen makes room for a number of the given size and returns the factor that
// brings what is stored already to the new unit.
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
	if !old.chosen() { // nothing but zeros is stored
		return 1
	}
	return float32(math.Ldexp(1, old.exponent()-need))
}

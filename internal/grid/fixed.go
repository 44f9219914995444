package grid

import (
	"math"
	"math/bits"
)

// unit is the step to which numbers are rounded so that their sum is the same in any order: a power
// of two, just so small that the sum of the expected number of values fits into 63 bits. If 256
// values are added, 54 bits are left for a value as large as the bound, which is about the
// precision of a float64.
type unit struct {
	per    float64 // number of units in 1
	broken bool    // a number to be added is not finite
}

// unitFor returns the unit for sums of count numbers, none of which is larger than bound. A bound
// may be too small by rounding errors.
func unitFor(bound float64, numbers int) unit {
	switch {
	case bound == 0:
		return unit{per: 1}
	case !(bound <= math.MaxFloat64):
		return unit{broken: true}
	}
	const slack = 1                     // bit for rounding errors
	large := math.Ilogb(bound) + 1      // a power of two above the bound
	many := bits.Len(uint(numbers - 1)) // and above the number of numbers
	return unit{per: math.Ldexp(1, min(62-slack-large-many, 1023))}
}

// add adds numbers to sums that are counted in units.
func (u unit) add(sums []int64, v []float64) {
	if u.broken {
		return
	}
	sums = sums[:len(v)]
	for i, x := range v {
		sums[i] += int64(math.RoundToEven(x * u.per))
	}
}

// value returns the number that a sum represents.
func (u unit) value(sum int64) float64 {
	if u.broken {
		return math.NaN()
	}
	return float64(sum) / u.per
}

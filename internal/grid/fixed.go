package grid

import (
	"math"
	"math/bits"
)

// unit is what numbers are counted in so that they add up to the same in any order: a power
// of two, so small that a sum of as many numbers as there will be just fits into 63 bits.
// There are 54 bits left for a number of the size of the bound where 256 are added, as many
// as a float64 has.
type unit struct {
	per    float64 // how many make 1
	broken bool    // what is to be added is not finite
}

// unitFor returns the unit for so many numbers, none of which is larger than bound. A
// bound may be too small by rounding errors.
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

// add adds numbers to sums of them.
func (u unit) add(sums []int64, v []float64) {
	if u.broken {
		return
	}
	sums = sums[:len(v)]
	for i, x := range v {
		sums[i] += int64(math.RoundToEven(x * u.per))
	}
}

// value returns the number that a sum stands for.
func (u unit) value(sum int64) float64 {
	if u.broken {
		return math.NaN()
	}
	return float64(sum) / u.per
}

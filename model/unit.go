package model

import (
	"math"
	"slices"

	"fsa/data"
	"fsa/loss"
)

// spread returns the median of the response and a robust standard deviation: the median distance
// from the median, scaled to the standard deviation of normal numbers. If most responses are equal,
// it is the mean distance.
func spread(t *data.Target) (middle, deviation float64) {
	counts := loss.Target{Weight: t.Weight}
	var y []float64
	for i, v := range t.Y {
		if counts.WeightOf(i) > 0 {
			y = append(y, v)
		}
	}
	if len(y) == 0 {
		return 0, 1
	}
	slices.Sort(y)
	sum := 0.0
	middle = y[len(y)/2]
	for i, v := range y {
		y[i] = math.Abs(v - middle)
		sum += y[i]
	}
	slices.Sort(y)
	const normal = 1.4826
	if s := normal * y[len(y)/2]; s > 0 {
		return middle, s
	}
	return middle, sum / float64(len(y))
}

// farFromZero is the distance of the responses from zero, in standard deviations, above which they are
// shifted before learning. At 10⁸ standard deviations sums of squares would lose all significant
// digits, and a step of the Huber loss covers only a few of them.
const farFromZero = 1 << 12

// centerResponse shifts a response that is far from zero: a constant belongs to the intercept, and the
// rest keeps all its digits.
func (r *Response) centerResponse(middle, deviation float64) {
	if !(math.Abs(middle) > farFromZero*deviation) {
		return
	}
	r.zero = middle
	t := *r.Target
	t.Y = make([]float64, len(r.Target.Y))
	for i, y := range r.Target.Y {
		t.Y[i] = y - middle
	}
	r.Target = &t
}

// Unit returns the unit in which a response is learned.
func (r *Response) Unit() float64 { return r.unit }

// complete adds the offsets of rows to their decision values, row after row. For a log link, it
// also converts them back to logarithms of the response, and for several numbers to their units.
func (r *Response) complete(z []float64) []float64 {
	log := r.Kind.Link == loss.Exp
	if r.Target.Offset == nil && !log && r.several == nil {
		return z
	}
	z = slices.Clone(z)
	if r.several != nil {
		r.several.restore(z)
		return z
	}
	offset := r.Target.Offset
	if log {
		offset = r.offset
		r.restore(z)
	}
	for i, o := range offset {
		z[i] += o
	}
	return z
}

// restore converts decision values back to the unit of the response.
func (r *Response) restore(z []float64) {
	for i := range z {
		z[i] = (z[i] + r.zero) * r.unit
	}
}

// fewDigits is the smallest standard deviation of the response, in units of the last place of its
// numbers, that does not indicate rounding in the table.
const fewDigits = 1 << 10

// Rounded returns the middle and the standard deviation of a numeric target. ok says that its
// numbers are so far from zero that too few digits are left to distinguish the responses.
func Rounded(t *data.Target) (middle, deviation float64, ok bool) {
	middle, deviation = spread(t)
	step := math.Nextafter(math.Abs(middle), math.Inf(1)) - math.Abs(middle)
	return middle, deviation, deviation > 0 && deviation < fewDigits*step
}

// limitUnit changes the unit of a response whose squares would overflow or underflow.
func (r *Response) limitUnit() {
	largest := 0.0
	for _, y := range r.Target.Y {
		largest = max(largest, math.Abs(y))
	}
	const extreme = 300 // squares then reach 2^±600; the limit of numbers is 2^±1022
	exponent := math.Ilogb(largest)
	if largest == 0 || max(exponent, -exponent) < extreme {
		return
	}
	r.unit = math.Ldexp(1, exponent)
	t := *r.Target
	t.Y = make([]float64, len(r.Target.Y))
	for i, y := range r.Target.Y {
		t.Y[i] = y / r.unit
	}
	if t.Offset != nil {
		t.Offset = make([]float64, len(t.Y))
		for i, o := range r.Target.Offset {
			t.Offset[i] = o / r.unit
		}
	}
	r.Target = &t
}

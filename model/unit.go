package model

import (
	"math"
	"slices"

	"fsa/data"
	"fsa/loss"
)

// spread returns the median of the response and a standard deviation that wild ones do not rule:
// the median distance from the median, in units of what that is of normal numbers. Where most
// responses are the same, it is the mean distance.
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

// far is how many standard deviations a response may be away from zero to be learned as it is.
// Sums of its squares have lost the digits that matter at 10⁸ of them, and a step of the Huber
// loss goes no further than some.
const far = 1 << 12

// approach moves the zero of a response that is far away from it: a constant belongs to the
// intercept, and what is left has all its digits.
func (r *Response) approach(middle, deviation float64) {
	if !(math.Abs(middle) > far*deviation) {
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

// complete adds the offsets of rows to their decision values, row after row. Of a log link, it also brings
// them back to logarithms of the response, which is not changed for learning.
func (r *Response) complete(z []float64) []float64 {
	log := r.Kind.Link == loss.Exp
	if r.Target.Offset == nil && !log {
		return z
	}
	z = slices.Clone(z)
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

// restore brings decision values back to the response itself.
func (r *Response) restore(z []float64) {
	for i := range z {
		z[i] = (z[i] + r.zero) * r.unit
	}
}

// fewDigits is how many of the smallest steps of a number near the response a standard deviation
// is at least: with fewer, the table has rounded the response.
const fewDigits = 1 << 10

// Rounded returns the middle and the standard deviation of a target of numbers so far from zero
// that they have few digits to tell responses apart: ok says that they are.
func Rounded(t *data.Target) (middle, deviation float64, ok bool) {
	middle, deviation = spread(t)
	step := math.Nextafter(math.Abs(middle), math.Inf(1)) - math.Abs(middle)
	return middle, deviation, deviation > 0 && deviation < fewDigits*step
}

// tame changes the unit of a response whose squares would leave the numbers.
func (r *Response) tame() {
	largest := 0.0
	for _, y := range r.Target.Y {
		largest = max(largest, math.Abs(y))
	}
	const extreme = 300 // squares reach twice as far, to 2^±600; numbers to 2^±1022
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

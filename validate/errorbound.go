package validate

import (
	"fmt"
	"math"
)

// The bounds in this file are on the expected number of false selections: low-probability
// variables, which are selected on a half sample with probability at most q/p, that are selected on
// at least a share cutoff of the half samples of complementary pairs (Shah and Samworth 2013).
// There are p variables, of which q are selected on a half sample on average. The bounds hold for
// any method. A noise variable that is selected no more often than an average one is a
// low-probability variable.
//
// Each bound makes stronger assumptions than the previous one about the distribution of the
// selection share of a low-probability variable, and is lower. A bound is NaN if it does not apply.

// BoundAny makes no assumption (their Theorem 1; Meinshausen and Bühlmann 2010). The cutoff
// must be above ½.
func BoundAny(q float64, p int, cutoff float64) float64 {
	theta := checkBound(q, p, cutoff)
	if !(cutoff > 0.5) {
		return math.NaN()
	}
	return theta * q / (2*cutoff - 1)
}

// BoundUnimodal assumes that the distribution of the share of pairs that select the variable in
// both halves is unimodal (their Theorem 2). It needs q/p ≤ 1/√3 and a cutoff of
// at least ½ + 1/pairs.
func BoundUnimodal(q float64, p int, cutoff float64, pairs int) float64 {
	theta := checkBound(q, p, cutoff)
	step := 1 / (2 * float64(pairs))
	switch {
	case pairs < 1 || theta > 1/math.Sqrt(3),
		cutoff < 0.5+2*step-1e-9, // tolerance for rounding
		!(cutoff > 0.5+min(theta*theta, step+0.75*theta*theta)):
		return math.NaN()
	case cutoff <= 0.75:
		return theta * q / (2 * (2*cutoff - 1 - step))
	}
	return theta * q * 4 * (1 - cutoff + step) / (1 + 2*step)
}

// BoundConcave assumes that the distribution of the share of pairs that select the variable in both halves is −½-concave,
// and that of the share of half samples −¼-concave (their equation 8). The paper finds that this often holds. It needs
// q/p below about ½.
func BoundConcave(q float64, p int, cutoff float64, pairs int) float64 {
	theta := checkBound(q, p, cutoff)
	if pairs < 1 {
		return math.NaN()
	}
	// A share is a multiple of one half sample; 0.6 of 100 is 60, not 61.
	halves := int(math.Ceil(cutoff*float64(2*pairs) - 1e-9))
	both := tail(theta*theta, halves-pairs, pairs, 2)
	single := tail(theta, halves, 2*pairs, 4)
	if bound := min(both, single); bound < 1 {
		return float64(p) * bound
	}
	return math.NaN()
}

// checkBound returns q/p.
func checkBound(q float64, p int, cutoff float64) float64 {
	if !(q >= 0 && q <= float64(p)) || !(cutoff > 0 && cutoff <= 1) {
		panic(fmt.Sprintf("validate: the bound of %v of %d variables at a cutoff of %v", q, p, cutoff))
	}
	return q / float64(p)
}

// tail returns the largest probability of at least t that a distribution on
// 0, 1, …, n can have whose mean is at most mean·n and which is r-concave with
// r = −1/power (their Appendix A.4). It is 1 where t is not beyond twice the mean.
//
// The extreme distributions are proportional to (a+i)^−power for i = 0, …, k, with the remaining probability at k+1. For
// each k, a ranges from the value with no probability at k+1 to the value at which k+1 continues the curve.
func tail(mean float64, t, n, power int) float64 {
	m := mean * float64(n)
	from := int(math.Ceil(2*m)) + 1
	if t < from || from > n {
		return 1
	}
	if m == 0 {
		return 0
	}
	// sums adds up the curve below t, all of it up to k, and i times it up to k,
	// relative to its value at 0.
	sums := func(a float64, k int) (below, all, first float64) {
		for i := range k + 1 {
			v, x := 1.0, a/(a+float64(i))
			for range power {
				v *= x
			}
			if i < t {
				below += v
			}
			all += v
			first += float64(i) * v
		}
		return
	}
	probability := func(a float64, k int) float64 {
		below, all, first := sums(a, k)
		end := float64(k + 1)
		return 1 - (end-m)*below/(end*all-first)
	}
	// full returns the a, below some other, where the curve up to k has the mean
	// m. The mean grows with a.
	full := func(k int, high float64) float64 {
		low := 0.0
		for range 60 {
			mid := (low + high) / 2
			if _, all, first := sums(mid, k); first/all > m {
				high = mid
			} else {
				low = mid
			}
		}
		return (low + high) / 2
	}
	start := max(from, t-1) // smaller k do not reach t
	best, upper := 0.0, full(start, 1e5)
	for k := start; k < n; k++ {
		lower := full(k+1, upper)
		best = max(best, highest(func(a float64) float64 { return probability(a, k) }, lower, upper))
		upper = lower
	}
	below, all, _ := sums(upper, n)
	return max(best, 1-below/all)
}

// highest returns the maximum of a unimodal function, by golden-section search.
func highest(f func(float64) float64, low, high float64) float64 {
	best := max(f(low), f(high))
	const golden = 0.6180339887498949
	a, b := high-golden*(high-low), low+golden*(high-low)
	fa, fb := f(a), f(b)
	for range 60 {
		best = max(best, fa, fb)
		if fa > fb {
			high, b, fb = b, a, fa
			a = high - golden*(high-low)
			fa = f(a)
		} else {
			low, a, fa = a, b, fb
			b = low + golden*(high-low)
			fb = f(b)
		}
	}
	return best
}

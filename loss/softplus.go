package loss

import (
	"math"

	"fsa/internal/portable"
)

// sigmoid returns p = 1/(1+exp(x)) and q = 1−p, both with full precision, and e = exp(−|x|). None
// of them overflows. The derivative of ln(1+exp(−x)), which is ln(1+e) + max(−x, 0), is −p.
func sigmoid(x float64) (p, q, e float64) {
	e = portable.Exp(-math.Abs(x))
	p = 1 / (1 + e)
	q = e * p
	if x > 0 {
		p, q = q, p
	}
	return p, q, e
}

// logSum is Σ w·ln(1+e), where 0 ≤ e ≤ 1. A logarithm takes as long as everything else in a row, so
// terms of equal weight are multiplied first: Σ ln(1+e) = ln(1+rest) with 1+rest = Π(1+e). Storing
// the product without its leading 1 keeps full precision if every e is tiny.
//
// It is used as a value, s = s.add(w, e), so that it stays in registers.
type logSum struct {
	sum  float64 // the terms before those in rest
	rest float64
	w    float64 // the weight of the terms in rest
}

func (s logSum) add(w, e float64) logSum {
	const full = 1e100 // any bound far below overflow and far above 1
	if w != s.w || s.rest > full {
		s = logSum{sum: s.total(), w: w}
	}
	s.rest += e * (1 + s.rest)
	return s
}

func (s logSum) total() float64 { return s.sum + s.w*math.Log1p(s.rest) }

// logs returns Σ w·ln(1+e); nil weights mean 1. Without weights there are four independent
// products, so that no multiplication waits for the one before it.
func logs(e, w []float64) float64 {
	var s logSum
	if w != nil {
		for i, v := range e {
			if w[i] != 0 { // a weight of 0 would end every product
				s = s.add(w[i], v)
			}
		}
		return s.total()
	}
	for ; len(e) >= 4; e = e[4:] {
		a, b := e[0]+e[1]+e[0]*e[1], e[2]+e[3]+e[2]*e[3]
		s = s.add(1, a+b+a*b)
	}
	for _, v := range e {
		s = s.add(1, v)
	}
	return s.total()
}

// logProduct is Σ w·ln x, where x > 0. Terms of equal weight are multiplied first, as in [logSum].
type logProduct struct {
	sum     float64 // the terms before those in product
	product float64
	w       float64 // the weight of the terms in product
}

func (s logProduct) times(w, x float64) logProduct {
	const full = 1e100
	if w != s.w || !(s.product < full && s.product > 1/full) || !(x < full && x > 1/full) {
		s = logProduct{s.total(), 1, w}
	}
	s.product *= x
	return s
}

func (s logProduct) total() float64 { return s.sum + s.w*math.Log(s.product) }

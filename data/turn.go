package data

import "fsa/internal/kernel"

// Turn is past.MulT(g, r) and then x.Mul(z, beta), with the same bits: the
// second use of one block of rows and the first of the next. Where both lie in
// memory row after row it does them at once, so that memory is read for the one
// while the processor works on the other. Done tells that this is the last use of
// past in this pass.
func Turn(x Rows, z, beta []float64, past Rows, g, r []float64, done bool) {
	if t, ok := x.(turner); ok && t.turn(z, beta, past, g, r, done) {
		return
	}
	past.MulT(g, r)
	x.Mul(z, beta)
}

// turner is Rows that can do both at once with some others.
type turner interface {
	// turn reports whether it did.
	turn(z, beta []float64, past Rows, g, r []float64, done bool) bool
}

func (s denseRows) turn(z, beta []float64, past Rows, g, r []float64, done bool) bool {
	p, ok := past.(denseRows)
	if !ok {
		return false
	}
	x, y := s.d.stretch(s.lo, s.hi), p.d.stretch(p.lo, p.hi)
	if x == nil || y == nil {
		return false
	}
	kernel.MulTMul(z, x, beta, g, y, r, done && kernel.MachineCaches().Evict(s.d.cols, 4*s.d.Cells()))
	return true
}

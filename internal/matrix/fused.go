package matrix

import "fsa/internal/kernel"

// MulTMul is the fused MulT of one block of rows and Mul of the next: past.MulT(g, r)
// and then x.Mul(z, beta), with the same bits. Where both blocks lie in memory row
// after row it does them at once, so that memory is read for the one while the
// processor works on the other. Done tells that this is the last use of past in this
// pass.
func MulTMul(x Rows, z, beta []float64, past Rows, g, r []float64, done bool) {
	if f, ok := x.(fused); ok && f.mulTMul(z, beta, past, g, r, done) {
		return
	}
	past.MulT(g, r)
	x.Mul(z, beta)
}

// fused is Rows that can do both at once with some others.
type fused interface {
	// mulTMul reports whether it did.
	mulTMul(z, beta []float64, past Rows, g, r []float64, done bool) bool
}

func (s denseRows) mulTMul(z, beta []float64, past Rows, g, r []float64, done bool) bool {
	p, ok := past.(denseRows)
	if !ok {
		return false
	}
	x, y := s.d.run(s.lo, s.hi), p.d.run(p.lo, p.hi)
	if x == nil || y == nil {
		return false
	}
	kernel.MulTMul(z, x, beta, g, y, r, done && kernel.MachineCaches().Evict(s.d.cols, 4*s.d.Cells()))
	return true
}

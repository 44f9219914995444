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

// fewRows is how many rows of a block are not worth being taken apart from the others.
const fewRows = 8

func (s denseRows) mulTMul(z, beta []float64, past Rows, g, r []float64, done bool) bool {
	p, ok := past.(denseRows)
	if !ok || s.d.cols == 0 {
		return false
	}
	evict := done && kernel.MachineCaches().Evict(s.d.cols, 4*s.d.Cells())
	for len(z) > 0 && len(r) > 0 { // once, unless a block lies in two chunks
		x, y := s.d.head(s.lo, s.hi), p.d.head(p.lo, p.hi)
		n := min(len(x), len(y))
		rows := n / s.d.cols
		if rows < fewRows && rows < min(len(z), len(r)) {
			break
		}
		kernel.MulTMul(z[:rows], x[:n], beta, g, y[:n], r[:rows], evict)
		s.lo, p.lo, z, r = s.lo+rows, p.lo+rows, z[rows:], r[rows:]
	}
	p.MulT(g, r)
	s.Mul(z, beta)
	return true
}

package matrix

import "fsa/internal/kernel"

// MulTMul is MulT of one block of rows fused with Mul of the next: past.MulT(g, r) and then
// x.Mul(z, beta), with the same bits. If both blocks are in memory row after row, it does both at
// once, so that one is read from memory while the processor works on the other. done says that past
// is not used again in this pass.
func MulTMul(x Rows, z, beta []float64, past Rows, g, r []float64, done bool) {
	if f, ok := x.(fused); ok && f.mulTMul(z, beta, past, g, r, done) {
		return
	}
	past.MulT(g, r)
	x.Mul(z, beta)
}

// fused is implemented by Rows that can do both at once with some other Rows.
type fused interface {
	// mulTMul reports whether it did both.
	mulTMul(z, beta []float64, past Rows, g, r []float64, done bool) bool
}

// fewRows is the number of rows of a block below which separating them from the others is not
// worthwhile.
const fewRows = 8

func (s denseRows) mulTMul(z, beta []float64, past Rows, g, r []float64, done bool) bool {
	p, ok := past.(denseRows)
	if !ok || s.d.cols == 0 {
		return false
	}
	evict := done && kernel.MachineCaches().Evict(s.d.cols, 4*s.d.Cells())
	for len(z) > 0 && len(r) > 0 { // one iteration, unless a block is in two chunks
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

package anneal_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"fsa/anneal"
)

// TestTheorem checks part (i) of Theorem (consist): with 0 < η < 1/‖X‖² on the
// sum for the squared loss, 4/‖X‖² for the logistic one, and without momentum,
// the loss F never rises once the support is fixed. The test checks the stronger lemma of its proof: one step lowers the
// loss by at least
//
//	F(β) − F(β′) ≥ ½(1/η − L)·‖β′ − β‖²,  L = ‖X‖² or ‖X‖²/4
func TestTheorem(t *testing.T) {
	for seed := range uint64(30) {
		rng := rand.New(rand.NewPCG(seed, 5))
		const rows = 40
		l := anneal.Uniform(5+rng.IntN(60), 1+rng.IntN(3), rng.IntN(2)) // often more columns than rows
		d := linear(seed, rows, l, spread(l, 0, 2), 1)
		bound := squaredNorm(d.X)
		if seed%2 == 1 {
			classified(d)
			bound /= 4
		}
		eta := (0.05 + 0.949*rng.Float64()) / bound // on the sum
		s := anneal.Settings{K: 1 + rng.IntN(4), Eta: eta * rows, Momentum: -1, Iterations: 60}
		var betas [][]float64
		s.Observe = func(e anneal.Epoch) {
			if e.Groups == s.K {
				betas = append(betas, slices.Clone(e.Beta))
			}
		}
		r := anneals(t, d, s)
		// Record i of tail is taken at betas[i-1], before its step.
		tail := r.Trace[len(r.Trace)-len(betas):]
		for i := 1; i+1 < len(tail); i++ {
			fall := rows * (tail[i].Loss - tail[i+1].Loss)
			var move float64
			for c := range betas[i] {
				d := betas[i][c] - betas[i-1][c]
				move += d * d
			}
			rounding := 1e-12 * rows * tail[i].Loss
			if least := (1/eta - bound) / 2 * move; !(fall >= least-rounding) || !(fall >= -rounding) {
				t.Fatalf("seed %d, epoch %d: the loss falls by %g, less than the bound %g", seed, tail[i].Epoch, fall, least)
			}
		}
		if len(tail) < s.Iterations/2 {
			t.Fatalf("seed %d: the support is fixed for %d epochs only", seed, len(tail))
		}
	}
}

// squaredNorm returns slightly more than ‖X‖₂², computed by power iteration.
func squaredNorm(x [][]float64) float64 {
	v := slices.Repeat([]float64{1}, len(x[0]))
	var last, now float64
	for range 10_000 {
		length := anneal.Norm(v)
		next := make([]float64, len(v))
		for _, row := range x {
			var z float64
			for j := range v {
				z += row[j] * v[j] / length
			}
			for j := range v {
				next[j] += z * row[j]
			}
		}
		v = next
		last, now = now, anneal.Norm(v)
		if now-last <= 1e-10*now {
			break
		}
	}
	return now * (1 + 1e-6)
}

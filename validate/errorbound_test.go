package validate

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The regression tests of R's package stabs print these bounds for p = 100 variables,
// a cutoff of 0.6 and 50 pairs, for q = 1 to 10: stabsel_parameters(cutoff =
// 0.6, q = q, p = 100, sampling.type = "SS", assumption = …), and "MB" for no
// assumption.
func TestGoldenBounds(t *testing.T) {
	unimodal := []float64{0.02631579, 0.1052632, 0.2368421, 0.4210526, 0.6578947, 0.9473684, 1.289474, 1.684211, 2.131579, 2.631579}
	concave := []float64{0.006971364, 0.03342845, 0.08691176, 0.1637231, 0.2605329, 0.3820466, 0.5295188, 0.7042719, 0.9077127, 1.141338}
	for i := range 10 {
		q := float64(i + 1)
		near(t, "no assumption", BoundAny(q, 100, 0.6), 0.05*q*q)
		if got := BoundUnimodal(q, 100, 0.6, 50); math.Abs(got/unimodal[i]-1) > 1e-6 {
			t.Errorf("unimodal, q = %v: %v, want %v", q, got, unimodal[i])
		}
		// The search of stabs ends up to 1e-4 before the end of its range, where the maximum is here, so its bounds are
		// slightly too low.
		if got := BoundConcave(q, 100, 0.6, 50); got/concave[i]-1 > 4e-3 || got < concave[i] {
			t.Errorf("concave, q = %v: %v, want %v", q, got, concave[i])
		}
	}
	// Beyond ¾: stabs prints 0.176 for q = 3 of p = 10 at 0.96.
	if got := BoundUnimodal(3, 10, 0.96, 50); math.Abs(got-0.176) > 6e-4 {
		t.Errorf("unimodal at 0.96: %v", got)
	}
	// And 0.174, 0.248, 0.196 and 0.219 for p = 200.
	for _, c := range []struct{ q, cutoff, want float64 }{{6, 0.6, 0.174}, {7, 0.6, 0.248}, {7, 0.62, 0.196}, {7, 0.61, 0.219}} {
		if got := BoundConcave(c.q, 200, c.cutoff, 50); math.Abs(got-c.want) > 6e-4 {
			t.Errorf("concave, q = %v, cutoff %v: %v, want %v", c.q, c.cutoff, got, c.want)
		}
	}
	// The maximum on 2001 points of each interval instead (Python, scipy).
	for q, want := range map[float64]float64{1: 0.0069934046568964625, 2: 0.03344989822063882, 5: 0.26053343071715807, 10: 1.1413394357853601} {
		if got := BoundConcave(q, 100, 0.6, 50); math.Abs(got/want-1) > 1e-9 {
			t.Errorf("concave, q = %v: %.17g, want %.17g", q, got, want)
		}
	}
}

func TestBoundsInOrder(t *testing.T) {
	for _, pairs := range []int{10, 50} {
		for q := 1.0; q <= 30; q += 3 {
			last := [3]float64{math.Inf(1), math.Inf(1), math.Inf(1)}
			for cutoff := 0.7; cutoff < 1; cutoff += 0.05 {
				now := [3]float64{BoundAny(q, 100, cutoff), BoundUnimodal(q, 100, cutoff, pairs), BoundConcave(q, 100, cutoff, pairs)}
				for i, b := range now {
					if !(b >= 0 && b <= last[i]+1e-12) || i > 0 && !(b <= now[i-1]) {
						t.Fatalf("q = %v, %d pairs: bounds %v at %v after %v", q, pairs, now, cutoff, last)
					}
				}
				last = now
			}
		}
	}
	if got := BoundConcave(0, 100, 0.6, 50); got != 0 {
		t.Errorf("%v false variables of none", got)
	}
}

// No r-concave distribution has a heavier tail than the bound.
func TestTailBounds(t *testing.T) {
	rng := rand.New(rand.NewPCG(seed, 11))
	for range 150 {
		n, power := 8+rng.IntN(40), []int{2, 4}[rng.IntN(2)]
		// f = g^−power is r-concave where g is convex.
		g := make([]float64, n+1)
		slope, at := -rng.Float64()*rng.Float64(), 0.1+3*rng.Float64()
		for i := range g {
			g[i] = max(at, 1e-3)
			slope += rng.ExpFloat64() * rng.Float64() / float64(n)
			at += slope
		}
		for i := 1; i < n; i++ {
			if g[i+1]-g[i] < g[i]-g[i-1] {
				g[i+1] = 2*g[i] - g[i-1] // the point at which the distribution was truncated
			}
		}
		f, total, mean := make([]float64, n+1), 0.0, 0.0
		for i := range f {
			f[i] = math.Pow(g[i], -float64(power))
			total += f[i]
			mean += float64(i) * f[i]
		}
		mean /= total
		beyond := 1.0
		for k := range n + 1 {
			if bound := tail(mean/float64(n), k, n, power); beyond > bound+1e-9 {
				t.Fatalf("P(X ≥ %d) = %v, bound %v, mean %v of %d, power %d (seed %d)", k, beyond, bound, mean, n, power, seed)
			}
			beyond -= f[k] / total
		}
	}
}

// A method that selects at random selects no more false variables than the bounds allow.
func TestBoundsHold(t *testing.T) {
	rng := rand.New(rand.NewPCG(seed, 12))
	const p, q, pairs, cutoff, tables = 50, 10, 20, 0.55, 400
	var found float64
	for range tables {
		var list [][]int
		for range 2 * pairs {
			list = append(list, rng.Perm(p)[:q])
		}
		for _, f := range Frequencies(list, p) {
			if f >= cutoff {
				found++
			}
		}
	}
	found /= tables
	for name, bound := range map[string]float64{
		"any": BoundAny(q, p, cutoff), "unimodal": BoundUnimodal(q, p, cutoff, pairs), "concave": BoundConcave(q, p, cutoff, pairs),
	} {
		if !(found <= bound) {
			t.Errorf("%s: %v false variables, bound %v (seed %d)", name, found, bound, seed)
		}
	}
}

func TestBoundsSayNothing(t *testing.T) {
	for name, got := range map[string]float64{
		"any at ½":               BoundAny(5, 100, 0.5),
		"unimodal at ½":          BoundUnimodal(5, 100, 0.5, 50),
		"unimodal below a pair":  BoundUnimodal(1, 100, 0.51, 50),
		"unimodal of too many":   BoundUnimodal(60, 100, 0.9, 50),
		"unimodal without pairs": BoundUnimodal(5, 100, 0.9, 0),
		"unimodal near ½":        BoundUnimodal(50, 100, 0.6, 50),
		"concave of too many":    BoundConcave(80, 100, 0.9, 50),
		"concave without pairs":  BoundConcave(5, 100, 0.9, 0),
	} {
		if got == got {
			t.Errorf("%s: %v, want NaN", name, got)
		}
	}
	for name, f := range map[string]func(){
		"more than all": func() { BoundAny(11, 10, 0.9) },
		"no cutoff":     func() { BoundConcave(1, 10, 0, 50) },
		"confidence":    func() { Agreement(selections, 10, 1) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			f()
		})
	}
}

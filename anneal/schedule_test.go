package anneal_test

import (
	"math"
	"math/big"
	"testing"

	"fsa/anneal"
)

// TestCost compares the predicted cost with the table of computation times for
// N^iter = 500. Its entries are a·MN + k·N·N^iter with a rounded, in the limit
// of many variables: so a is Passes less k·N^iter/M, for M large and k ≪ M.
func TestCost(t *testing.T) {
	const epochs, groups, k = 500, 1_000_000, 1000
	for mu, want := range map[float64]float64{0: 125, 1: 97, 10: 41, 100: 10, 300: 5, 1000: 2} {
		got := anneal.Passes(anneal.Inverse(mu), epochs, groups, k) - k*epochs/float64(groups)
		if math.Round(got) != want {
			t.Errorf("mu %g: %.2f passes, the paper has %g", mu, got, want)
		}
	}
}

// TestInverse compares the schedule with the fraction of eq. (invschedule),
// truncated without rounding.
func TestInverse(t *testing.T) {
	for _, mu := range []int64{0, 1, 10, 100, 300} {
		for _, n := range []int64{1, 2, 7, 100, 500} {
			for _, m := range []int64{10, 11, 160, 370, 1000, 31_337} {
				const k = 10
				s := anneal.Inverse(float64(mu))
				last := m
				for e := int64(1); e <= n; e++ {
					over := big.NewInt(max(0, n-2*e))
					over.Mul(over, big.NewInt(m-k))
					want := k + over.Quo(over, big.NewInt(2*e*mu+n)).Int64()
					got := int64(s(int(e), int(n), int(m), k))
					if got != want {
						t.Fatalf("mu %d, epoch %d of %d, %d groups: %d stay, want %d", mu, e, n, m, got, want)
					}
					if got > last {
						t.Fatalf("mu %d, epoch %d of %d: %d groups rise to %d", mu, e, n, last, got)
					}
					if 2*e >= n && got != k {
						t.Fatalf("mu %d, epoch %d of %d: %d groups, want %d from half time on", mu, e, n, got, k)
					}
					last = got
				}
			}
		}
	}
}

// TestFaster checks that a larger μ never keeps more groups after any epoch.
func TestFaster(t *testing.T) {
	slow := anneal.Inverse(0)
	for _, mu := range []float64{0.5, 3, 40, 1e6} {
		fast := anneal.Inverse(mu)
		for e := 1; e <= 500; e++ {
			if a, b := slow(e, 500, 5000, 20), fast(e, 500, 5000, 20); a < b {
				t.Fatalf("epoch %d: mu %g keeps %d, a smaller one %d", e, mu, b, a)
			}
		}
		slow = fast
	}
}

// unruly are schedules that violate their contract.
var unruly = map[string]anneal.Schedule{
	"rises":       func(e, _, groups, k int) int { return k + (groups-k)*(e%3)/2 },
	"below k":     func(_, _, _, k int) int { return k - 2 },
	"negative":    func(e, _, _, _ int) int { return -e },
	"above all":   func(_, _, groups, _ int) int { return 10 * groups },
	"never ends":  func(_, _, _, k int) int { return k + 3 },
	"sleeps long": func(e, epochs, groups, k int) int { return groups - (groups-k)*(e/epochs) },
}

func TestUnrulySchedules(t *testing.T) {
	const epochs, k = 20, 4
	l := anneal.Uniform(30, 1, 1)
	for name, s := range unruly {
		t.Run(name, func(t *testing.T) {
			r := anneals(t, linear(1, 50, l, spread(l, 3, 8), 0.1), anneal.Settings{K: k, Schedule: s, Iterations: epochs})
			alive, area := l.Groups(), 0
			for _, e := range r.Trace {
				area += alive
				if e.Groups > alive || e.Groups < k {
					t.Errorf("epoch %d: %d groups after %d, with K = %d", e.Epoch, e.Groups, alive, k)
				}
				alive = e.Groups
			}
			if len(r.Groups) != k || alive != k {
				t.Errorf("%d groups stay, and %d by the trace, want %d", len(r.Groups), alive, k)
			}
			// Passes applies the same bounds.
			if got, want := anneal.Passes(s, epochs, l.Groups(), k), float64(area)/float64(l.Groups()); got != want {
				t.Errorf("%g passes predicted, %g done", got, want)
			}
		})
	}
}

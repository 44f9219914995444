package anneal

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"fsa/internal/need"
)

// sorted is the simplest implementation of strongest.
func sorted(l Layout, beta []float64, must []bool, m int) []int {
	groups := make([]int, l.Groups())
	for j := range groups {
		groups[j] = j
	}
	strength := func(j int) float64 {
		if must != nil && must[j] {
			return math.Inf(1)
		}
		group := l.Of(beta, j)
		return Norm(group) / math.Sqrt(math.Sqrt(float64(len(group))))
	}
	slices.SortStableFunc(groups, func(a, b int) int { return cmp.Compare(strength(b), strength(a)) })
	return slices.Sorted(slices.Values(groups[:m]))
}

// pick calls strongest for the given groups.
func pick(l Layout, beta []float64, must []bool, m int) []int {
	st := local{layout: l, beta: beta, must: must, grad: slices.Clone(beta), trail: slices.Clone(beta)}
	return st.strongest(m)
}

// There may be more groups than coefficients.
func TestEmptyGroups(t *testing.T) {
	if got := pick(Grouped([]int{0, 0, 0, 1}, 0), []float64{1}, nil, 1); !slices.Equal(got, []int{2}) {
		t.Errorf("groups %v stay, want 2", got)
	}
}

// Weights are given by the original numbers of groups.
func TestWeight(t *testing.T) {
	st := local{layout: Uniform(3, 1, 0), beta: []float64{3, 2, 1}, alive: []int{0, 5, 7}, grad: make([]float64, 3), trail: make([]float64, 3)}
	st.Weight = func(group int) float64 { return []float64{1, 0, 0, 0, 0, 1, 0, 4}[group] }
	if got := st.strongest(2); !slices.Equal(got, []int{0, 2}) {
		t.Errorf("groups %v stay, want 0 and 2", got)
	}
}

func TestStrongest(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 0))
		free, offsets := rng.IntN(3), []int{0}
		for range 1 + rng.IntN(40) {
			offsets = append(offsets, offsets[len(offsets)-1]+1+rng.IntN(3))
		}
		l := Grouped(offsets, free)
		beta := make([]float64, l.Len())
		for i := range beta {
			beta[i] = float64(rng.IntN(5) - 2) // many ties
			if seed%2 == 0 {
				beta[i] = rng.NormFloat64()
			}
		}
		var must []bool
		forced := 0
		if seed%3 == 0 {
			must = make([]bool, l.Groups())
			for j := range must {
				must[j] = rng.IntN(4) == 0
				if must[j] {
					forced++
				}
			}
		}
		for m := max(1, forced); m <= l.Groups(); m++ {
			if got, want := pick(l, beta, must, m), sorted(l, beta, must, m); !slices.Equal(got, want) {
				t.Fatalf("seed %d: %d groups of %+v with %g, must stay %v: %v, want %v", seed, m, l, beta, must, got, want)
			}
		}
	}
}

// TestForcedBeatsAll checks that a forced group stays even if the squares of other coefficients overflow.
func TestForcedBeatsAll(t *testing.T) {
	beta := []float64{1e300, 1e300, math.Inf(1), 0, 0, 0}
	if got := pick(Uniform(3, 2, 0), beta, []bool{false, false, true}, 1); !slices.Equal(got, []int{2}) {
		t.Errorf("groups %v stay, want 2", got)
	}
}

// shapes are orders of the input. Some are hard for a selection algorithm with pivots at fixed positions.
func shapes(n int) map[string][]float64 {
	rng := rand.New(rand.NewPCG(24, 0))
	from := func(f func(i int) float64) []float64 {
		v := make([]float64, n)
		for i := range v {
			v[i] = f(i)
		}
		return v
	}
	return map[string][]float64{
		"random":       from(func(int) float64 { return rng.NormFloat64() }),
		"constant":     from(func(int) float64 { return 1 }),
		"two values":   from(func(int) float64 { return float64(rng.IntN(2)) }),
		"ascending":    from(func(i int) float64 { return float64(i) }),
		"descending":   from(func(i int) float64 { return float64(-i) }),
		"organ pipes":  from(func(i int) float64 { return float64(min(i, n-i)) }),
		"valley":       from(func(i int) float64 { return float64(max(i, n-i)) }),
		"turned":       from(func(i int) float64 { return float64((i + n/3) % n) }),
		"turned back":  from(func(i int) float64 { return -float64((i + n/3) % n) }),
		"sawtooth":     from(func(i int) float64 { return float64(i % 97) }),
		"median of 3":  medianKiller(n),
		"nearly equal": from(func(i int) float64 { return 1 + float64(i%2)*0x1p-52 }),
		"infinite":     from(func(i int) float64 { return math.Inf(i%3 - 1) }),
	}
}

// medianKiller returns the order that makes quicksort with the median of the
// first, middle and last element quadratic (Musser, "Introspective sorting and
// selection algorithms", 1997).
func medianKiller(n int) []float64 {
	v := make([]float64, n)
	half := n / 2
	for i := range half {
		if i%2 == 0 {
			v[i] = float64(i + 1)
		} else {
			v[i] = float64(half + i)
		}
		v[half+i] = float64(2 * (i + 1))
	}
	return v
}

func TestNthLargest(t *testing.T) {
	for _, n := range []int{1, 2, 3, 4, 5, 10, 101, 1000} {
		for name, v := range shapes(n) {
			want := slices.Clone(v)
			slices.SortFunc(want, func(a, b float64) int { return cmp.Compare(b, a) })
			for m := 1; m <= n; m += 1 + n/50 {
				if got := NthLargest(slices.Clone(v), m); got != want[m-1] {
					t.Fatalf("%s: number %d of %d is %g, want %g", name, m, n, got, want[m-1])
				}
			}
		}
	}
}

// TestNthLargestOfMany would take very long if the time were quadratic for one of these orders.
func TestNthLargestOfMany(t *testing.T) {
	need.Long(t)
	const n = 1_000_000
	for name, v := range shapes(n) {
		for _, m := range []int{1, n / 2, n} {
			x := slices.Clone(v)
			got := NthLargest(x, m)
			above, equal := 0, 0
			for _, y := range v {
				if y > got {
					above++
				} else if y == got {
					equal++
				}
			}
			if above >= m || above+equal < m {
				t.Errorf("%s: %g is called number %d of %d, but %d are larger and %d equal", name, got, m, n, above, equal)
			}
		}
	}
}

// FuzzStrongest reads a width, a number to keep, and then a byte for each
// coefficient, so that equal ones are common.
func FuzzStrongest(f *testing.F) {
	f.Add([]byte{1, 2, 5, 5, 5, 251, 0, 9})
	f.Add([]byte{3, 1, 1, 2, 3, 3, 2, 1, 0, 0, 255})
	f.Add([]byte{2, 9, 128, 127})
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) < 2 {
			return
		}
		width := 1 + int(b[0])%4
		groups := (len(b) - 2) / width
		if groups == 0 {
			return
		}
		m := 1 + int(b[1])%groups
		l := Uniform(groups, width, 1)
		beta := make([]float64, l.Len())
		must := make([]bool, groups)
		forced := 0
		for i := range groups * width {
			beta[i] = float64(int8(b[2+i]))
			if b[2+i] == 77 && forced < m && !must[i/width] {
				must[i/width] = true
				forced++
			}
		}
		got, want := pick(l, beta, must, m), sorted(l, beta, must, m)
		if !slices.Equal(got, want) {
			t.Fatalf("%d groups of width %d with %g, must stay %v: %v, want %v", m, width, beta, must, got, want)
		}
	})
}

func TestNorm(t *testing.T) {
	for _, c := range []struct {
		v    []float64
		want float64
	}{{nil, 0}, {[]float64{-3}, 3}, {[]float64{3, -4}, 5}, {[]float64{-1e-200}, 1e-200}} {
		if got := Norm(c.v); got != c.want {
			t.Errorf("Norm(%g) = %g, want %g", c.v, got, c.want)
		}
	}
}

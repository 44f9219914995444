package motion

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// TestLeading compares the iterative eigenvectors with the full decomposition, by the projector on
// their span, also for equal eigenvalues.
func TestLeading(t *testing.T) {
	const seed = 5
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	random := mat.NewSymDense(150, nil)
	for i := range 150 {
		for j := range i + 1 {
			random.SetSym(i, j, rng.NormFloat64()/40)
		}
	}
	parts := mat.NewSymDense(150, nil) // three equal parts: the largest eigenvalue three times
	for i := range 150 {
		for j := range i {
			if i%3 == j%3 {
				parts.SetSym(i, j, 1.0/49)
			}
		}
	}
	for name, a := range map[string]*mat.SymDense{"random": random, "parts": parts, "small": mat.NewSymDense(3, []float64{1, 0, 0, 0, 3, 0, 0, 0, 2})} {
		got, want := leading(a, 3), decompose(a, 3)
		if len(got) != 3 {
			t.Errorf("%s: %d vectors", name, len(got))
			continue
		}
		// Two spaces are the same if each vector of one is its own projection on the other.
		for _, v := range got {
			sum := 0.0
			for _, w := range want {
				d := floats.Dot(v, w)
				sum += d * d
			}
			if math.Abs(sum-1) > 1e-8 {
				t.Errorf("%s: a vector lies off the span by %g", name, 1-sum)
			}
		}
	}
}

// TestSpectral clusters two blocks with weak links between them.
func TestSpectral(t *testing.T) {
	const n = 40
	a := mat.NewSymDense(n, nil)
	truth := make(Labels, n)
	for i := range n {
		truth[i] = i % 2
		for j := range i {
			a.SetSym(i, j, 0.05)
			if i%2 == j%2 {
				a.SetSym(i, j, 1)
			}
		}
	}
	if wrong := Misclassified(spectral(a, 2), truth); wrong != 0 {
		t.Errorf("%d of %d points are in the wrong cluster", wrong, n)
	}
	empty := mat.NewSymDense(n, nil)
	if l := spectral(empty, 2); len(l) != n {
		t.Errorf("an affinity of zeros gives %d labels", len(l))
	}
}

func TestVelocities(t *testing.T) {
	s := &Sequence{Points: 1, Frames: 3, Track: [][]float64{{1, 2, 4, 8, 16, 32}}}
	want := []float64{-3, -6, -12, -24, 16, 32}
	if got := s.velocities()[0]; !floats.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// The nearest neighbours are those that sorting finds; of equal values the lower position comes
// first.
func TestLowest(t *testing.T) {
	const seed = 7
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	for n := 1; n < 40; n++ {
		v := make([]float64, n)
		for i := range v {
			v[i] = float64(rng.IntN(10))
		}
		skip := rng.IntN(n)
		var all []int
		for i := range v {
			if i != skip {
				all = append(all, i)
			}
		}
		slices.SortStableFunc(all, func(a, b int) int { return cmp.Compare(v[a], v[b]) })
		for k := 1; k <= n; k++ {
			if got := lowest(v, skip, k); !slices.Equal(got, all[:min(k, n-1)]) {
				t.Fatalf("%v without %d: the %d lowest are %v, want %v", v, skip, k, got, all[:min(k, n-1)])
			}
		}
	}
}

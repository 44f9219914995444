package motion

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestMisclassified(t *testing.T) {
	for _, c := range []struct {
		a, b Labels
		want int
	}{
		{Labels{0, 0, 1, 1}, Labels{1, 1, 0, 0}, 0},
		{Labels{0, 0, 1, 1}, Labels{0, 1, 0, 1}, 2},
		{Labels{0, 0, 0, 0}, Labels{0, 0, 0, 1}, 1},
		{Labels{0, 1, 2, 2}, Labels{2, 0, 1, 1}, 0},
		{Labels{0, 1, 2, 3}, Labels{0, 0, 0, 0}, 3},
	} {
		if got := Misclassified(c.a, c.b); got != c.want {
			t.Errorf("%v and %v: %d, want %d", c.a, c.b, got, c.want)
		}
	}
}

// TestMisclassifiedIsADistance checks the properties of a distance, on random labels.
func TestMisclassifiedIsADistance(t *testing.T) {
	const seed = 3
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	draw := func() Labels {
		l := make(Labels, 30)
		for i := range l {
			l[i] = rng.IntN(4)
		}
		return l
	}
	for range 200 {
		a, b, c := draw(), draw(), draw()
		if Misclassified(a, b) != Misclassified(b, a) {
			t.Errorf("not symmetric: %v %v", a, b)
		}
		if Misclassified(a, c) > Misclassified(a, b)+Misclassified(b, c) {
			t.Errorf("the triangle does not close: %v %v %v", a, b, c)
		}
		if Misclassified(a, a.canonical()) != 0 {
			t.Errorf("%v is not %v", a, a.canonical())
		}
		renamed := slices.Clone(a)
		for i := range renamed {
			renamed[i] = 3 - renamed[i]
		}
		if !slices.Equal(renamed.canonical(), a.canonical()) {
			t.Errorf("%v: names matter", a)
		}
	}
}

package motion

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestKernels: points of one motion prefer the same hypotheses.
func TestKernels(t *testing.T) {
	s := planar(25, 10)
	from := func() *sampler { return &sampler{rng: rand.New(rand.NewPCG(1, 2)), n: s.Points} }
	for name, k := range map[string]*kernel{"affine": affineKernel(s, from()), "flat": flatKernel(s.Track, from())} {
		a := k.affinity(0)
		var within, across []float64
		for i := range s.Points {
			for j := range i {
				if v := a.At(i, j); s.Truth[i] == s.Truth[j] {
					within = append(within, v)
				} else {
					across = append(across, v)
				}
			}
		}
		if median(within) < 1.3*median(across) {
			t.Errorf("%s: median overlap %.3f within motions, %.3f across", name, median(within), median(across))
		}
		few := k.affinity(5)
		for i := range s.Points {
			links := 0
			for j := range s.Points {
				if v := few.At(i, j); v > 0 {
					links++
					if v != a.At(i, j) {
						t.Errorf("%s: the link of %d and %d changed from %v to %v", name, i, j, a.At(i, j), v)
					}
				}
			}
			if links < 5 {
				t.Errorf("%s: point %d has %d links", name, i, links)
			}
		}
	}
}

// planar makes a sequence of two planes that shrink, grow and shift.
func planar(perMotion, frames int) *Sequence {
	rng := rand.New(rand.NewPCG(31, 0))
	s := &Sequence{Points: 2 * perMotion, Frames: frames, Motions: 2}
	for i := range s.Points {
		x, y := 100*rng.NormFloat64(), 100*rng.NormFloat64()
		m := i % 2
		var track []float64
		for f := range frames {
			scale := math.Pow([]float64{1.05, 0.97}[m], float64(f))
			track = append(track, scale*x+float64(3*f*(2*m-1)), y/scale)
		}
		s.Track, s.Truth = append(s.Track, track), append(s.Truth, m)
	}
	return s
}

// TestAffineMap takes points of a known map, and points on a line.
func TestAffineMap(t *testing.T) {
	s := &Sequence{Frames: 2, Track: [][]float64{{0, 0, 5, 6}, {1, 0, 7, 7}, {0, 1, 5, 9}, {2, 0, 9, 8}}}
	if a, want := affineMap(s, 0, []int{0, 1, 2}), [6]float64{2, 0, 5, 1, 3, 6}; a != want {
		t.Errorf("%v, want %v", a, want)
	}
	if a, want := affineMap(s, 0, []int{0, 1, 3}), [6]float64{1, 0, 5, 0, 1, 6}; a != want {
		t.Errorf("points on a line: %v, want the shift %v", a, want)
	}
}

func TestSampler(t *testing.T) {
	g := graph{{1, 2}, {0, 2}, {0, 1}, {4, 5}, {3, 5}, {3, 4}}
	s := &sampler{rng: rand.New(rand.NewPCG(1, 1)), graph: g, n: len(g)}
	at := make([]int, 3)
	for range 50 {
		s.draw(at)
		sorted := slices.Clone(at)
		slices.Sort(sorted)
		if !slices.Equal(sorted, []int{0, 1, 2}) && !slices.Equal(sorted, []int{3, 4, 5}) {
			t.Fatalf("drew %v", at)
		}
	}
}

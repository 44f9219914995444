package validate

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// Sets of classes have the requested coverage, and adaptive sets at least that, even if the probabilities are wrong.
func TestSetsCover(t *testing.T) {
	rng := rand.New(rand.NewPCG(seed, 32))
	const n, classes, tests, coverage = 400, 5, 20, 0.9
	draw := func() (p []float64, class int) {
		p = make([]float64, classes)
		for k := range p {
			p[k] = 2 * rng.NormFloat64()
		}
		right := slices.Clone(p)
		softmax(right)
		u := rng.Float64()
		for class = 0; class < classes-1 && u > right[class]; class++ {
			u -= right[class]
		}
		for k := range p {
			p[k] *= 3 // too extreme
		}
		softmax(p)
		return p, class
	}
	for _, adaptive := range []bool{false, true} {
		var held, total float64
		for range 200 {
			var p, y []float64
			for range n {
				row, c := draw()
				p, y = append(p, row...), append(y, float64(c))
			}
			s := NewClassSets(p, classes, y, nil, coverage, adaptive)
			for range tests {
				row, c := draw()
				set := s.Set(row)
				if len(set) == 0 || !slices.IsSorted(set) {
					t.Fatalf("set %v", set)
				}
				if slices.Contains(set, c) {
					held++
				}
				total++
			}
		}
		if share := held / total; share < coverage-0.02 || share > coverage+0.03 && !adaptive {
			t.Errorf("adaptive %v: coverage %v (seed %d)", adaptive, share, seed)
		}
	}
}

func TestSets(t *testing.T) {
	p := []float64{0.1, 0.6, 0.3}
	for _, c := range []struct {
		s    ClassSets
		want []int
	}{
		{ClassSets{Limit: 0.1}, []int{1}},                       // never empty
		{ClassSets{Limit: 0.7}, []int{1, 2}},                    // 1 − p ≤ 0.7
		{ClassSets{Limit: math.Inf(1)}, []int{0, 1, 2}},         // too few rows for a limit
		{ClassSets{Adaptive: true, Limit: 0.89}, []int{1}},      // 0.6, then 0.9, then 1
		{ClassSets{Adaptive: true, Limit: 0.91}, []int{1, 2}},   //
		{ClassSets{Adaptive: true, Limit: 1.1}, []int{0, 1, 2}}, //
	} {
		if got := c.s.Set(p); !slices.Equal(got, c.want) {
			t.Errorf("%+v allows %v, want %v", c.s, got, c.want)
		}
	}
	// A weight is equivalent to copies of a row.
	probabilities, y, w := []float64{.9, .1, .6, .4, .2, .8, .5, .5}, []float64{0, 1, 1, 0}, []float64{1, 3, 2, 4}
	var copies, labels []float64
	for i := range y {
		for range int(w[i]) {
			copies, labels = append(copies, probabilities[2*i:2*i+2]...), append(labels, y[i])
		}
	}
	for _, adaptive := range []bool{false, true} {
		a := NewClassSets(probabilities, 2, y, w, 0.6, adaptive)
		b := NewClassSets(copies, 2, labels, nil, 0.6, adaptive)
		if a != b {
			t.Errorf("%+v with weights, %+v with copies", a, b)
		}
	}
}

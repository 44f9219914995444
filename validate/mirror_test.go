package validate_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"fsa/validate"
)

// Two half samples, by hand: with offset 0.1 for each, the cutoff 3 has 5 positive statistics and no negative one, and
// (0 + 0.2)/5 ≤ 0.1; from 2 on there is a negative one. Variable 4 is confirmed once.
func TestDiscover(t *testing.T) {
	halves := [][]validate.Mirror{
		{{1, 5}, {2, 4}, {3, -2}, {6, 0}},
		{{1, 6}, {2, 3}, {4, 3.5}, {5, 1}},
	}
	d := validate.Discover(halves, 7, 0.1, 0.1, 0.5)
	if !slices.Equal(d.Variables, []int{1, 2, 4}) || !slices.Equal(d.Confirmed, []float64{0, 1, 1, 0, 0.5, 0, 0}) || d.Relevant != 2.5 {
		t.Errorf("%+v", d)
	}
	if d := validate.Discover(halves, 7, 0.1, 0.1, 0.6); !slices.Equal(d.Variables, []int{1, 2}) {
		t.Errorf("confirmed by most: %+v", d)
	}
	if d := validate.Discover(halves, 7, 0.17, 0.1, 0.5); !slices.Equal(d.Variables, []int{1, 2}) { // the inclusion rate of 4 is 1/6
		t.Errorf("at a rate of 0.17: %+v", d)
	}
	// The cutoff is 1, and the inclusion rates of variables 4 and 5 are 1/8. One of them is left out, the weaker one.
	if d := validate.Discover(halves, 7, 0.2, 0.1, 0.5); !slices.Equal(d.Variables, []int{1, 2, 4}) {
		t.Errorf("at a rate of 0.2: %+v", d)
	}
	halves[1][2].Value, halves[1][3].Value = 1, 3.5
	if d := validate.Discover(halves, 7, 0.2, 0.1, 0.5); !slices.Equal(d.Variables, []int{1, 2, 5}) {
		t.Errorf("of equal inclusion rates, the weaker variable is not left out: %+v", d)
	}
	if d := validate.Discover(halves, 7, 0.1, 1, 0.5); d.Variables != nil {
		t.Errorf("with an offset of 1: %+v", d)
	}
	if d := validate.Discover([][]validate.Mirror{nil, nil}, 7, 0.1, 0.1, 0.5); d.Variables != nil || d.Relevant != 0 {
		t.Errorf("without candidates: %+v", d)
	}
}

// If the sign of irrelevant variables is random, the mean share of them among the discoveries is at most the rate, and none
// are discovered if there are no others.
func TestDiscoverControls(t *testing.T) {
	const tables, halves, candidates, rate, offset, least = 200, 20, 100, 0.2, 0.1, 0.3
	for _, relevant := range []int{0, 15, 50} {
		rng := rand.New(rand.NewPCG(1, uint64(relevant)))
		var falseOnes, found float64
		for range tables {
			list := make([][]validate.Mirror, halves)
			for h := range list {
				for j := range candidates {
					v := rng.NormFloat64() * math.Abs(rng.NormFloat64())
					if j < relevant {
						v += 5
					}
					list[h] = append(list[h], validate.Mirror{Variable: j, Value: v})
				}
			}
			d := validate.Discover(list, candidates, rate, offset, least)
			wrong := 0.0
			for _, j := range d.Variables {
				if j >= relevant {
					wrong++
				}
			}
			falseOnes += wrong / max(float64(len(d.Variables)), 1) / tables
			found += (float64(len(d.Variables)) - wrong) / max(float64(relevant), 1) / tables
		}
		if falseOnes > rate || relevant > 0 && found < 0.9 {
			t.Errorf("%d relevant: share %v of false ones, %v found", relevant, falseOnes, found)
		}
	}
}

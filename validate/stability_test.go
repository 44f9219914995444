package validate

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

var selections = [][]int{{0, 1, 2}, {0, 1, 3}, {0, 2, 3, 5}, {0, 1}, {1, 2, 7}, {0, 1, 2, 9}}

func TestFrequencies(t *testing.T) {
	got := Frequencies([][]int{{0, 2}, {2}, {}, {2, 3}}, 5)
	if want := []float64{.25, 0, .75, .25, 0}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// In Python, with Z the 0/1 matrix of the selections, M = 6, d = 10:
//
//	p = Z.mean(0); kb = p.sum(); k = Z.sum(1); D = kb/d * (1 - kb/d)
//	phi = 1 - Z.var(axis=0, ddof=1).mean() / D
//	f = ((Z*p).mean(1) - k*kb/d**2 + phi/2*(2*k*kb/d**2 - k/d - kb/d + 1)) / D
//	v = 4/M**2 * ((f - f.mean())**2).sum()
//	phi - norm.ppf(.975)*sqrt(v), phi + norm.ppf(.975)*sqrt(v)
func TestGoldenAgreement(t *testing.T) {
	s := Agreement(selections, 10, 0.95)
	near(t, "index", s.Index, 7.0/19)
	near(t, "variance", s.Variance, 0.008968498250623706)
	near(t, "low", s.Low, 0.1828082386524836)
	near(t, "high", s.High, 0.5540338666106743)
	if s.Verdict() != "poor" {
		t.Errorf("it is %s", s.Verdict())
	}
}

func TestAgreementProperties(t *testing.T) {
	same := Agreement([][]int{{1, 5}, {1, 5}, {1, 5}}, 9, 0.9)
	if same != (Stability{1, 0, 1, 1}) || same.Verdict() != "excellent" {
		t.Errorf("equal selections have %+v", same)
	}
	for name, list := range map[string][][]int{
		"no selection": {}, "one selection": {{1}}, "nothing": {{}, {}, {}}, "all": {{0, 1, 2}, {2, 1, 0}},
	} {
		if s := Agreement(list, 3, 0.9); s.Index == s.Index || s.Variance == s.Variance || s.Verdict() != "" {
			t.Errorf("%s has %+v", name, s)
		}
	}
	// Neither the order of selections nor the names of variables matter.
	shuffled := slices.Clone(selections)
	slices.Reverse(shuffled)
	for i, list := range shuffled {
		shuffled[i] = nil
		for _, j := range list {
			shuffled[i] = append(shuffled[i], 9-j)
		}
	}
	near(t, "index of renamed variables", Agreement(shuffled, 10, 0.95).Index, 7.0/19)
	near(t, "variance of renamed variables", Agreement(shuffled, 10, 0.95).Variance, 0.008968498250623706)
}

// Random selections have an index of 0 on average, and the interval covers the limit for many selections.
func TestAgreementCovers(t *testing.T) {
	rng := rand.New(rand.NewPCG(seed, 10))
	chances := make([]float64, 40)
	for j := range chances {
		chances[j] = float64(j) / 50
	}
	drawn := func(n int) (list [][]int) {
		for range n {
			var s []int
			for j, p := range chances {
				if rng.Float64() < p {
					s = append(s, j)
				}
			}
			list = append(list, s)
		}
		return list
	}
	truth := Agreement(drawn(20000), 40, 0.9).Index
	covered := 0
	const tables = 400
	for range tables {
		if s := Agreement(drawn(50), 40, 0.9); s.Low <= truth && truth <= s.High {
			covered++
		}
	}
	// 90% ± 5 standard deviations.
	if share := float64(covered) / tables; share < 0.825 || share > 0.975 {
		t.Errorf("intervals of 90%% cover %v (seed %d)", share, seed)
	}
	var list [][]int
	for range 2000 {
		list = append(list, rng.Perm(50)[:7])
	}
	if s := Agreement(list, 50, 0.9); math.Abs(s.Index) > 0.005 {
		t.Errorf("index %v of random selections (seed %d)", s.Index, seed)
	}
}

func TestRivals(t *testing.T) {
	// 4 replaces 1 three times and 5 once, 0 is always selected, and 2 mostly occurs with 1.
	list := [][]int{{0, 1, 2}, {0, 1, 2}, {0, 1, 2}, {0, 4}, {4, 0}, {0, 5}, {0, 4, 2}}
	got := Rivals(list, 1)
	want := []Rival{{4, 0.75, 0}, {5, 0.25, 0}}
	if !slices.Equal(got, want) {
		t.Errorf("rivals of 1 are %v, want %v", got, want)
	}
	if got := Rivals(list, 0); got != nil {
		t.Errorf("a variable that is always selected has the rivals %v", got)
	}
	// The rivals of a variable that is never selected are all others, the most frequent first.
	if got := Rivals([][]int{{3, 2}, {3}}, 9); !slices.Equal(got, []Rival{{3, 1, 0}, {2, 0.5, 0}}) {
		t.Errorf("the rivals of a variable that is never selected are %v", got)
	}
}

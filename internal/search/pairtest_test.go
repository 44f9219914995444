package search

import (
	"math"
	"slices"
	"testing"

	"fsa/data"
)

// pairTested returns the test of the pairs of a table, given the fit of its first columns.
func pairTested(t *testing.T, c *cells, lossName string, knots int) *pairTest {
	t.Helper()
	s := c.sample(t, lossName)
	s.Data = c.dataset(t)
	fit, err := s.Learn(t.Context(), all(min(s.Groups.Count(), 6)), 1e-9, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	test, err := newPairTest(s, fit, knots)
	if err != nil {
		t.Fatal(err)
	}
	return test
}

// The statistics are those that numpy computes by least squares: the product is replaced by what its
// variables and their squares do not explain, and its score is compared with the sum of squared scores.
func TestPairStatistic(t *testing.T) {
	c := &cells{cols: 3}
	for i := range 60 {
		x := make([]float64, 3)
		for j := range x {
			x[j] = math.Sin(1.3*float64(i*(j+1))+float64(j)) + 0.3*math.Cos(float64(i*(j+2)))
		}
		c.x, c.y = append(c.x, x...), append(c.y, x[0]-0.5*x[1]+0.7*x[0]*x[1]+0.6*math.Sin(7.1*float64(i)))
	}
	test := pairTested(t, c, "squared", 0)
	if got := test.significant(1); !near(got, 5.731139, 1e-6) { // of one of three pairs with a probability of 0.05
		t.Errorf("a statistic of %v is significant", got)
	}
	for pair, want := range map[data.Interaction]float64{{0, 1}: 9.162407916709965, {0, 2}: 0.00024766525219478827, {1, 2}: 1.4316757330266328} {
		got, err := test.test(t.Context(), candidate{pair: pair, line: true})
		if err != nil {
			t.Fatal(err)
		}
		if v := got.statistic * test.significant(1); !near(v, want, 1e-5) {
			t.Errorf("pair %v: %v, want %v", pair, v, want)
		}
		if p := math.Erfc(math.Sqrt(want / 2)); !near(math.Exp(got.logP), p, 1e-5) {
			t.Errorf("pair %v: probability %v, want %v", pair, math.Exp(got.logP), p)
		}
	}
}

// The blocks cover every pair once, whatever the number of threads, and rows without a weight do not
// count.
func TestPairCandidates(t *testing.T) {
	c := normal(3, 120, 150, 0.2, 1, 1, 1).holdOut(4)
	for i := range c.y {
		c.y[i] += 3 * c.x[i*150+20] * c.x[i*150+140]
	}
	test := pairTested(t, c, "squared", 0)
	got, err := test.candidates(t.Context(), 20)
	if err != nil {
		t.Fatal(err)
	}
	var want []candidate
	for a := range 150 {
		for b := range a {
			var sum, squares float64
			x, _ := test.Data.Standardised(t.Context(), a)
			y, _ := test.Data.Standardised(t.Context(), b)
			for k, i := range test.rows {
				v := x[i] * y[i] * test.slope[k]
				sum, squares = sum+v, squares+v*v
			}
			if v := sum * sum / squares / test.significant(1); v > nearly {
				want = append(want, candidate{pair: data.Interaction{b, a}, statistic: v, line: true})
			}
		}
	}
	want = strongest(want, 20)
	if len(test.rows) != 90 || len(want) == 0 || len(got) != len(want) {
		t.Fatalf("%d rows, %d candidates, want %d", len(test.rows), len(got), len(want))
	}
	for k := range want {
		if got[k].pair != want[k].pair || !near(got[k].statistic, want[k].statistic, 1e-9) {
			t.Errorf("candidate %v, want %v", got[k], want[k])
		}
	}
	test.Threads = 3
	if again, err := test.candidates(t.Context(), 20); err != nil || !slices.Equal(again, got) {
		t.Errorf("with 3 threads: %v, want %v; %v", again, got, err)
	}
}

// A pair that was added explains nothing more.
func TestPairAdded(t *testing.T) {
	for _, lossName := range []string{"squared", "logistic"} {
		c := normal(4, 300, 6, 0, 0.5, 1, 1).of(lossName)
		for i := range c.y {
			if v := c.x[i*6+2] * c.x[i*6+3]; lossName == "squared" {
				c.y[i] += v
			} else if math.Abs(v) > 0.5 {
				c.y[i] = math.Copysign(1, v)
			}
		}
		test := pairTested(t, c, lossName, 0)
		before, err := test.test(t.Context(), candidate{pair: data.Interaction{2, 3}, line: true})
		if err != nil {
			t.Fatal(err)
		}
		test.add(before.columns)
		list, err := test.candidates(t.Context(), 20)
		if err != nil {
			t.Fatal(err)
		}
		if before.statistic < 1 || slices.ContainsFunc(list, func(c candidate) bool { return c.pair == data.Interaction{2, 3} }) {
			t.Errorf("%s: %v times the significant statistic, then %v", lossName, before.statistic, list)
		}
	}
}

// A number and a text whose categories have other slopes are a pair.
func TestPairOfText(t *testing.T) {
	c := normal(5, 400, 4, 0, 1)
	c.texts = 1
	for i := range c.y {
		level := i % 3
		c.x[i*4] = float64(level)
		c.y[i] += 2 * float64(level-1) * c.x[i*4+2]
	}
	test := pairTested(t, c, "squared", 0)
	list, err := test.candidates(t.Context(), 5)
	if err != nil {
		t.Fatal(err)
	}
	if len(list) == 0 || list[0].pair != (data.Interaction{2, 0}) {
		t.Fatalf("candidates %v", list)
	}
	texts, err := test.categories(t.Context())
	if err != nil || len(texts) != 1 || texts[0].significant != test.significant(texts[0].count-1) { // all but the slope in common
		t.Errorf("%d texts: %v", len(texts), err)
	}
	found, err := test.addBest(t.Context(), list, nil, 1)
	if err != nil || len(found) != 1 || found[0].Interaction != list[0].pair || len(test.added) != 2 { // a constant, and the slopes
		t.Errorf("found %v, %d columns, %v", found, len(test.added), err)
	}
}

// A pair raises the variables that it needs to its own strength; a variable that was dropped before
// cannot be raised.
func TestRaise(t *testing.T) {
	groups := []int{0, 1, 2, 7, 9}
	for _, c := range []struct {
		heredity Heredity
		parents  map[int][2]int
		want     []float64
	}{
		{Strong, map[int][2]int{7: {0, 1}, 9: {2, 4}}, []float64{5, 5, 4, 5, 4}},
		{Weak, map[int][2]int{7: {0, 1}, 9: {2, 4}}, []float64{5, 1, 4, 5, 4}},
		{Apart, nil, []float64{2, 1, 3, 5, 4}},
	} {
		strength := []float64{2, 1, 3, 5, 4}
		s := &Sample{heredity: c.heredity, parents: c.parents}
		if s.raise(strength, groups); !slices.Equal(strength, c.want) {
			t.Errorf("%s: %v, want %v", c.heredity, strength, c.want)
		}
	}
}

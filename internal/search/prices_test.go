package search

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"testing"
)

// priced returns the sample of a table whose columns have prices, with budgets.
func priced(t *testing.T, c *cells, prices []float64, budgets ...float64) *Sample {
	t.Helper()
	s := c.sample(t, "squared")
	s.Spending = &Spending{Item: map[int]int{}, Prices: prices, Budgets: budgets, Most: c.cols}
	for j := range c.cols {
		s.Spending.Item[j] = min(j, len(prices)-1)
	}
	if err := s.SetGroups(c.dataset(t), c.groups, c.force); err != nil {
		t.Fatal(err)
	}
	return s
}

// Prices are affordable up to the budget, but for rounding errors.
func TestBuys(t *testing.T) {
	for _, c := range []struct {
		prices      []float64
		sum, budget float64
		want        int
	}{
		{nil, 0, 1, 0}, {[]float64{1, 2, 3}, 0, 0.5, 0}, {[]float64{1, 2, 3}, 0, 1, 1}, {[]float64{1, 2, 3}, 0, 5.9, 2},
		{[]float64{1, 2, 3}, 0, 6, 3}, {[]float64{1, 2, 3}, 1, 4, 2}, {[]float64{0.1, 0.2}, 0, 0.3, 2}, {[]float64{0, 0}, 0, 0, 2},
	} {
		if got := Buys(c.prices, c.sum, c.budget); got != c.want {
			t.Errorf("%v of %v with %v: %d, not %d", c.sum, c.prices, c.budget, got, c.want)
		}
	}
	if Affordable(1+1e-8, 1) || !Affordable(1+1e-10, 1) {
		t.Error("rounding errors")
	}
}

// Groups have the prices of their items, each once, and leave if no budget allows them. Forced groups stay.
func TestSetPrices(t *testing.T) {
	table := normal(1, 30, 5, 0, 1)
	for name, c := range map[string]struct {
		groups  [][]string
		force   []string
		prices  []float64
		budgets []float64
		want    string // groups with prices, and forced ones
	}{
		"single":         {prices: []float64{1, 2, 3, 4, 5}, budgets: []float64{3, 6}, want: "[0]:1 [1]:2 [2]:3 [3]:4 [4]:5 []"},
		"too expensive":  {prices: []float64{1, 2, 3, 4, 5}, budgets: []float64{1, 2.5}, want: "[0]:1 [1]:2 []"},
		"at the limit":   {prices: []float64{1, 2, 3, 4, 5}, budgets: []float64{3}, want: "[0]:1 [1]:2 [2]:3 []"},
		"forced":         {force: []string{"x4"}, prices: []float64{1, 2, 3, 4, 5}, budgets: []float64{7}, want: "[0]:1 [1]:2 [4]:5 [2]"},
		"two forced":     {force: []string{"x3", "x1"}, prices: []float64{9, 2, 9, 4, 1}, budgets: []float64{7}, want: "[1]:2 [3]:4 [4]:1 [0 1]"},
		"groups":         {groups: [][]string{{"x0", "x3"}}, prices: []float64{1, 2, 3, 4, 5}, budgets: []float64{9}, want: "[0 3]:5 [1]:2 [2]:3 [4]:5 []"},
		"of one item":    {groups: [][]string{{"x1", "x4", "x0"}}, prices: []float64{1, 2}, budgets: []float64{9}, want: "[1 4 0]:3 [2]:2 [3]:2 []"},
		"no budgets yet": {prices: []float64{1, 2, 3, 4, 500}, want: "[0]:1 [1]:2 [2]:3 [3]:4 [4]:500 []"},
	} {
		of := *table
		of.groups, of.force = c.groups, c.force
		s := priced(t, &of, c.prices, c.budgets...)
		got := ""
		for g := range s.Groups.Count() {
			got += fmt.Sprintf("%v:%v ", s.Groups.Of(g), s.Price([]int{g}))
		}
		if got += fmt.Sprint(s.Force); got != c.want {
			t.Errorf("%s: %s, not %s", name, got, c.want)
		}
	}
	s := priced(t, table, []float64{1, 2, 3, 4, 5}, 9)
	if s.Force = []int{1}; s.Price([]int{0, 2, 4}) != 9 || !slices.Equal(s.Unforced(), []float64{1, 3, 4, 5}) {
		t.Errorf("%v, %v", s.Price([]int{0, 2, 4}), s.Unforced())
	}
	s.prices = []float64{5, 4, 1, 3, 2}
	if !slices.Equal(s.Unforced(), []float64{1, 2, 3, 5}) {
		t.Errorf("%v", s.Unforced())
	}
	if s = table.sample(t, "squared"); s.Price([]int{0, 1}) != 0 || s.Unforced() != nil {
		t.Error("without prices")
	}
}

// The weakest per price are dropped, and free groups last.
func TestStrengthWeight(t *testing.T) {
	table := normal(1, 30, 3, 0, 1)
	for name, c := range map[string]struct{ prices, want []float64 }{
		"prices": {[]float64{1, 4, 16}, []float64{1, 0.5, 0.25}},
		"free":   {[]float64{4, 0, 9}, []float64{0.5, 500, 1. / 3}},
		"all":    {[]float64{0, 0, 0}, []float64{1, 1, 1}},
	} {
		s := priced(t, table, c.prices, 99)
		weight := s.strengthWeight()
		for g, want := range c.want {
			if got := weight(g) / s.groupWeight(g); !near(got, want, 1e-12) {
				t.Errorf("%s: %v for group %d, not %v", name, got, g, want)
			}
		}
	}
}

// The bounds of the numbers of groups are those that the budgets allow, with as many again to fill gaps.
func TestCounts(t *testing.T) {
	table := normal(1, 30, 5, 0, 1)
	for name, c := range map[string]struct {
		force     []string
		prices    []float64
		low, high int
		most      int
		want      [2]int
	}{
		"from the first":  {nil, []float64{1, 2, 3, 4, 5}, 1, 3, 5, [2]int{1, 5}},
		"the last":        {nil, []float64{1, 2, 3, 4, 5}, 3, 3, 5, [2]int{2, 5}},
		"the second":      {nil, []float64{1, 2, 3, 4, 5}, 2, 2, 5, [2]int{1, 4}},
		"at most one":     {nil, []float64{1, 2, 3, 4, 5}, 1, 3, 1, [2]int{1, 2}},
		"none":            {nil, []float64{1, 2, 3, 4, 5}, 0, 0, 5, [2]int{0, 0}},
		"forced":          {[]string{"x0"}, []float64{1, 2, 3, 4, 5}, 3, 3, 5, [2]int{3, 5}},
		"forced beyond":   {[]string{"x0", "x1"}, []float64{1, 1, 5, 5, 5}, 2, 2, 1, [2]int{2, 4}},
		"all affordable":  {nil, []float64{1, 1, 1, 1, 1}, 3, 3, 5, [2]int{5, 5}},
		"least in budget": {nil, []float64{1, 1, 1, 1, 1}, 2, 3, 5, [2]int{3, 5}},
	} {
		of := *table
		of.force = c.force
		s := priced(t, &of, c.prices, 1, 3, 10)
		s.Spending.Most = c.most
		if least, most := s.counts(c.low, c.high); [2]int{least, most} != c.want {
			t.Errorf("%s: %d to %d, not %v", name, least, most, c.want)
		}
	}
}

// With a budget, the groups that a descent dropped last are taken, each that the rest of the money allows.
func TestAffordableSets(t *testing.T) {
	s := priced(t, normal(1, 30, 4, 0, 1), []float64{4, 1, 3, 2}, 2, 4, 5, 10)
	p := &path{Sample: s, sets: map[int][]int{1: {2}, 2: {0, 2}, 4: {0, 1, 2, 3}}}
	for size, want := range [][]int{nil, {1}, {1, 2}, {1, 2}, {0, 1, 2, 3}} {
		if size == 0 {
			continue
		}
		for range 2 { // the second time from memory
			if got := p.set(size); !slices.Equal(got, want) {
				t.Errorf("budget %v: %v, not %v", s.Spending.Budgets[size-1], got, want)
			}
		}
	}
	if got := p.fetched(); len(got) != 4 || !slices.Equal(got[0], []int{1}) || !slices.Equal(got[3], []int{0, 1, 2, 3}) {
		t.Errorf("fetched %v", got)
	}
	p = &path{Sample: s, sets: p.sets, below: 1} // more sets will be known
	if p.set(4); p.bought != nil || len(p.fetched()) != 3 {
		t.Errorf("%v is remembered, %v fetched", p.bought, p.fetched())
	}
	s.Spending.Most, s.Force, p.below = 2, []int{3}, 0
	if got := p.set(4); !slices.Equal(got, []int{2, 3}) {
		t.Errorf("two, one forced: %v", got)
	}
}

// A move drops what it has to, adds a group, and buys others with the money that is left.
func TestMove(t *testing.T) {
	s := priced(t, normal(1, 30, 6, 0, 1), []float64{1, 2, 3, 4, 1, 2}, 6)
	m := &market{
		Sample: s, groups: []int{0, 1}, budget: 6, outside: []int{2, 3, 4}, gains: []float64{0, 0, 9, 8, 7, 0},
		chosen: []int{1, 0}, worth: []float64{3, 5}, cheap: []int{0, 1}, // the second group is worth least, also per price
	}
	for name, c := range map[string]struct {
		most   int
		budget float64
		in     int
		out    []int
		want   string
	}{
		"enough money":         {9, 6, 2, nil, "[0 1 2] 9"},
		"to the last coin":     {9, 7, 2, nil, "[0 1 2 4] 16"},
		"more for the rest":    {9, 6, 4, nil, "[0 1 4] 7"},
		"one has to go":        {9, 6, 3, nil, "[0 3 4] 12"},
		"another one":          {9, 6, 2, []int{1}, "[1 2 4] 11"},
		"both":                 {9, 6, 2, []int{1, 0}, "[2 4] 8"},
		"too expensive":        {9, 2, 2, nil, "[]"},
		"only with all gone":   {9, 3, 2, nil, "[2] 1"},
		"no more than two":     {2, 9, 2, nil, "[0 2] 6"},
		"none may be selected": {0, 9, 2, nil, "[]"},
	} {
		s.Spending.Most, m.budget = c.most, c.budget
		to, ok := m.move(c.in, c.out...)
		got := "[]"
		if ok {
			got = fmt.Sprint(to.groups, " ", to.gain)
		}
		if got != c.want {
			t.Errorf("%s: %s, not %s", name, got, c.want)
		}
	}
	if !slices.Equal(m.groups, []int{0, 1}) {
		t.Errorf("the selection has become %v", m.groups)
	}
}

// Exchange finds nearly the best selection within a budget, keeps the budget and forced groups, and never makes it worse.
func TestExchange(t *testing.T) {
	const cols, budget, ridge = 8, 9.0, 0.01
	prices := []float64{3, 1, 2, 5, 4, 2, 0, 3}
	for _, forced := range []bool{false, true} {
		best := 0
		for seed := range uint64(6) {
			c := normal(seed, 120, cols, 0.6, 1, 1, -1, 1, 2, -1, 0.5)
			if forced {
				c.force = []string{"x7"}
			}
			s := priced(t, c, prices, 5, budget)
			s.Spending.Most = 4
			least := math.Inf(1)
			for set := range uint(1) << cols {
				groups := []int{} // nil would be all groups
				for g := range cols {
					if set>>g&1 == 1 {
						groups = append(groups, g)
					}
				}
				if bits.OnesCount(set) <= 4 && Affordable(s.Price(groups), budget) && (!forced || slices.Contains(groups, 7)) {
					least = min(least, optimum(t, s, groups, ridge))
				}
			}
			from := []int{1, 7}
			before := optimum(t, s, from, ridge)
			for _, detours := range []bool{false, true} {
				groups, err := s.swap(t.Context(), from, Swaps{Ridge: ridge, Gain: 1e-4, Detours: detours}, 2)
				if err != nil {
					t.Fatal(err)
				}
				after := optimum(t, s, groups, ridge)
				if !Affordable(s.Price(groups), budget) || len(groups) > 4 || forced && !slices.Contains(groups, 7) || !slices.IsSorted(groups) || after > before {
					t.Errorf("seed %d, forced %v: %v for %v, with %v after %v", seed, forced, groups, s.Price(groups), after, before)
				}
				if before = after; after <= least*(1+1e-9) {
					best++
				}
			}
		}
		if best < 11 {
			t.Errorf("forced %v: %d of 12 are the best ones", forced, best)
		}
	}
	// From nothing, too, and without a gain that is too small.
	s := priced(t, normal(1, 120, cols, 0.6, 1, 1, -1, 1, 2, -1, 0.5), prices, 5, budget)
	for gain, want := range map[float64]bool{1e-4: true, 0.9: false} {
		groups, err := s.swap(t.Context(), []int{}, Swaps{Ridge: ridge, Gain: gain}, 2)
		if err != nil || len(groups) > 0 != want {
			t.Errorf("with gains of %v: %v, %v", gain, groups, err)
		}
	}
}

// A run with budgets keeps the budget of its size.
func TestRunsWithinBudgets(t *testing.T) {
	c := normal(3, 150, 12, 0.3, 1, 1, -1, 1, 1, -1)
	s := priced(t, c, []float64{3, 1, 2, 5, 4, 2, 1, 1, 1, 1, 1, 1}, 2, 5, 9)
	for size := 1; size <= 3; size++ {
		for _, swaps := range []Swaps{{}, {Ridge: 0.01, Gain: 1e-4}} {
			r := annealed(descent(s), 0.001)
			r.Swaps = swaps
			f := ran(t, s, []int{1, 2, 3}, r, size)
			if price := s.Price(f.Groups); !Affordable(price, s.Spending.Budgets[size-1]) || len(f.Groups) == 0 {
				t.Errorf("%v for %v", f.Groups, price)
			}
			if size == 3 && len(f.Groups) <= size { // a size is a budget, not a number of groups
				t.Errorf("%v within the largest budget", f.Groups)
			}
		}
	}
}

package plan

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"fsa/internal/search"
)

// priced gives the groups of a table prices, ascending.
func priced(prices ...float64) func(*Facts) {
	return func(f *Facts) {
		cols(len(prices))(f)
		f.Prices, f.Capacity = prices, len(prices)
	}
}

// forced lets groups of a total price be selected besides those with prices.
func forced(n int, price float64) func(*Facts) {
	return func(f *Facts) { f.Forced, f.ForcedPrice, f.Groups, f.Capacity = n, price, f.Groups+n, f.Capacity+n }
}

// The plan sets the budgets to compare, and about how many groups each buys.
func TestBudgets(t *testing.T) {
	for name, c := range map[string]struct {
		given   []float64
		quick   bool
		f       Facts
		budgets []float64
		sizes   []int // first and last
		terms   []int // of the budgets
		said    string
	}{
		"one": {
			given: []float64{5}, f: table(priced(1, 2, 3, 4)), sizes: []int{1, 10}, said: "5",
			budgets: []float64{0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5}, terms: []int{1, 1, 1, 1, 1, 1, 1, 1, 1, 2},
		},
		"one, quick": {
			given: []float64{5}, quick: true, f: table(priced(1, 2, 3, 4)), sizes: []int{10, 10}, said: "5",
			budgets: []float64{0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5}, terms: []int{1, 1, 1, 1, 1, 1, 1, 1, 1, 2},
		},
		"one, forced": {
			given: []float64{5}, f: table(priced(1, 2, 3, 4), forced(1, 2)), sizes: []int{1, 6}, said: "5",
			budgets: []float64{2.5, 3, 3.5, 4, 4.5, 5}, terms: []int{1, 1, 1, 1, 2, 2},
		},
		"several": {
			given: []float64{9, 5, 5, 7}, f: table(priced(1, 2, 3, 4)), sizes: []int{0, 3}, said: "up to 9",
			budgets: []float64{5, 7, 9}, terms: []int{2, 2, 3},
		},
		"several, forced": {
			given: []float64{5, 9}, f: table(priced(1, 2, 3, 4), forced(2, 1)), sizes: []int{1, 2}, said: "up to 9",
			budgets: []float64{5, 9}, terms: []int{3, 5},
		},
		"open": {
			f: table(priced(1, 2, 3, 4)), sizes: []int{0, 10}, said: "up to 10",
			budgets: []float64{1, 1.3, 1.7, 2.2, 2.8, 3.6, 4.7, 6, 7.8, 10}, terms: []int{1, 1, 1, 1, 1, 1, 1, 2, 3, 4},
		},
		"open, few rows": { // three groups, the most expensive ones
			f: table(priced(1, 2, 30, 400), rows(7)), sizes: []int{0, 10}, said: "up to 432",
			budgets: []float64{1, 2, 3.9, 7.6, 15, 30, 58, 120, 230, 432}, terms: []int{1, 1, 1, 1, 1, 1, 1, 1, 2, 3},
		},
		"open, some free": {
			f: table(priced(0, 0, 10)), sizes: []int{0, 1}, said: "up to 10",
			budgets: []float64{10}, terms: []int{3},
		},
		"open, all free": {
			f: table(priced(0, 0)), sizes: []int{0, 1}, said: "up to 0",
			budgets: []float64{0}, terms: []int{2},
		},
		"open, forced": {
			f: table(priced(2, 6), forced(1, 2)), sizes: []int{1, 10}, said: "up to 10",
			budgets: []float64{4, 4.5, 5, 5.5, 6.1, 6.7, 7.4, 8.2, 9.1, 10}, terms: []int{1, 1, 1, 1, 2, 2, 2, 2, 2, 3},
		},
	} {
		p := New(Request{Priced: true, Budgets: c.given, Quick: c.quick, Rule: "paired"}, c.f)
		if !slices.EqualFunc(p.Budgets, c.budgets, func(a, b float64) bool { return math.Abs(a-b) < 1e-9 }) || value(p, "budget") != c.said {
			t.Errorf("%s: budgets %v (%s), not %v", name, p.Budgets, value(p, "budget"), c.budgets)
			continue
		}
		if got := []int{p.Sizes[0], p.Sizes[len(p.Sizes)-1]}; !slices.Equal(got, c.sizes) || p.Size != len(c.budgets) || !c.quick && len(p.Sizes) != c.sizes[1]-c.sizes[0]+1 {
			t.Errorf("%s: size %d of %v, not from %v", name, p.Size, p.Sizes, c.sizes)
		}
		if p.Open != (len(c.given) != 1) || p.Contest == c.quick || p.Recipe.Direct || p.Refine {
			t.Errorf("%s: open %v, contest %v, direct %v, refine %v", name, p.Open, p.Contest, p.Recipe.Direct, p.Refine)
		}
		for i, want := range c.terms {
			if p.Terms(i+1) != want || p.Budget(i+1) != p.Budgets[i] {
				t.Errorf("%s: about %d groups for %v, not %d", name, p.Terms(i+1), p.Budget(i+1), want)
			}
		}
		if p.Terms(0) != 0 || p.Budget(0) != 0 {
			t.Errorf("%s: the null model has %d groups for %v", name, p.Terms(0), p.Budget(0))
		}
	}
	if p := New(Request{K: 7}, table()); p.Terms(7) != 7 || p.Budget(7) != 0 {
		t.Errorf("without prices: %d groups for %v", p.Terms(7), p.Budget(7))
	}
}

// What the rows, the solver and the quotas allow limits the number of groups that a budget buys.
func TestMostPriced(t *testing.T) {
	for name, c := range map[string]struct {
		f    Facts
		want int
	}{
		"all":         {table(func(f *Facts) { f.Capacity = 50 }), 50},
		"few rows":    {table(rows(9), func(f *Facts) { f.Capacity = 50 }), 4},
		"one row":     {table(rows(1), func(f *Facts) { f.Capacity = 50 }), 1},
		"forced":      {table(rows(9), func(f *Facts) { f.Capacity, f.Forced = 50, 7 }), 7},
		"quotas":      {table(func(f *Facts) { f.Capacity = 6 }), 6},
		"solver":      {table(cols(5000), rows(100000), func(f *Facts) { f.Capacity = 5000 }), 1000},
		"wide groups": {table(cols(5000), rows(100000), func(f *Facts) { f.Groups, f.Outputs, f.Capacity = 1000, 4, 1000 }), 50},
	} {
		if got := c.f.MostPriced(); got != c.want {
			t.Errorf("%s: %d, not %d", name, got, c.want)
		}
	}
}

// Quotas limit the sizes, and leave out swaps and the lasso.
func TestQuotas(t *testing.T) {
	p := New(Request{Quotas: true}, table(cols(500), func(f *Facts) { f.Capacity = 6 }))
	if got := fmt.Sprint(p.Sizes, p.Swaps, p.Adaptive, p.Recipe.Direct, " ", value(p, "swaps")); got != "[0 1 2 3 4 6] false true false no" {
		t.Error(got)
	}
	if at := slices.IndexFunc(p.Selections, func(s search.Selection) bool { return s.Method == search.Lasso }); at >= 0 {
		t.Error("the lasso knows no quotas")
	}
	if p := New(Request{Quotas: true, K: 3, Quick: true}, table(func(f *Facts) { f.Capacity = 6 })); p.Recipe.Direct || p.Contest {
		t.Errorf("quick with quotas: direct %v, contest %v", p.Recipe.Direct, p.Contest)
	}
}

// Constraints are said, and leave out direct recipes, the lasso and, if they are for lines, curves.
func TestConstraints(t *testing.T) {
	wide := table(bends, rows(400), cols(500))
	for name, c := range map[string]struct {
		of     Constrained
		said   string
		curves bool
	}{
		"none":      {said: "nothing was said", curves: true},
		"of curves": {of: Constrained{What: "increasing: all"}, said: "increasing: all", curves: true},
		"of lines":  {of: Constrained{What: "positive: all", Lines: true}, said: "positive: all"},
	} {
		p := New(Request{Constrained: c.of}, wide)
		lasso := slices.ContainsFunc(p.Selections, func(s search.Selection) bool { return s.Method == search.Lasso })
		curves := slices.ContainsFunc(p.Selections, func(s search.Selection) bool { return s.Bins > 0 })
		if value(p, "constraints") != c.said || lasso == (c.of.What != "") || curves != c.curves {
			t.Errorf("%s: said %s; lasso %v, curves %v", name, value(p, "constraints"), lasso, curves)
		}
		quick := New(Request{K: 1200, Quick: true, Constrained: c.of}, table(cols(2000)))
		if quick.Recipe.Direct == (c.of.What != "") {
			t.Errorf("%s: quick is direct: %v", name, quick.Recipe.Direct)
		}
	}
}

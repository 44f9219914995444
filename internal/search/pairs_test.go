package search

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"fsa/data"
)

// pairing returns the sample of a table with interactions.
func pairing(t *testing.T, c *cells, lossName string) *Sample {
	t.Helper()
	s := c.sample(t, lossName)
	d := c.dataset(t)
	s.Data = d
	s.WithInteractions = func(ctx context.Context, pairs []data.PairTerm) (*Sample, error) {
		to := *s
		var err error
		if to.Design, err = d.Design(ctx, data.DesignOptions{Interactions: pairs}); err != nil {
			return nil, err
		}
		return &to, to.SetGroups(d, c.groups, c.force)
	}
	return s
}

// products adds products of columns to the target of a table of independent normal columns.
func products(rows, cols int, effect float64, pairs ...[2]int) *cells {
	c := normal(9, rows, cols, 0, 0.3, 1, 1)
	for i := range c.y {
		for _, p := range pairs {
			c.y[i] += effect * c.x[cols*i+p[0]] * c.x[cols*i+p[1]]
		}
	}
	return c
}

// terms names the groups of a fit.
func terms(f *Fit) (list []string) {
	for _, g := range f.Groups {
		v := f.sample.Groups.Of(g)[0]
		if p := f.sample.Design.Product(v); p != nil {
			list = append(list, fmt.Sprint(p.Interaction))
		} else {
			list = append(list, fmt.Sprint(f.sample.Design.Variables[v]))
		}
	}
	return list
}

// A selection with interactions selects pairs and, by their heredity, the variables that they need.
func TestPaired(t *testing.T) {
	for name, c := range map[string]struct {
		most     int
		heredity Heredity
		pairs    [][2]int
		size     int
		want     string
	}{
		"strong":        {math.MaxInt32, Strong, [][2]int{{2, 3}}, 3, "[2 3 [2 3]]"},
		"weak":          {math.MaxInt32, Weak, [][2]int{{0, 3}}, 3, "[0 1 [0 3]]"},
		"none":          {math.MaxInt32, Apart, [][2]int{{2, 3}}, 1, "[[2 3]]"},
		"of two":        {math.MaxInt32, Apart, [][2]int{{2, 3}, {4, 5}}, 2, "[[2 3] [4 5]]"},
		"no pair":       {math.MaxInt32, Strong, nil, 2, "[0 1]"},
		"at most one":   {1, Strong, [][2]int{{0, 1}, {2, 3}}, 6, "1"},
		"one by a size": {math.MaxInt32, Apart, [][2]int{{2, 3}, {4, 5}}, 1, "1"},
	} {
		s := pairing(t, products(240, 6, 3, c.pairs...), "squared")
		r := annealed(descent(s), 0.001)
		r.Select.Interactions = Interactions{Most: c.most, Heredity: c.heredity}
		sizes := []int{1, 2, 3, 6}
		if name == "one by a size" {
			sizes = []int{1}
		}
		runner := NewRunner(s, sizes)
		f, err := runner.Run(t.Context(), r, c.size)
		if err != nil {
			t.Fatal(err)
		}
		form, err := runner.Form(t.Context(), r.Select)
		if err != nil || form.Groups.Count() != f.sample.Groups.Count() {
			t.Errorf("%s: the form has %d groups, not %d", name, form.Groups.Count(), f.sample.Groups.Count())
		}
		got := fmt.Sprint(terms(f))
		if len(c.want) == 1 { // the number of pairs that were found
			_, n := form.Design.Products()
			got = fmt.Sprint(n)
		}
		if got != c.want {
			t.Errorf("%s: %s, not %s", name, got, c.want)
		}
		runner.Only = c.size
		runner.pairs, runner.paths = map[Selection]*Sample{}, map[Selection]*path{}
		if f, err := runner.Run(t.Context(), r, c.size); err != nil || len(c.want) > 1 && fmt.Sprint(terms(f)) != c.want {
			t.Errorf("%s, one size only: %v, %v", name, terms(f), err)
		}
	}
}

// The groups that a pair needs are those of its two columns, and a pair of several columns is one group.
func TestSetParents(t *testing.T) {
	c := products(240, 6, 3, [2]int{2, 3})
	c.texts = 1
	for i := range c.y {
		c.x[6*i] = float64(i % 3)
	}
	s := pairing(t, c, "squared")
	with, err := s.WithInteractions(t.Context(), []data.PairTerm{{Interaction: data.Interaction{2, 3}}, {Interaction: data.Interaction{4, 0}}})
	if err != nil {
		t.Fatal(err)
	}
	if with.Groups.Count() != 8 || len(with.Groups.Of(7)) < 2 {
		t.Fatalf("%d groups, the last one of %v", with.Groups.Count(), with.Groups.Of(7))
	}
	with.setParents(Strong)
	column := func(g int) int { return with.Design.Variables[with.Groups.Of(g)[0]] }
	for pair, want := range map[int][2]int{6: {2, 3}, 7: {4, 0}} {
		if got := with.parents[pair]; column(got[0]) != want[0] || column(got[1]) != want[1] {
			t.Errorf("pair %d needs the groups %v", pair, got)
		}
	}
	if with.heredity != Strong || len(with.parents) != 2 {
		t.Errorf("%s heredity of %v", with.heredity, with.parents)
	}
	with.parents = nil
	if with.setParents(Apart); with.parents != nil || with.heredity != Apart {
		t.Errorf("%s heredity of %v", with.heredity, with.parents)
	}
	if got := with.Columns([]int{1, 6}); len(got) != 1 {
		t.Errorf("a pair has the column %v", got)
	}
	if got := with.GroupsOf([]int{2, 3}); len(got) != 2 {
		t.Errorf("the columns of a pair have the groups %v", got)
	}
}

// The largest size of a runner is limited by the variables and by a number that is given.
func TestLargest(t *testing.T) {
	s := normal(1, 60, 5, 0, 1).sample(t, "squared")
	for _, c := range []struct {
		sizes []int
		most  int
		want  int
	}{
		{[]int{0, 1, 3, 5, 9}, math.MaxInt, 5}, {[]int{0, 1, 3, 9}, 4, 3}, {[]int{0, 1, 3}, 1, 1}, {[]int{2, 3}, 1, 2}, {[]int{2, 4, 3}, 9, 4}, {[]int{7}, 9, 5},
	} {
		if got := NewRunner(s, c.sizes).largest(c.most); got != c.want {
			t.Errorf("%v up to %d: %d, not %d", c.sizes, c.most, got, c.want)
		}
	}
	for bins, want := range map[int]int{0: math.MaxInt, 4: 6, 5: 5, 29: 1, 30: 0} { // two rows for each knot
		if got := s.MostCurves(bins); got != want {
			t.Errorf("%d curves of %d bins, not %d", got, bins, want)
		}
	}
}

// The search for pairs ends at the number that is asked for, and lists them in the order of their columns.
func TestScreen(t *testing.T) {
	s := pairing(t, products(300, 6, 2, [2]int{4, 5}, [2]int{0, 1}, [2]int{2, 3}), "squared")
	f, err := s.Learn(t.Context(), all(6), 1e-6, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	for most, want := range map[int]int{0: 0, 1: 1, 2: 2, 3: 3, 9: 3} {
		for _, knots := range []int{0, 4} {
			found, err := s.screen(t.Context(), f, most, knots)
			if err != nil || len(found) != want {
				t.Errorf("most %d: %v, %v", most, found, err)
			}
			if !slices.IsSortedFunc(found, func(a, b data.PairTerm) int { return slices.Compare(a.Interaction[:], b.Interaction[:]) }) {
				t.Errorf("order %v", found)
			}
			for _, p := range found {
				if p.Interaction[0]%2 != 0 || p.Interaction[1] != p.Interaction[0]+1 {
					t.Errorf("pair %v has no effect", p.Interaction)
				}
			}
		}
	}
}

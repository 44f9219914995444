package search

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"fsa/internal/need"
)

// rationed returns the sample of six columns with quotas, and the error of the quotas.
func rationed(t *testing.T, groups [][]string, force []string, quotas ...Quota) (*Sample, error) {
	t.Helper()
	c := normal(1, 60, 6, 0.3, 1, 1, -1, 1, 1)
	s := c.sample(t, "squared")
	s.Quotas = quotas
	return s, s.SetGroups(c.dataset(t), groups, force)
}

// of returns a quota of columns.
func of(name string, most, least int, columns ...int) Quota {
	q := Quota{Name: name, Most: most, Least: least, Columns: map[int]bool{}}
	for _, j := range columns {
		q.Columns[j] = true
	}
	return q
}

// A group has the quota of its column. What the quotas need and allow depends on the forced groups.
func TestSetQuotas(t *testing.T) {
	a, b := of("a", 2, 1, 0, 1, 2), of("b", 1, 0, 4, 5)
	for name, c := range map[string]struct {
		groups [][]string
		force  []string
		quotas []Quota
		want   string // quotas of the groups, capacity, needed groups, and what needs them
		err    string
	}{
		"none":               {want: "[] 6 0 []"},
		"two":                {quotas: []Quota{a, b}, want: "[0 0 0 -1 1 1] 4 1 [a]"},
		"one is forced":      {force: []string{"x1"}, quotas: []Quota{a, b}, want: "[0 0 0 -1 1 1] 4 1 []"},
		"another is forced":  {force: []string{"x3"}, quotas: []Quota{a, b}, want: "[0 0 0 -1 1 1] 4 2 [a]"},
		"two are needed":     {force: []string{"x5"}, quotas: []Quota{of("a", 3, 2, 0, 1, 2), of("b", 2, 2, 4, 5)}, want: "[0 0 0 -1 1 1] 6 4 [a b]"},
		"no room":            {quotas: []Quota{of("a", 0, 0, 0, 3)}, want: "[0 -1 -1 0 -1 -1] 4 0 []"},
		"groups":             {groups: [][]string{{"x1", "x3"}}, quotas: []Quota{a, b}, want: "[0 0 0 1 1] 3 1 [a]"},
		"two of a group":     {groups: [][]string{{"x1", "x2"}}, quotas: []Quota{a}, err: `the columns "x1" and "x2" of a group have a quota`},
		"of two quotas":      {groups: [][]string{{"x4", "x0"}}, quotas: []Quota{a, b}, err: `the columns "x4" and "x0" of a group have a quota`},
		"too many forced":    {force: []string{"x4", "x5"}, quotas: []Quota{a, b}, err: "2 or more columns of the quota b are forced"},
		"as many as allowed": {force: []string{"x0", "x1"}, quotas: []Quota{a, b}, want: "[0 0 0 -1 1 1] 4 2 []"},
	} {
		s, err := rationed(t, c.groups, c.force, c.quotas...)
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%s: the error is %v", name, err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		n, names := s.Needed()
		if got := fmt.Sprint(s.quotaOf, s.Capacity(), n, names); got != c.want {
			t.Errorf("%s: %s, not %s", name, got, c.want)
		}
	}
	s, _ := rationed(t, nil, nil)
	s.quotaOf = []int{7}
	if err := s.setQuotas(nil); err != nil || s.quotaOf != nil {
		t.Errorf("quotas of another dataset stay: %v", s.quotaOf)
	}
}

// Of the groups with the largest rations, those of any number are the strongest that keep the quotas: those that are needed
// first, and with more groups than are selected in the end as large a share of a quota.
func TestRation(t *testing.T) {
	rng := rand.New(rand.NewPCG(need.Seed(t), 43))
	for range 300 {
		count := 3 + rng.IntN(8)
		s, groups := &Sample{quotaOf: make([]int, 20)}, rng.Perm(20)[:count]
		slices.Sort(groups)
		for range 1 + rng.IntN(3) {
			most := rng.IntN(3)
			s.Quotas = append(s.Quotas, Quota{Most: most, Least: rng.IntN(most + 1)})
		}
		for g := range s.quotaOf {
			s.quotaOf[g] = rng.IntN(len(s.Quotas)+1) - 1
		}
		most := 1 + rng.IntN(count)
		strength := make([]float64, count)
		for i := range strength {
			strength[i] = float64(rng.IntN(6))
		}
		want := rationedOrder(s, most, slices.Clone(strength), groups)
		s.ration(most)(strength, groups)
		order := all(count)
		slices.SortFunc(order, func(a, b int) int { return int(strength[b] - strength[a]) })
		if !slices.Equal(order, want) {
			t.Fatalf("%v of quotas %v, %d of %v: order %v, not %v", s.Quotas, s.quotaOf, most, groups, order, want)
		}
		for i, at := range order {
			if strength[at] != float64(count-i) {
				t.Fatalf("ranks %v", strength)
			}
		}
	}
}

// rationedOrder is a slow version of [Sample.ration]: it returns the positions of the groups, the first to stay first.
func rationedOrder(s *Sample, most int, strength []float64, groups []int) (order []int) {
	taken, left := make([]int, len(s.Quotas)), all(len(groups))
	slices.SortStableFunc(left, func(a, b int) int { return int(strength[b] - strength[a]) })
	quota := func(at int) int { return s.quotaOf[groups[at]] }
	needed := make([]int, len(s.Quotas))
	rank := map[int]int{}
	for i, at := range left {
		if rank[at] = i + len(left); quota(at) >= 0 && needed[quota(at)] < s.Quotas[quota(at)].Least {
			needed[quota(at)]++
			rank[at] = i
		}
	}
	slices.SortStableFunc(left, func(a, b int) int { return rank[a] - rank[b] })
	for n := 1; len(left) > 0; n++ {
		i := slices.IndexFunc(left, func(at int) bool {
			q := quota(at)
			return q < 0 || taken[q] < max(s.Quotas[q].Most, s.Quotas[q].Most*n/most)
		})
		if i < 0 { // all are beyond their quotas
			slices.SortStableFunc(left, func(a, b int) int { return quota(a) - quota(b) })
			return append(order, left...)
		}
		if q := quota(left[i]); q >= 0 {
			taken[q]++
		}
		order, left = append(order, left[i]), slices.Delete(left, i, i+1)
	}
	return order
}

// A run keeps the quotas at every size, with the groups that they need.
func TestRunsWithinQuotas(t *testing.T) {
	s, err := rationed(t, nil, nil, of("a", 1, 0, 0, 1, 2), of("b", 2, 1, 4, 5))
	if err != nil {
		t.Fatal(err)
	}
	for size := 1; size <= 4; size++ {
		f := ran(t, s, []int{1, 2, 3, 4}, annealed(descent(s), 0.001), size)
		n := make([]int, 3)
		for _, g := range f.Groups {
			n[s.quotaOf[g]+1]++
		}
		if len(f.Groups) != size || n[1] > 1 || n[2] > 2 || n[2] < 1 {
			t.Errorf("size %d: %v", size, f.Groups)
		}
	}
}

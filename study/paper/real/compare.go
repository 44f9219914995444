package real

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// Comparison compares fsa with one method in one family, by one metric.
type Comparison struct {
	Family  string `json:"family"`
	Method  string `json:"method"`
	Measure string `json:"measure"`
	// Ours and Theirs are the means over sets, of the same fits.
	Ours   float64 `json:"ours"`
	Theirs float64 `json:"theirs"`
	// Ahead is the mean lead of fsa, positive if it is better, and SE its standard error.
	Ahead float64  `json:"ahead"`
	SE    *float64 `json:"se"`
	// P is the two-sided p-value of the difference, and Holm the same corrected for the number of
	// comparisons by this metric.
	P    *float64 `json:"p"`
	Holm *float64 `json:"holm"`
	// Wins and Losses count fits (set, k and seed) in which fsa is better and worse.
	Wins   int `json:"wins"`
	Losses int `json:"losses"`
}

// significant is the level of significance after correction.
const significant = 0.05

// Behind reports whether fsa is significantly worse.
func (c *Comparison) Behind() bool { return c.Ahead < 0 && c.Holm != nil && *c.Holm < significant }

// Leads reports whether fsa is significantly better.
func (c *Comparison) Leads() bool { return c.Ahead > 0 && c.Holm != nil && *c.Holm < significant }

// fit identifies a fit without its method.
type fit struct {
	set  string
	seed uint64
	k    int
}

// compare compares fsa with every other method, in every family, by every metric.
func compare(records []Record) []Comparison {
	by := map[string]map[string]map[fit]Record{} // family, method
	for _, r := range records {
		if by[r.Family] == nil {
			by[r.Family] = map[string]map[fit]Record{}
		}
		if by[r.Family][r.Method] == nil {
			by[r.Family][r.Method] = map[fit]Record{}
		}
		by[r.Family][r.Method][fit{r.Set, r.Seed, r.K}] = r
	}
	var out []Comparison
	for _, measure := range compared {
		var list []Comparison
		for _, family := range distinct(records, func(r Record) string { return r.Family }) {
			for _, method := range distinct(records, func(r Record) string { return r.Method }) {
				if method == Ours {
					continue
				}
				if c, ok := paired(by[family][Ours], by[family][method], measure); ok {
					c.Family, c.Method, c.Measure = family, method, measure
					list = append(list, c)
				}
			}
		}
		// Other settings of fsa are not peers.
		peers, others := []*Comparison{}, []*Comparison{}
		for i := range list {
			if slices.Contains(PeerNames(), list[i].Method) {
				peers = append(peers, &list[i])
			} else {
				others = append(others, &list[i])
			}
		}
		holm(peers)
		holm(others)
		out = append(out, list...)
	}
	return out
}

// paired compares the fits that both methods have. Fits of one set and seed that differ in k are
// one observation, because they share their rows; sets are strata.
func paired(ours, theirs map[fit]Record, measure string) (c Comparison, ok bool) {
	type table struct {
		set  string
		seed uint64
	}
	type sums struct{ ours, theirs, ahead, n float64 }
	tables := map[table]*sums{}
	var order []fit
	for at := range ours {
		order = append(order, at)
	}
	slices.SortFunc(order, func(a, b fit) int {
		return cmp.Or(cmp.Compare(a.set, b.set), cmp.Compare(a.seed, b.seed), cmp.Compare(a.k, b.k))
	})
	var keys []table
	for _, at := range order {
		a, measured := ours[at].Measures[measure]
		b, measuredToo := theirs[at].Measures[measure]
		if !measured || !measuredToo {
			continue
		}
		t := tables[table{at.set, at.seed}]
		if t == nil {
			t = &sums{}
			tables[table{at.set, at.seed}] = t
			keys = append(keys, table{at.set, at.seed})
		}
		ahead := better[measure] * (a - b)
		t.ours, t.theirs, t.ahead, t.n = t.ours+a, t.theirs+b, t.ahead+ahead, t.n+1
		switch {
		case ahead > 1e-12:
			c.Wins++
		case ahead < -1e-12:
			c.Losses++
		}
	}
	if len(tables) == 0 {
		return c, false
	}
	strata := map[string][]float64{}
	var sets []string
	mean := map[string]*sums{}
	for _, key := range keys {
		t := tables[key]
		if mean[key.set] == nil {
			mean[key.set] = &sums{}
			sets = append(sets, key.set)
		}
		m := mean[key.set]
		m.ours, m.theirs, m.n = m.ours+t.ours/t.n, m.theirs+t.theirs/t.n, m.n+1
		strata[key.set] = append(strata[key.set], t.ahead/t.n)
	}
	var lists [][]float64
	for _, set := range sets {
		m := mean[set]
		c.Ours += m.ours / m.n / float64(len(sets))
		c.Theirs += m.theirs / m.n / float64(len(sets))
		lists = append(lists, strata[set])
	}
	c.Ahead, c.SE, c.P = stratified(lists)
	return c, true
}

// leastFree is the number of degrees of freedom below which no p-value is given.
const leastFree = 3

// stratified returns the mean of the means of some lists, its standard error, and its p-value after
// Welch and Satterthwaite. Lists of one number each are taken as one list.
func stratified(lists [][]float64) (mean float64, se, p *float64) {
	if !slices.ContainsFunc(lists, func(l []float64) bool { return len(l) > 1 }) {
		lists = [][]float64{slices.Concat(lists...)}
	}
	var variance, square, free float64
	n := float64(len(lists))
	known := true
	for _, l := range lists {
		size := float64(len(l))
		var m, s float64
		for _, v := range l {
			m += v / size
		}
		mean += m / n
		if size < 2 {
			known = false
			continue
		}
		for _, v := range l {
			s += (v - m) * (v - m)
		}
		v := s / (size - 1) / size / n / n
		variance += v
		square += v * v / (size - 1)
		free += size - 1
	}
	if !known {
		return mean, nil, nil
	}
	se = new(math.Sqrt(variance))
	switch {
	case variance == 0 && mean == 0:
		p = new(1.0)
	case free >= leastFree && *se > 1e-9*math.Abs(mean): // otherwise the lists agree by chance, as error rates may
		t := distuv.StudentsT{Sigma: 1, Nu: variance * variance / square}
		p = new(2 * t.Survival(math.Abs(mean)/math.Sqrt(variance)))
	}
	return mean, se, p
}

// holm corrects for the number of comparisons.
func holm(list []*Comparison) {
	known := slices.DeleteFunc(slices.Clone(list), func(c *Comparison) bool { return c.P == nil })
	slices.SortStableFunc(known, func(a, b *Comparison) int { return cmp.Compare(*a.P, *b.P) })
	least := 0.0
	for i, c := range known {
		least = max(least, min(1, *c.P*float64(len(known)-i)))
		c.Holm = new(least)
	}
}

// distinct returns the different values of a field of records, in their order.
func distinct[T comparable](records []Record, field func(Record) T) []T {
	seen := map[T]bool{}
	var out []T
	for _, r := range records {
		if v := field(r); !seen[v] {
			seen[v] = true
			out = append(out, v)
		}
	}
	return out
}

package validate

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
)

// unit is a set of rows that stay together: a row and its copies, a query or a group.
type unit struct {
	key    uint64
	weight float64
	class  []share // weights of the classes that have any
}

// share is the weight that a unit has in a class.
type share struct {
	class  int
	weight float64
}

// main returns the class with the largest weight in a unit.
func (u *unit) main() int {
	best := share{}
	for _, s := range u.class {
		if s.weight > best.weight {
			best = s
		}
	}
	return best.class
}

// deck holds the units of a table.
type deck struct {
	units   []unit
	of      []int     // unit of each row
	noun    string    // word for a unit in messages
	classes []float64 // classes with weight, ascending; a single one without classes
	total   []float64 // weight of each class
	class   []int     // class of each row
	weight  []float64 // weight of each row
}

// mix scatters the bits of a number (the finalizer of SplitMix64, Steele et al.
// 2014).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// say returns a number of units in words.
func (d *deck) say(n int) string {
	switch {
	case n == 1:
		return "1 " + d.noun
	case d.noun == "query":
		return fmt.Sprintf("%d queries", n)
	}
	return fmt.Sprintf("%d %ss", n, d.noun)
}

// heavy returns the number of units with weight.
func (d *deck) heavy() (n int) {
	for i := range d.units {
		if d.units[i].weight > 0 {
			n++
		}
	}
	return n
}

// members returns the number of units that contain each class, and the class in the fewest units.
func (d *deck) members() (n []int, rarest int) {
	n = make([]int, len(d.classes))
	for i := range d.units {
		for _, s := range d.units[i].class {
			n[s.class]++
		}
	}
	for c := range n {
		if n[c] < n[rarest] {
			rarest = c
		}
	}
	return n, rarest
}

// parts returns the parts in which each class has weight, given the part of each row.
func (d *deck) parts(of []uint16) []map[uint16]bool {
	in := make([]map[uint16]bool, len(d.classes))
	for c := range in {
		in[c] = map[uint16]bool{}
	}
	for i, p := range of {
		if d.weight[i] > 0 {
			in[d.class[i]][p] = true
		}
	}
	return in
}

// name returns the name of a class.
func (s *Scheme) name(class float64) string {
	if s.ClassName != nil {
		return s.ClassName(class)
	}
	return strconv.FormatFloat(class, 'g', -1, 64)
}

// deck finds the units of a table.
func (s *Scheme) deck(rows int) (*deck, error) {
	if err := s.check(rows); err != nil {
		return nil, err
	}
	d := &deck{weight: s.Weight, class: make([]int, rows), classes: []float64{0}}
	if s.Weight == nil {
		d.weight = slices.Repeat([]float64{1}, rows)
	}
	if s.Class != nil {
		d.number(s.Class)
	}
	d.total = make([]float64, len(d.classes))
	s.units(d, rows)
	if s.Group != nil {
		if err := s.wholeQueries(func(i int) float64 { return s.Group[i] }, "groups"); err != nil {
			return nil, err
		}
	}
	s.weigh(d)
	if d.heavy() == 0 {
		return nil, foldError("no row has weight: there is nothing to split")
	}
	return d, nil
}

// check returns an error for invalid numbers, and panics for slices of the wrong length.
func (s *Scheme) check(rows int) error {
	columns := []struct {
		what   string
		number []float64
	}{{"class", s.Class}, {"group", s.Group}, {"time", s.Time}, {"fold", s.Fold}, {"weight", s.Weight}}
	for _, c := range columns {
		if c.number != nil && len(c.number) != rows {
			panic(fmt.Sprintf("validate: a %s for each of %d rows, not %d", c.what, len(c.number), rows))
		}
		if i := slices.IndexFunc(c.number, math.IsNaN); i >= 0 {
			return foldError("row %d has no %s: give it one, or leave the row out", i+1, c.what)
		}
	}
	if s.Keys != nil && len(s.Keys) != rows {
		panic(fmt.Sprintf("validate: a key for each of %d rows, not %d", len(s.Keys), rows))
	}
	if q := s.Query; q != nil && (len(q) == 0 || q[0] != 0 || q[len(q)-1] != rows || !slices.IsSorted(q)) {
		panic(fmt.Sprintf("validate: queries that are not a cut of %d rows", rows))
	}
	if i := slices.IndexFunc(s.Weight, func(w float64) bool { return w < 0 || math.IsInf(w, 0) }); i >= 0 {
		return foldError("row %d has the weight %v: a weight must be at least 0 and finite", i+1, s.Weight[i])
	}
	return nil
}

// number numbers the classes with weight.
func (d *deck) number(class []float64) {
	d.classes = nil
	for i, c := range class {
		if d.weight[i] > 0 {
			d.classes = append(d.classes, c)
		}
	}
	slices.Sort(d.classes)
	d.classes = slices.Compact(d.classes)
	for i, c := range class {
		d.class[i], _ = slices.BinarySearch(d.classes, c)
	}
}

// units creates the units and sets the unit of each row.
func (s *Scheme) units(d *deck, rows int) {
	d.of = make([]int, rows)
	add := func(key uint64) int {
		d.units = append(d.units, unit{key: key})
		return len(d.units) - 1
	}
	known := map[uint64]int{}
	find := func(key uint64) int {
		u, ok := known[key]
		if !ok {
			u = add(key)
			known[key] = u
		}
		return u
	}
	switch {
	case s.Group != nil:
		d.noun = "group"
		for i, g := range s.Group {
			d.of[i] = find(math.Float64bits(g + 0)) // −0 is 0
		}
	case s.Query != nil:
		d.noun = "query"
		for q := range len(s.Query) - 1 {
			if s.Query[q] == s.Query[q+1] {
				continue
			}
			u := add(uint64(q))
			for i := s.Query[q]; i < s.Query[q+1]; i++ {
				d.of[i] = u
			}
		}
	case s.Keys != nil:
		d.noun = "different row"
		for i, k := range s.Keys {
			d.of[i] = find(k)
		}
	default:
		d.noun = "row"
		for i := range d.of {
			d.of[i] = add(uint64(i))
		}
	}
}

// weigh adds up the weights of units and classes. It gives groups and queries a key that depends on
// their contents, if these are known. Weights are added in an order that depends on the contents of
// rows, not on their positions.
func (s *Scheme) weigh(d *deck) {
	order := make([]int, 0, len(d.of))
	for i, w := range d.weight {
		if w > 0 {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(a, b int) int {
		if c := d.of[a] - d.of[b]; c != 0 { // there are many units, and most have one row
			return c
		}
		return cmp.Or(d.class[a]-d.class[b], cmp.Compare(d.weight[a], d.weight[b]), a-b)
	})
	shares := make([]share, 0, len(order)) // shares of all units, one unit after the other
	for first := 0; first < len(order); {
		u, last, from := d.of[order[first]], first, len(shares)
		for ; last < len(order) && d.of[order[last]] == u; last++ {
			i := order[last]
			if len(shares) == from || shares[len(shares)-1].class != d.class[i] {
				shares = append(shares, share{class: d.class[i]})
			}
			shares[len(shares)-1].weight += d.weight[i]
		}
		to := &d.units[u]
		to.class = shares[from:]
		for _, sh := range to.class {
			to.weight += sh.weight
			d.total[sh.class] += sh.weight
		}
		if s.Keys != nil && (s.Group != nil || s.Query != nil) {
			to.key = s.contents(order[first:last])
		}
		first = last
	}
}

// contents returns a key that depends only on the set of distinct rows among the given ones.
func (s *Scheme) contents(rows []int) uint64 {
	keys := make([]uint64, len(rows))
	for at, i := range rows {
		keys[at] = s.Keys[i]
	}
	slices.Sort(keys)
	var hash uint64
	for _, k := range slices.Compact(keys) {
		hash = mix(hash ^ mix(k))
	}
	return hash
}

// wholeQueries returns an error if a query has rows of two sets.
func (s *Scheme) wholeQueries(set func(i int) float64, sets string) error {
	for q := range len(s.Query) - 1 {
		for i := s.Query[q] + 1; i < s.Query[q+1]; i++ {
			if set(i) != set(i-1) {
				return foldError("rows %d and %d belong to one query, but to two %s, and a query cannot be split: give %s that keep whole queries together", i, i+1, sets, sets)
			}
		}
	}
	return nil
}

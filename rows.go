package fsa

import (
	"math/rand/v2"
	"sort"

	"fsa/data"
	"fsa/loss"
)

// span is rows lo to hi−1.
type span struct{ lo, hi int }

// rowPlan says where rows may be cut: anywhere, or between queries.
type rowPlan struct {
	y, weight []float64
	query     []int       // cuts between queries; nil without
	pairs     []loss.Pair // by query, rows counted from its first
	pairAt    []int       // first pair of each query, and their number
	parts     []span      // batches
}

// newRowPlan cuts the rows into batches of about the given number of rows, all
// of about the same size: a small one would be more curved than the step
// allows. 0 means one batch.
func newRowPlan(t *data.Target, batch int) *rowPlan {
	p := &rowPlan{y: t.Y, weight: t.Weight, query: t.Query}
	if t.Pairs != nil {
		if p.query == nil {
			p.query = []int{0, len(t.Y)}
		}
		p.setPairs(t.Pairs)
	}
	all := span{0, len(t.Y)}
	p.parts = []span{all}
	if batch > 0 {
		n := (len(t.Y) + batch - 1) / batch
		p.parts = nil
		for i := range n {
			lo, hi := p.boundary(i*len(t.Y)/n), p.boundary((i+1)*len(t.Y)/n)
			if lo < hi {
				p.parts = append(p.parts, span{lo, hi})
			}
		}
	}
	return p
}

// boundary returns the first row from i on where rows may be cut.
func (p *rowPlan) boundary(i int) int {
	if p.query == nil {
		return i
	}
	return p.query[sort.SearchInts(p.query, i)]
}

func (p *rowPlan) setPairs(pairs []data.Pair) {
	of := func(row int) int { return sort.SearchInts(p.query, row+1) - 1 }
	p.pairAt = make([]int, len(p.query))
	for _, pair := range pairs {
		p.pairAt[of(pair.I)+1]++
	}
	for q := range len(p.query) - 1 {
		p.pairAt[q+1] += p.pairAt[q]
	}
	p.pairs = make([]loss.Pair, len(pairs))
	at := append([]int(nil), p.pairAt...)
	for _, pair := range pairs {
		q := of(pair.I)
		p.pairs[at[q]] = loss.Pair{I: pair.I, J: pair.J, R: pair.R}
		at[q]++
	}
}

func (p *rowPlan) batches() int     { return len(p.parts) }
func (p *rowPlan) batch(i int) span { return p.parts[i] }

// cut cuts rows into spans of about step rows that split no query.
func (p *rowPlan) cut(s span, step int) []span {
	var parts []span
	for lo := s.lo; lo < s.hi; {
		hi := min(lo+step, s.hi)
		if p.query != nil {
			// The last query that begins before lo+step+1 ends the span,
			// unless that would be empty: a query is never split.
			q := sort.SearchInts(p.query, hi)
			if p.query[q] != hi && p.query[q-1] > lo {
				q--
			}
			hi = p.query[q]
		}
		parts = append(parts, span{lo, hi})
		lo = hi
	}
	return parts
}

// target returns what a loss may know of some rows.
func (p *rowPlan) target(s span) loss.Target {
	t := loss.Target{Y: p.y[s.lo:s.hi]}
	if p.weight != nil {
		t.Weight = p.weight[s.lo:s.hi]
	}
	if p.query == nil {
		return t
	}
	first, last := sort.SearchInts(p.query, s.lo), sort.SearchInts(p.query, s.hi)
	t.Query = make([]int, 0, last-first+1)
	for _, at := range p.query[first : last+1] {
		t.Query = append(t.Query, at-s.lo)
	}
	if p.pairs != nil {
		t.Pairs = make([]loss.Pair, 0, p.pairAt[last]-p.pairAt[first])
		for _, pair := range p.pairs[p.pairAt[first]:p.pairAt[last]] {
			t.Pairs = append(t.Pairs, loss.Pair{I: pair.I - s.lo, J: pair.J - s.lo, R: pair.R})
		}
	}
	return t
}

// shuffled returns a random order of the rows in which queries stay together.
func shuffled(t *data.Target, seed uint64) []int {
	rng := rand.New(rand.NewPCG(seed, 0x5f5a))
	if t.Query == nil {
		return rng.Perm(len(t.Y))
	}
	order := make([]int, 0, len(t.Y))
	for _, q := range rng.Perm(len(t.Query) - 1) {
		for i := t.Query[q]; i < t.Query[q+1]; i++ {
			order = append(order, i)
		}
	}
	return order
}

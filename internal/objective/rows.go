package objective

import (
	"math/rand/v2"
	"slices"
	"sort"

	"fsa/loss"
)

// span is rows lo to hi−1.
type span struct{ lo, hi int }

// Target holds the targets of the rows, and what else a loss needs.
type Target struct {
	Y, Weight []float64   // a nil weight means 1 for all
	Offset    []float64   // added to the margins by a loss of [loss.WithOffset]; nil without
	Query     []int       // boundaries between queries; nil without queries
	Pairs     []loss.Pair // ranking pairs, by the numbers of rows
}

// rowPlan divides rows into minibatches and blocks, without splitting queries.
type rowPlan struct {
	y, weight []float64
	offset    []float64   // of the margins; nil without
	query     []int       // boundaries between queries; nil without queries
	pairs     []loss.Pair // ranking pairs, by query
	pairAt    []int       // first pair of each query, and the number of pairs
	parts     [][]span    // spans of each batch, ascending
	from      []int       // original number of each row; nil if rows were not moved
}

// newRowPlan divides the rows into batches of about the given number of rows. All have about the same
// size, because a small batch could have a larger curvature than the step size allows. A batch consists
// of runs of about run rows. If runs are mixed, a batch is a random sample of runs. A batch of 0 means
// one batch of all rows.
func newRowPlan(t *Target, batch, run int, mixed bool, seed uint64) *rowPlan {
	p := &rowPlan{y: t.Y, weight: t.Weight, offset: t.Offset, query: t.Query}
	if t.Pairs != nil {
		if p.query == nil {
			p.query = []int{0, len(t.Y)}
		}
		p.setPairs(t.Pairs)
	}
	all := span{0, len(t.Y)}
	p.parts = [][]span{{all}}
	if batch == 0 || batch >= len(t.Y) {
		return p
	}
	n := (len(t.Y) + batch - 1) / batch
	pieces := p.cut(all, run)
	if mixed {
		rng := rand.New(rand.NewPCG(seed, 0x5f5a))
		rng.Shuffle(len(pieces), func(a, b int) { pieces[a], pieces[b] = pieces[b], pieces[a] })
	}
	p.parts = nil
	last, dealt := -1, 0
	for _, s := range pieces {
		if b := dealt * n / len(t.Y); b > last {
			p.parts = append(p.parts, nil)
			last = b
		}
		at := len(p.parts) - 1
		p.parts[at] = append(p.parts[at], s)
		dealt += s.hi - s.lo
	}
	for _, part := range p.parts {
		slices.SortFunc(part, func(a, b span) int { return a.lo - b.lo })
	}
	return p
}

func (p *rowPlan) setPairs(pairs []loss.Pair) {
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
		p.pairs[at[q]] = pair
		at[q]++
	}
}

// scattered reports whether a batch consists of several spans.
func (p *rowPlan) scattered() bool {
	return slices.ContainsFunc(p.parts, func(part []span) bool { return len(part) > 1 })
}

// order returns the rows batch after batch, and renumbers the plan as if they were stored in this order.
// It returns nil if they already are.
func (p *rowPlan) order() []int {
	if len(p.parts) == 1 || p.query != nil || p.from != nil {
		return nil
	}
	rows := make([]int, 0, len(p.y))
	for b, part := range p.parts {
		first := len(rows)
		for _, s := range part {
			for i := s.lo; i < s.hi; i++ {
				rows = append(rows, i)
			}
		}
		p.parts[b] = []span{{first, len(rows)}}
	}
	if slices.IsSorted(rows) {
		return nil
	}
	p.y, p.weight, p.offset, p.from = pick(p.y, rows), pick(p.weight, rows), pick(p.offset, rows), rows
	return rows
}

// pick returns the elements of v at the given indices; nil stays nil.
func pick(v []float64, at []int) []float64 {
	if v == nil {
		return nil
	}
	to := make([]float64, len(at))
	for i, p := range at {
		to[i] = v[p]
	}
	return to
}

// together reports whether all rows are one batch and one query, so that they are one block.
func (p *rowPlan) together() bool { return len(p.parts) == 1 && len(p.query) == 2 }

// join makes one batch of all rows.
func (p *rowPlan) join() { p.parts = [][]span{{{0, len(p.y)}}} }

// shard is a list of blocks of rows that one thread sums.
type shard []span

// shards divides each batch into at most mostShards shards of at least the given number of rows, and
// these into blocks.
func (p *rowPlan) shards(least, block int) [][]shard {
	all := make([][]shard, len(p.parts))
	for b, part := range p.parts {
		rows := 0
		for _, s := range part {
			rows += s.hi - s.lo
		}
		n := min(max(rows/least, 1), mostShards)
		size := ((rows+n-1)/n + block - 1) / block * block // blocks are not cut
		room := 0
		for _, piece := range part {
			for _, s := range p.cut(piece, size) {
				if room <= 0 {
					all[b], room = append(all[b], nil), size
				}
				last := &all[b][len(all[b])-1]
				*last = append(*last, p.cut(s, block)...)
				room -= s.hi - s.lo
			}
		}
	}
	return all
}

// cut divides rows into spans of about step rows that split no query.
func (p *rowPlan) cut(s span, step int) []span {
	var parts []span
	for lo := s.lo; lo < s.hi; {
		hi := min(lo+step, s.hi)
		if p.query != nil {
			// The span ends where the last query that begins before lo+step+1 begins, unless the
			// span would be empty: a query is never split.
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

// target returns the target of a span of rows.
func (p *rowPlan) target(s span) loss.Target {
	t := loss.Target{Y: p.y[s.lo:s.hi]}
	if p.weight != nil {
		t.Weight = p.weight[s.lo:s.hi]
	}
	if p.offset != nil {
		t.Offset = p.offset[s.lo:s.hi]
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

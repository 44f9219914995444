package loss

import (
	"cmp"
	"math"
	"slices"
	"sort"

	"fsa/internal/portable"
)

// entries say from when on rows are at risk: at times above their entry.
type entries struct {
	time, entry []float64
	leaving     []int // positions in Cox.order, by stratum and then by descending entry
	until       []int // for each row, the group behind the last one at whose time it is at risk
}

// newEntries returns the entries of the rows of a loss.
func newEntries(l *Cox, time, entry []float64) *entries {
	e := &entries{time: time, entry: entry, leaving: make([]int, len(entry)), until: make([]int, len(entry))}
	for p := range e.leaving {
		e.leaving[p] = p
	}
	for k := 0; k < len(l.groups); {
		end := l.stratumEnd(k)
		slices.SortStableFunc(e.leaving[l.groups[k].lo:l.groups[end-1].hi], func(a, b int) int {
			return cmp.Compare(entry[l.order[b]], entry[l.order[a]])
		})
		for ; k < end; k++ {
			for _, i := range l.order[l.groups[k].lo:l.groups[k].hi] {
				e.until[i] = k + sort.Search(end-k, func(n int) bool { return time[l.order[l.groups[k+n].lo]] <= entry[i] })
			}
		}
	}
	return e
}

// stratumEnd returns the group behind the last one of the stratum of group k.
func (l *Cox) stratumEnd(k int) int {
	for k++; k < len(l.groups) && !l.groups[k].first; k++ {
	}
	return k
}

// eachEntered is each for rows with entries.
func (l *Cox) eachEntered(z []float64, t Target, at func(g tied, now risks), back func(i int, hazard float64, event bool)) {
	e := l.entries
	steps, corrections := make([]scaled, len(l.groups)), make([]float64, len(l.groups))
	exp := make([]float64, len(l.order))
	risk, gone := &atRisk{}, 0 // gone is the position in leaving of the next row that leaves
	for k, g := range l.groups {
		if g.first {
			risk, gone = &atRisk{active: risk.active[:0]}, g.lo
		}
		for _, i := range l.order[g.lo:g.hi] {
			risk.enter(i, exponential(t.WeightOf(i), z[i]))
		}
		before := gone
		for time := e.time[l.order[g.lo]]; gone < g.hi && e.entry[l.order[e.leaving[gone]]] >= time; gone++ {
			i := l.order[e.leaving[gone]]
			risk.leave(exponential(t.WeightOf(i), z[i]))
		}
		if gone > before && risk.cancelled() {
			risk.recount(func(i int) (scaled, bool) {
				return exponential(t.WeightOf(i), z[i]), e.entry[i] < e.time[l.order[g.lo]]
			})
		}
		now := risks{risk: risk.sum.value, top: risk.sum.scale}
		for p, i := range l.order[g.lo:g.events] {
			exp[g.lo+p] = portable.Exp(z[i] - now.top)
		}
		if l.countEvents(&now, g, exp, t); now.d == 0 {
			continue
		}
		at(g, now)
		steps[k].scale = -now.top
		for i := range now.d {
			share, step := l.step(now, i)
			steps[k].value += step
			corrections[k] += share * step
		}
	}
	hazard := newSums(steps)
	for k, g := range l.groups {
		for p, i := range l.order[g.lo:g.hi] {
			w, event := t.WeightOf(i), g.lo+p < g.events
			if w == 0 {
				continue
			}
			h := hazard.between(k, e.until[i])
			if event {
				h.value -= corrections[k] * portable.Exp(steps[k].scale-h.scale)
			}
			if h.value != 0 {
				h.value *= w * portable.Exp(z[i]+h.scale)
			}
			back(i, h.value, event)
		}
	}
}

// mostCancelled is the ratio of a sum to the difference of two sums above which the difference is computed anew: it
// would lose more than ten binary digits.
const mostCancelled = 1 << 10

// atRisk is the total risk of rows that enter and leave.
type atRisk struct {
	sum    scaled
	most   float64 // largest value of the sum since it was counted, at its scale
	active []int   // rows that have entered, and perhaps left since the sum was counted
}

func (a *atRisk) enter(i int, own scaled) {
	if own.value == 0 {
		return
	}
	a.active = append(a.active, i)
	before := a.sum.scale
	if a.sum = a.sum.plus(own); a.sum.scale != before {
		a.most = 0
	}
	a.most = max(a.most, a.sum.value)
}

func (a *atRisk) leave(own scaled) {
	if own.value == 0 {
		return
	}
	if own.scale != a.sum.scale {
		own.value *= portable.Exp(own.scale - a.sum.scale)
	}
	a.sum.value -= own.value
}

// cancelled reports whether the sum has lost too many digits.
func (a *atRisk) cancelled() bool { return !(a.sum.value*mostCancelled > a.most) }

// recount adds up the rows that are still at risk.
func (a *atRisk) recount(of func(i int) (own scaled, still bool)) {
	a.sum = scaled{}
	a.active = slices.DeleteFunc(a.active, func(i int) bool {
		own, still := of(i)
		if still {
			a.sum = a.sum.plus(own)
		}
		return !still
	})
	a.most = a.sum.value
}

// Hazards returns, for each row, the hazard at its time of a row with margin 0: the weight of the
// events at that time, divided by the risk of the rows at risk (Breslow 1974).
func (l *Cox) Hazards(z []float64, t Target) []float64 {
	out := make([]float64, len(z))
	l.each(z, t, func(g tied, now risks) {
		for _, i := range l.order[g.lo:g.hi] {
			out[i] = now.mean * float64(now.d) / now.risk * portable.Exp(-now.top)
		}
	}, func(int, float64, bool) {})
	return out
}

// scaled is the number value·exp(scale).
type scaled struct{ value, scale float64 }

// scaleStep is the distance of scales: exp(scaleStep/2) times any weight is a number, and most margins have scale 0.
const scaleStep = 256

// exponential returns w·exp(z).
func exponential(w, z float64) scaled {
	if w == 0 {
		return scaled{}
	}
	scale := scaleStep * math.Round(z/scaleStep)
	return scaled{w * portable.Exp(z-scale), scale}
}

// plus returns a sum.
func (a scaled) plus(b scaled) scaled {
	switch {
	case b.value == 0:
		return a
	case a.value == 0:
		return b
	case a.scale < b.scale:
		a, b = b, a
	}
	if a.scale != b.scale {
		b.value *= portable.Exp(b.scale - a.scale)
	}
	return scaled{a.value + b.value, a.scale}
}

// sums returns sums over ranges of positive numbers: as differences of sums from the start if these lose few digits,
// and from a tree otherwise. Node i of the tree is the sum of nodes 2i and 2i+1, and the leaves are its second half.
type sums struct {
	tree   []scaled
	before []float64 // sums from the start; nil if not all scales are the same
	scale  float64   // their scale
}

// newSums returns the sums of some leaves.
func newSums(leaves []scaled) *sums {
	n := len(leaves)
	s := &sums{tree: append(make([]scaled, n), leaves...), before: make([]float64, n+1)}
	for i := n - 1; i > 0; i-- {
		s.tree[i] = s.tree[2*i].plus(s.tree[2*i+1])
	}
	s.scale = s.tree[1].scale
	for i, v := range leaves {
		if v.value != 0 && v.scale != s.scale {
			s.before = nil
			break
		}
		s.before[i+1] = s.before[i] + v.value
	}
	return s
}

// between returns the sum of the leaves from lo to hi−1.
func (s *sums) between(lo, hi int) (total scaled) {
	if s.before != nil {
		if v := s.before[hi] - s.before[lo]; v*mostCancelled > s.before[hi] {
			return scaled{v, s.scale}
		}
	}
	for lo, hi = lo+len(s.tree)/2, hi+len(s.tree)/2; lo < hi; lo, hi = lo/2, hi/2 {
		if lo%2 == 1 {
			total = total.plus(s.tree[lo])
			lo++
		}
		if hi%2 == 1 {
			hi--
			total = total.plus(s.tree[hi])
		}
	}
	return total
}

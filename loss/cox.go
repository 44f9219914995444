package loss

import (
	"cmp"
	"math"
	"slices"
	"sync"

	"fsa/internal/kernel"
	"fsa/internal/portable"
)

// Cox is the partial likelihood of proportional hazards (Cox 1972): the negative log probability
// that, given an event at some time, it happens to the row that had it and not to another row at
// risk. Ties are treated by Efron's method (1977). Let S be the total risk of the rows at risk, D
// that of the d rows with an event at the same time, and w the mean weight of these d rows. They
// contribute
//
//	w Σ_l ln((S − l/d·D)/(w(d−l))) − Σ w_i z_i, l = 0 … d−1
//
// The factor w(d−l) makes the contribution 0 if no other rows are at risk and all margins are
// equal. By Breslow's method (1974), all d terms have l = 0.
//
// The mean is over events. Only differences between margins matter, so there is no intercept. The
// loss stores the survival times: it is valid only for the target it was made from, and a block
// must hold all rows of that target.
type Cox struct {
	groups []tied // ordered by stratum, then by descending time
	order  []int  // rows in the same order; within a time, rows with an event come first
	// breslow says that ties are treated by Breslow's method.
	breslow bool
	entries *entries  // nil if all rows are at risk from the start
	room    sync.Pool // of *coxRoom
}

// coxRoom is memory of an evaluation.
type coxRoom struct {
	at  []risks   // of each group
	exp []float64 // relative risk of each row, in their order
}

// tied are the rows of a stratum with the same time: order[lo:events] have an event, and
// order[events:hi] do not.
type tied struct {
	lo, events, hi int
	first          bool // the first group of its stratum
}

var _ Loss = (*Cox)(nil)

// TiesBreslow names Breslow's method for ties.
const TiesBreslow = "breslow"

// NewCox returns the loss of rows that are observed until the times of the parameters; their events
// say which of them had the event. Rows of different strata are not compared; without strata, all
// rows are. A row is at risk at times above its entry; without entries, from the start.
func NewCox(p Params) *Cox {
	time, event, stratum := p.Times, p.Events, p.Strata
	l := &Cox{order: make([]int, len(time)), breslow: p.Ties == TiesBreslow}
	of := func(i int) float64 {
		if stratum == nil {
			return 0
		}
		return stratum[i]
	}
	for i := range l.order {
		l.order[i] = i
	}
	slices.SortStableFunc(l.order, func(a, b int) int {
		late := 0
		if event[a] != event[b] {
			if late = 1; event[a] {
				late = -1
			}
		}
		return cmp.Or(cmp.Compare(of(a), of(b)), cmp.Compare(time[b], time[a]), late)
	})
	for lo := 0; lo < len(l.order); {
		i := l.order[lo]
		g := tied{lo: lo, events: lo, hi: lo, first: lo == 0 || of(i) != of(l.order[lo-1])}
		for g.hi < len(l.order) && of(l.order[g.hi]) == of(i) && time[l.order[g.hi]] == time[i] {
			if event[l.order[g.hi]] {
				g.events++
			}
			g.hi++
		}
		l.groups = append(l.groups, g)
		lo = g.hi
	}
	if p.Entries != nil {
		l.entries = newEntries(l, time, p.Entries)
	}
	return l
}

// Outputs implements [Loss].
func (*Cox) Outputs() int { return 1 }

// Eval implements [Loss]. It goes through the rows twice: from the last time to the first to add up
// the risk, and back to add up the hazard. Sums are relative to the largest margin at risk, so no
// margin overflows and no sum of risks is zero.
func (l *Cox) Eval(r, z []float64, t Target) (sum, weight float64) {
	clear(r)
	product := logProduct{product: 1}
	l.each(z, t, func(g tied, now risks) {
		for i := range now.d {
			share := l.share(now, i)
			product = product.times(now.mean, (now.risk-share*now.tie)/(now.mean*float64(now.d-l.left(i))))
		}
		sum += now.mean * float64(now.d) * now.top
		for _, i := range l.order[g.lo:g.events] {
			sum -= t.WeightOf(i) * z[i]
			weight += t.WeightOf(i)
		}
	}, func(i int, hazard float64, event bool) {
		r[i] = hazard
		if event {
			r[i] -= t.WeightOf(i)
		}
	})
	return max(sum+product.total(), 0), weight // rounding may make it negative
}

// Curvature implements [Loss]. The second derivative by the margin of a row is at most its
// cumulative hazard, which has no bound. Curvature therefore returns the working bound of
// [Poisson], with the events of a row as its count.
func (l *Cox) Curvature(d []float64, t Target) (weight float64) {
	clear(d)
	z := make([]float64, len(d))
	for i := range z {
		z[i] = t.OffsetOf(i)
	}
	l.each(z, t, func(g tied, _ risks) {
		for _, i := range l.order[g.lo:g.events] {
			weight += t.WeightOf(i)
		}
	}, func(i int, hazard float64, event bool) {
		d[i] = hazard
		if event {
			d[i] += t.WeightOf(i)
		}
	})
	return weight
}

// risks describes the rows at risk at the time of a group: their total risk, the total risk of the
// d rows with an event (both relative to exp(top)), and the mean weight of these d rows.
type risks struct {
	risk, tie, top, mean float64
	d                    int
}

// left returns how many of the tied events are not at risk any more when event i of them is counted.
func (l *Cox) left(i int) int {
	if l.breslow {
		return 0
	}
	return i
}

// share returns the same as a share of the tied events.
func (l *Cox) share(now risks, i int) float64 { return float64(l.left(i)) / float64(now.d) }

// step returns the hazard of event i of the tied ones, relative to exp(−top), and the share of which
// rows with an event at that time are spared.
func (l *Cox) step(now risks, i int) (share, step float64) {
	share = l.share(now, i)
	return share, now.mean / (now.risk - share*now.tie)
}

// each calls at for each group with events, from the last time of each stratum to the first. On the
// way back it calls back for each row with a weight, with the cumulative hazard of the row times
// its weight and its risk.
func (l *Cox) each(z []float64, t Target, at func(g tied, now risks), back func(i int, hazard float64, event bool)) {
	if l.entries != nil {
		l.eachEntered(z, t, at, back)
		return
	}
	room := l.take()
	defer l.room.Put(room)
	all, exp := room.at, room.exp
	top, near := l.nearTop(exp, z, t)
	var now risks
	for k, g := range l.groups {
		if g.first {
			now = risks{top: top}
		}
		if !near {
			l.raise(&now, g, exp, z, t)
		}
		for p, i := range l.order[g.lo:g.hi] {
			now.risk += t.WeightOf(i) * exp[g.lo+p]
		}
		if l.countEvents(&now, g, exp, t); now.d > 0 {
			at(g, now)
		}
		all[k] = now
	}
	var sum, low float64 // the cumulative hazard is sum·exp(−low)
	for k := len(l.groups) - 1; k >= 0; k-- {
		g, now := l.groups[k], all[k]
		if k == len(l.groups)-1 || l.groups[k+1].first {
			sum, low = 0, now.top
		}
		if now.top < low {
			sum *= portable.Exp(now.top - low)
			low = now.top
		}
		var tied float64 // Efron's correction of the hazard of rows with an event at this time
		for i := range now.d {
			share, step := l.step(now, i)
			sum += step
			tied += share * step
		}
		for p, i := range l.order[g.lo:g.hi] {
			w := t.WeightOf(i)
			if w == 0 {
				continue
			}
			hazard, event := sum, g.lo+p < g.events
			if event {
				hazard -= tied
			}
			back(i, w*hazard*exp[g.lo+p], event)
		}
	}
}

// take returns memory for an evaluation.
func (l *Cox) take() *coxRoom {
	room, _ := l.room.Get().(*coxRoom)
	if room == nil {
		room = &coxRoom{make([]risks, len(l.groups)), make([]float64, len(l.order))}
	}
	return room
}

// farMargins is a difference of margins whose exponential is far from overflow and underflow.
const farMargins = 500

// nearTop returns the largest margin of a row with a weight, and sets exp to the risks of all rows relative to it. If
// margins differ so much that risks would underflow, near is false, and every time has its own largest margin; see raise.
func (l *Cox) nearTop(exp, z []float64, t Target) (top float64, near bool) {
	low := math.Inf(1)
	top = math.Inf(-1)
	for i, v := range z {
		if t.WeightOf(i) != 0 {
			top, low = max(top, v), min(low, v)
		}
	}
	if !(top-low < farMargins) {
		return math.Inf(-1), false
	}
	for p, i := range l.order {
		if exp[p] = top - z[i]; t.WeightOf(i) == 0 {
			exp[p] = 0
		}
	}
	kernel.ExpNegAbs(exp, exp)
	return top, true
}

// raise raises the top to the largest margin of a group, and sets the risks of its rows relative to it.
func (l *Cox) raise(now *risks, g tied, exp, z []float64, t Target) {
	top := now.top
	for _, i := range l.order[g.lo:g.hi] {
		if t.WeightOf(i) != 0 {
			top = max(top, z[i])
		}
	}
	if top > now.top {
		now.risk *= portable.Exp(now.top - top)
		now.top = top
	}
	for p, i := range l.order[g.lo:g.hi] {
		if exp[g.lo+p] = 0; t.WeightOf(i) != 0 {
			exp[g.lo+p] = portable.Exp(z[i] - top)
		}
	}
}

// countEvents sets the number of events of a group, their risk and their mean weight, given the relative risks of rows in
// their order.
func (l *Cox) countEvents(now *risks, g tied, exp []float64, t Target) {
	now.tie, now.mean, now.d = 0, 0, 0
	for p, i := range l.order[g.lo:g.events] {
		if w := t.WeightOf(i); w > 0 {
			now.tie += w * exp[g.lo+p]
			now.mean += w
			now.d++
		}
	}
	if now.d > 0 {
		now.mean /= float64(now.d)
	}
}

package eval

import (
	"math"
	"slices"
	"sort"
)

// Concordance returns Harrell's concordance (Harrell et al. 1982). It considers pairs of rows of
// which one had its event before the time of the other, and returns the share of pairs in which the
// row with the earlier event has the larger risk. Equal risks count half. A row that is observed
// until the time of an event counts as living longer. Rows of different strata are not compared; a
// nil stratum means only one. The weight of a pair is the product of the weights of its rows. It is
// NaN if there are no such pairs.
func Concordance(risk, time, event, stratum, w []float64) float64 {
	return ConcordanceFrom(risk, time, event, nil, stratum, w)
}

// ConcordanceFrom is [Concordance] for rows that are observed from their entries on: a row is
// compared with the events after its entry only. A nil entry means that all rows are observed from
// the start.
func ConcordanceFrom(risk, time, event, entry, stratum, w []float64) float64 {
	check("Concordance", len(risk), len(time), w)
	weight := func(i int) float64 { return weights(w).at(i) }
	return concordance(risk, time, event, entry, stratum, weight, weight)
}

// ConcordanceUno returns the concordance of Uno et al. (2011), in which a pair is also weighted by
// 1/G(t)², where G(t) is the Kaplan–Meier estimate of the probability to be still observed at the
// time t of the event. Unlike Harrell's, it does not depend on how long rows were observed.
func ConcordanceUno(risk, time, event, stratum, w []float64) float64 {
	check("ConcordanceUno", len(risk), len(time), w)
	observed := stillObserved(time, event, w)
	return concordance(risk, time, event, nil, stratum, func(i int) float64 {
		if observed[i] == 0 {
			return 0
		}
		return weights(w).at(i) / (observed[i] * observed[i])
	}, func(i int) float64 { return weights(w).at(i) })
}

// concordance adds up pairs from the last time to the first. The risks of the rows that live longer
// are in a tree of sums; they leave it at their entry. The weight of a pair is of(i) of its event times
// longer(j) of the row that lives longer.
func concordance(risk, time, event, entry, stratum []float64, of, longer func(i int) float64) float64 {
	n := len(risk)
	order := make([]int, n)
	for i := range order {
		if order[i] = i; math.IsNaN(risk[i]) {
			return math.NaN()
		}
	}
	in := func(i int) float64 {
		if stratum == nil {
			return 0
		}
		return stratum[i]
	}
	sort.SliceStable(order, func(a, b int) bool {
		i, j := order[a], order[b]
		if in(i) != in(j) {
			return in(i) < in(j)
		}
		return time[i] > time[j]
	})
	var leaving []int // the rows by stratum, and by descending entry
	if entry != nil {
		leaving = slices.Clone(order)
		sort.SliceStable(leaving, func(a, b int) bool {
			i, j := leaving[a], leaving[b]
			if in(i) != in(j) {
				return in(i) < in(j)
			}
			return entry[i] > entry[j]
		})
	}
	gone := 0
	ranks := slices.Compact(slices.Sorted(slices.Values(risk)))
	var good, all float64
	var tree sums
	for lo := 0; lo < n; {
		if i := order[lo]; lo == 0 || in(i) != in(order[lo-1]) {
			tree = make(sums, len(ranks)+1)
			gone = lo
		}
		hi := lo
		for hi < n && in(order[hi]) == in(order[lo]) && time[order[hi]] == time[order[lo]] {
			hi++
		}
		for ; gone < lo && leaving != nil && entry[leaving[gone]] >= time[order[lo]]; gone++ {
			tree.add(sort.SearchFloat64s(ranks, risk[leaving[gone]]), -longer(leaving[gone]))
		}
		for _, i := range order[lo:hi] { // rows without an event live longer than those with one
			if event[i] == 0 {
				tree.add(sort.SearchFloat64s(ranks, risk[i]), longer(i))
			}
		}
		for _, i := range order[lo:hi] {
			if event[i] == 0 || of(i) == 0 {
				continue
			}
			at := sort.SearchFloat64s(ranks, risk[i])
			below, upTo := tree.below(at), tree.below(at+1)
			good += of(i) * (below + upTo) / 2
			all += of(i) * tree.below(len(ranks))
		}
		for _, i := range order[lo:hi] {
			if event[i] != 0 {
				tree.add(sort.SearchFloat64s(ranks, risk[i]), longer(i))
			}
		}
		lo = hi
	}
	if all == 0 {
		return math.NaN()
	}
	return good / all
}

// sums is a tree of sums (Fenwick 1994).
type sums []float64

func (s sums) add(at int, v float64) {
	for i := at + 1; i < len(s); i += i & -i {
		s[i] += v
	}
}

// below returns the sum of all entries before at.
func (s sums) below(at int) (sum float64) {
	for i := at; i > 0; i -= i & -i {
		sum += s[i]
	}
	return sum
}

// stillObserved returns, for each row, the Kaplan–Meier estimate of the probability to be observed
// beyond its time; at equal times, rows are censored after events.
func stillObserved(time, event, w []float64) []float64 {
	n := len(time)
	order := make([]int, n)
	atRisk := 0.0
	for i := range order {
		order[i] = i
		atRisk += weights(w).at(i)
	}
	sort.SliceStable(order, func(a, b int) bool { return time[order[a]] < time[order[b]] })
	out, still := make([]float64, n), 1.0
	for lo := 0; lo < n; {
		hi, events, lost := lo, 0.0, 0.0
		for hi < n && time[order[hi]] == time[order[lo]] {
			i := order[hi]
			if event[i] != 0 {
				events += weights(w).at(i)
			} else {
				lost += weights(w).at(i)
			}
			hi++
		}
		if left := atRisk - events; left > 0 {
			still *= max(1-lost/left, 0)
		}
		for _, i := range order[lo:hi] {
			out[i] = still
		}
		atRisk -= events + lost
		lo = hi
	}
	return out
}

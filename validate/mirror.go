package validate

import (
	"cmp"
	"math"
	"slices"
)

// Mirror is the mirror statistic of a candidate (Dai, Lin, Xing and Liu 2023): one half of the rows selected the
// candidates, and both halves fitted them. The statistic is positive if the effects of the two fits agree. If the
// variable is irrelevant given the other candidates, its sign is as random as the toss of a coin.
type Mirror struct {
	Variable int
	Value    float64
}

// Discoveries are the variables that half samples confirm at a false discovery rate.
type Discoveries struct {
	Variables []int // ascending
	// Confirmed is the share of the half samples in which each variable was confirmed, by its number.
	Confirmed []float64
	// Relevant estimates the number of relevant variables among the candidates of a half sample: the excess of
	// positive over negative statistics.
	Relevant float64
}

// Discover returns the variables that half samples confirm at a false discovery rate. A half sample confirms candidates
// whose statistic is at least a cutoff, which is the same for all. For each irrelevant variable above the cutoff, one is
// expected below its negative, so the negative ones estimate the number of false ones. The cutoff is the smallest at which
// they, and offset for each half sample, are at most the given share of the positive ones. A variable is discovered by its
// inclusion rate, its mean share of the variables that a half sample confirms: those of the lowest inclusion rates that
// add up to the false discovery rate are left out, of equal ones those of the lowest sum of statistics, and so are those
// that less than a share least of the half samples confirm.
func Discover(halves [][]Mirror, variables int, rate, offset, least float64) *Discoveries {
	d := &Discoveries{Confirmed: make([]float64, variables)}
	n := float64(len(halves))
	var all []float64
	for _, half := range halves {
		for _, m := range half {
			all = append(all, m.Value)
			d.Relevant += float64(sign(m.Value)) / n
		}
	}
	d.Relevant = max(d.Relevant, 0)
	cutoff := mirrorCutoff(all, rate, offset*n)
	inclusion, strength, total := make([]float64, variables), make([]float64, variables), 0.0
	for _, half := range halves {
		var confirmed []int
		for _, m := range half {
			if strength[m.Variable] += m.Value; m.Value >= cutoff {
				confirmed = append(confirmed, m.Variable)
			}
		}
		for _, v := range confirmed {
			d.Confirmed[v]++
			inclusion[v] += 1 / float64(len(confirmed))
		}
		if len(confirmed) > 0 {
			total++
		}
	}
	var order []int
	for v, count := range d.Confirmed {
		if d.Confirmed[v] = count / n; count > 0 {
			order = append(order, v)
		}
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(inclusion[a], inclusion[b]), cmp.Compare(strength[a], strength[b]), cmp.Compare(b, a))
	})
	left := 0.0
	for _, v := range order {
		if left += inclusion[v]; left > rate*total && d.Confirmed[v] >= least {
			d.Variables = append(d.Variables, v)
		}
	}
	slices.Sort(d.Variables)
	return d
}

// mirrorCutoff returns the smallest cutoff at which the negative statistics, and offset, are at most a share of the
// positive ones; infinity if there is none.
func mirrorCutoff(values []float64, share, offset float64) float64 {
	values = slices.Clone(values)
	slices.SortFunc(values, func(a, b float64) int { return cmp.Compare(math.Abs(b), math.Abs(a)) })
	cutoff, positive, negative := math.Inf(1), 0.0, offset
	for i, v := range values {
		switch sign(v) {
		case 1:
			positive++
		case -1:
			negative++
		default:
			return cutoff
		}
		last := i+1 == len(values) || math.Abs(values[i+1]) < math.Abs(v)
		if last && negative <= share*positive {
			cutoff = math.Abs(v)
		}
	}
	return cutoff
}

// sign returns 1, −1 or 0.
func sign(v float64) int { return cmp.Compare(v, 0) }

package validate

import (
	"cmp"
	"math"
	"slices"
)

// SignedRank returns the statistic of Wilcoxon's signed-rank test (1945) in standard
// deviations, corrected for continuity. Above 1.96, the differences are positive at a
// significance of 5%. Ranks of equal differences are averaged, and zeros are ignored.
func SignedRank(d []float64) float64 {
	var all []float64
	for _, x := range d {
		if x != 0 && x == x {
			all = append(all, x)
		}
	}
	slices.SortFunc(all, func(a, b float64) int { return cmp.Compare(math.Abs(a), math.Abs(b)) })
	n := float64(len(all))
	if n == 0 {
		return 0
	}
	var positive, ties float64
	for from := 0; from < len(all); {
		to := from + 1
		for to < len(all) && math.Abs(all[to]) == math.Abs(all[from]) {
			to++
		}
		rank, equal := float64(from+1+to)/2, float64(to-from)
		for _, x := range all[from:to] {
			if x > 0 {
				positive += rank
			}
		}
		ties += equal * (equal*equal - 1)
		from = to
	}
	above := positive - n*(n+1)/4
	above = math.Copysign(max(math.Abs(above)-0.5, 0), above)
	return above / math.Sqrt(n*(n+1)*(2*n+1)/24-ties/48)
}

// differences returns a − b.
func differences(a, b []float64) []float64 {
	d := make([]float64, min(len(a), len(b)))
	for i := range d {
		d[i] = a[i] - b[i]
	}
	return d
}

package paper

import "math"

const (
	// publishedRuns is the number of runs over which the numbers of the paper's tables are averaged.
	publishedRuns = 100
	// With fewer runs, their spread is unknown.
	leastRuns = 10
)

// compare completes a row with the published number. Ours differs if it is more than three standard
// errors of the difference away, in addition to rounding. The paper does not report the spread of
// its runs, so it is assumed to equal ours. Times are from other machines and are not compared.
func (r *Row) compare(f figure, known bool) {
	if !known {
		return
	}
	r.Published = new(f.value)
	if r.Ours == nil || r.Runs < leastRuns || r.Metric == seconds {
		return
	}
	n := float64(r.Runs)
	var variance float64 // of one run
	if r.Metric == dr {
		// A rate near 0 or 100 has a sampling error even if all runs agree.
		rate := (*r.Ours*n + f.value*publishedRuns) / (n + publishedRuns)
		variance = rate * (100 - rate)
	} else {
		variance = *r.SE * *r.SE * n
	}
	bound := 3*math.Sqrt(variance*(1/n+1.0/publishedRuns)) + f.unit/2
	r.Differs = math.Abs(*r.Ours-f.value) > bound
}

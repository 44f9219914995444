package paper

import "math"

const (
	// publishedRuns is how many runs the numbers of the paper's tables are
	// means of.
	publishedRuns = 100
	// With fewer runs it is not known how much they vary.
	leastRuns = 10
)

// compare completes a row with what was published. Ours differs if it is more
// than three standard errors of the difference away, besides what rounding has
// done. The paper does not say how much its runs vary: as much as ours, it is
// assumed. Times are of other machines and are not compared.
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
		// A rate near 0 or 100 varies by how often it was looked at, even
		// where all runs agree.
		rate := (*r.Ours*n + f.value*publishedRuns) / (n + publishedRuns)
		variance = rate * (100 - rate)
	} else {
		variance = *r.SE * *r.SE * n
	}
	bound := 3*math.Sqrt(variance*(1/n+1.0/publishedRuns)) + f.unit/2
	r.Differs = math.Abs(*r.Ours-f.value) > bound
}

package describe

import (
	"fmt"
	"slices"
)

// countProblem suggests a loss for a numeric target that looks like counts or amounts: only the
// user knows what it is.
func (p *pass) countProblem(out *Report, c *counted) {
	const few = 5 // number of different values
	if c.low < 0 || c.distinct() < few || len(c.sample) == 0 {
		return
	}
	values := slices.Sorted(slices.Values(c.sample))
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	mean, middle, last := sum/float64(len(values)), values[len(values)/2], values[len(values)-1]
	if mean <= middle { // counts and amounts have a long tail
		return
	}
	zeros := c.counts[0]
	switch {
	case c.whole && c.low == 0:
		out.add(out.Target, 30, fmt.Sprintf("the target has whole numbers from 0, and %d of %d are 0", zeros, c.n), "--loss poisson if they count something, with --exposure COLUMN if rows were observed for different times or areas")
	case !c.whole && c.low == 0 && zeros > c.n/20:
		out.add(out.Target, 30, fmt.Sprintf("the target has amounts, and %d of %d are 0", zeros, c.n), "--loss tweedie if effects multiply the amount")
	case !c.whole && c.low > 0 && last > 20*middle:
		out.add(out.Target, 30, "the target has positive amounts with a long tail", "--loss gamma if effects multiply the amount")
	}
}

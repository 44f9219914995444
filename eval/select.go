package eval

import "math"

// Detection compares selected variables with the true ones. It returns whether all true variables
// were selected, and the share of them that were selected. Their means over runs are the paper's
// all-variable detection rate DR and percent correctly detected PCD. If there are no true
// variables, the results are true and NaN.
func Detection(selected, truth []int) (all bool, share float64) {
	missing := make(map[int]bool, len(truth))
	for _, j := range truth {
		missing[j] = true
	}
	total := len(missing)
	if total == 0 {
		return true, math.NaN()
	}
	for _, j := range selected {
		delete(missing, j)
	}
	return len(missing) == 0, float64(total-len(missing)) / float64(total)
}

package anneal

// Schedule returns the number of groups that are left after epoch e, counted from 1. epochs is
// the number of epochs, groups the number of groups at the start, and k the number of groups
// to keep.
type Schedule func(e, epochs, groups, k int) int

// Inverse is the schedule of eq. (invschedule):
//
//	M_e = k + (M−k)·max(0, (N−2e)/(2eμ+N)),  N epochs in all
//
// truncated to an integer. It reaches k after half of the epochs. A larger μ drops variables earlier.
func Inverse(mu float64) Schedule {
	return func(e, epochs, groups, k int) int {
		n, twice := float64(epochs), 2*float64(e)
		// Multiply before dividing, so that an integer M_e is exact.
		return k + int(float64(groups-k)*max(0, n-twice)/(twice*mu+n))
	}
}

// Passes predicts the cost of a schedule in passes over all groups: the area under M_e,
// divided by M. Epoch e works on the groups that are left after epoch e−1.
func Passes(s Schedule, epochs, groups, k int) float64 {
	area := 0
	for _, alive := range Alive(s, epochs, groups, k) {
		area += alive
	}
	return float64(area) / float64(groups)
}

// Alive returns the number of groups in each epoch.
func Alive(s Schedule, epochs, groups, k int) []int {
	list := make([]int, epochs)
	for e, alive := 1, groups; e <= epochs; e++ {
		list[e-1] = alive
		alive = bounded(s(e, epochs, groups, k), k, alive)
	}
	return list
}

// bounded limits the result of a schedule to the range from k to the number of active groups.
func bounded(m, k, alive int) int {
	return min(max(m, min(k, alive)), alive)
}

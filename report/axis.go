package report

import (
	"math"
	"slices"
	"sort"
)

const (
	// crowded is the share of a linear axis below which 90% of the rows do not have enough space.
	crowded = 0.4
	// dense is the share of the axis below which half of the different values do not have enough
	// space.
	dense = 0.12
	// ranked is the weight of the ranks on an axis of quantiles. The rest is linear, so that
	// different values have different positions.
	ranked = 0.85
	// axisPieces is the number of pieces of an axis of quantiles.
	axisPieces = 64
)

// axis is a horizontal axis that can give more space to ranges with many rows.
type axis struct {
	log  bool
	warp []float64 // for an axis of quantiles; nil for others
}

// axisOf returns the axis for a number with the given distribution. It is linear unless a few
// extreme values would leave too little space for the others.
func axisOf(d *Density) (a axis) {
	if d == nil || len(d.Quantiles) < 21 || !slices.IsSorted(d.Quantiles) {
		return a
	}
	q, last := d.Quantiles, len(d.Quantiles)-1
	different := slices.Compact(slices.Clone(q))
	if len(different) < 5 {
		return a
	}
	tight := func(place func(x float64) float64) bool {
		whole := place(q[last]) - place(q[0])
		if place(q[last-last/20])-place(q[last/20]) < crowded*whole {
			return true
		}
		half := len(different) / 2
		for i, v := range different[half:] {
			if place(v)-place(different[i]) < dense*whole {
				return true
			}
		}
		return false
	}
	switch {
	case !tight(func(x float64) float64 { return x }):
	case q[0] > 0 && !tight(math.Log):
		a.log = true
	default:
		a.warp = quantileAxis(q)
	}
	return a
}

// quantileAxis returns the values at equal distances along an axis on which ranks are about evenly
// spaced, or nil if there is no such axis.
func quantileAxis(q []float64) []float64 {
	low, high := q[0], q[len(q)-1]
	points := slices.Clone(q)
	for i := range axisPieces {
		points = append(points, low+(high-low)*float64(i)/axisPieces)
	}
	slices.Sort(points)
	points = slices.Compact(points)
	places := make([]float64, len(points))
	for i, x := range points {
		places[i] = ranked*rank(q, x) + (1-ranked)*(x-low)/(high-low)
	}
	out := make([]float64, axisPieces+1)
	for i := range out {
		want := places[0] + (places[len(places)-1]-places[0])*float64(i)/axisPieces
		at := min(max(sort.SearchFloat64s(places, want), 1), len(places)-1)
		share := (want - places[at-1]) / (places[at] - places[at-1])
		out[i] = points[at-1] + min(max(share, 0), 1)*(points[at]-points[at-1])
	}
	for i := range axisPieces {
		if !(out[i+1] > out[i]) {
			return nil
		}
	}
	return out
}

// rank returns the share of the rows below a value, from the quantiles.
func rank(q []float64, x float64) float64 {
	last := len(q) - 1
	low := sort.SearchFloat64s(q, x)
	high := sort.Search(len(q), func(i int) bool { return q[i] > x }) - 1
	switch {
	case low <= high: // x equals one or several quantiles
		return float64(low+high) / 2 / float64(last)
	case low == 0:
		return 0
	case low > last:
		return 1
	}
	return (float64(low-1) + (x-q[low-1])/(q[low]-q[low-1])) / float64(last)
}

// along returns positions for a curve from low to high, evenly spaced on the axis.
func (a axis) along(low, high float64) []float64 {
	const n = 40
	x := []float64{low}
	switch {
	case a.log:
		for i := 1; i < n; i++ {
			x = append(x, low*math.Pow(high/low, float64(i)/n))
		}
	case a.warp != nil:
		for _, v := range a.warp {
			if v > low && v < high {
				x = append(x, v)
			}
		}
	}
	return append(x, high)
}

// name describes the kind of axis, for its label.
func (a axis) name() string {
	switch {
	case a.log:
		return " (log scale)"
	case a.warp != nil:
		return " (scale by quantiles)"
	}
	return ""
}

// at returns the number at a share of the axis from low to high.
func (a axis) at(low, high, share float64) float64 {
	switch {
	case share <= 0:
		return low
	case share >= 1:
		return high
	case a.log:
		return low * math.Pow(high/low, share)
	case a.warp != nil && a.warp[0] <= low && high <= a.warp[len(a.warp)-1]:
		place := share * float64(len(a.warp)-1)
		i := min(int(place), len(a.warp)-2)
		return a.warp[i] + (place-float64(i))*(a.warp[i+1]-a.warp[i])
	}
	return low*(1-share) + high*share
}

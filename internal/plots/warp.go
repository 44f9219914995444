package plots

import (
	"math"
	"sort"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
)

// warped is the scale of an axis that has the given increasing values at equal distances.
type warped []float64

var _ plot.Normalizer = warped(nil)

// Normalize returns the position of x as a share of the axis.
func (w warped) Normalize(low, high, x float64) float64 {
	from, to := w.place(low), w.place(high)
	if !(to > from) {
		return 0
	}
	return (w.place(x) - from) / (to - from)
}

// place returns the position of x among all values: 0 is the first value, and 1 the last.
func (w warped) place(x float64) float64 {
	last := len(w) - 1
	at := sort.SearchFloat64s(w, x)
	switch {
	case at == 0:
		return 0
	case at > last:
		return 1
	}
	share := (x - w[at-1]) / (w[at] - w[at-1])
	return (float64(at-1) + share) / float64(last)
}

// warpTicks puts round numbers on a warped axis, about evenly spaced.
type warpTicks struct {
	warp []float64
	most int
	room vg.Length // length of the axis, if labels are beside each other along it; 0 means that there is enough
}

var _ plot.Ticker = warpTicks{}

// Ticks returns the marks between low and high: the roundest number near each of several positions.
func (t warpTicks) Ticks(low, high float64) []plot.Tick {
	w := warped(t.warp)
	last := len(w) - 1
	n := max(t.most, 2)
	at := func(share float64) float64 {
		place := min(max(share, 0), 1) * float64(last)
		i := min(int(place), last-1)
		return w[i] + (place-float64(i))*(w[i+1]-w[i])
	}
	var marks []plot.Tick
	before := -1.0
	for i := range n {
		share := (float64(i) + 0.5) / float64(n)
		v, step := roundest(at(share-0.3/float64(n)), at(share+0.3/float64(n)))
		if v < low || v > high || w.place(v) < before+0.5/float64(n) {
			continue
		}
		before = w.place(v)
		marks = append(marks, plot.Tick{Value: v, Label: label(v, step)})
	}
	if t.room > 0 {
		return apart(marks, func(v float64) vg.Length { return t.room * vg.Length(w.Normalize(low, high, v)) })
	}
	return marks
}

// roundest returns the number between two others that has the fewest digits, and the unit of its
// last digit.
func roundest(low, high float64) (v, unit float64) {
	if low <= 0 && high >= 0 {
		return 0, 1
	}
	size := math.Pow(10, math.Ceil(math.Log10(max(math.Abs(low), math.Abs(high)))))
	for range 18 {
		for _, m := range []float64{1, 0.5, 0.2} {
			step := m * size
			if v := step * math.Round((low+high)/2/step); v >= low && v <= high {
				return v, step
			}
			if v := step * math.Ceil(low/step); v <= high {
				return v, step
			}
		}
		size /= 10
	}
	return low, size
}

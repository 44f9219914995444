package motion

import (
	"fmt"
	"math"
)

// space is a set of coordinates of the points of a sequence.
type space struct {
	name   string
	points [][]float64
	// unit is the unit of distances: pixels per frame for tracks, the root mean square of a
	// coordinate for projections.
	unit float64
	// series names the series of spaces of different dimensions to which this one belongs; empty for
	// tracks and velocities.
	series string

	near, angle graph
}

// view holds what features need to know about a sequence. What does not depend on the candidate is
// computed once.
type view struct {
	motions int
	spaces  []space
	rivals  []Candidate
}

// gridDims is the number of dimensions between 2K and 4K that features use.
const gridDims = 7

// gridDim returns the t-th of these dimensions. The grid is relative to K, so a feature has the
// same meaning for any number of motions.
func gridDim(motions, t int) int {
	return 2*motions + int(math.Round(2*float64(motions)*float64(t)/(gridDims-1)))
}

// trackSpace is the name of the tracks themselves.
const trackSpace = "track"

// The names of the two series of projections.
const (
	velocitySeries = "v"
	trackSeries    = "w"
)

// newView prepares a sequence with its candidates.
func newView(s *Sequence, rivals []Candidate) *view {
	v := &view{motions: s.Motions, rivals: rivals}
	perFrame := math.Sqrt(float64(s.Frames))
	velocity := s.velocities()
	v.spaces = []space{{name: trackSpace, points: s.Track, unit: perFrame}, {name: "velocity", points: velocity, unit: perFrame}}
	for _, from := range []struct {
		series  string
		vectors [][]float64
	}{{velocitySeries, velocity}, {trackSeries, s.Track}} {
		p := project(from.vectors, 4*s.Motions)
		for t := range gridDims {
			v.spaces = append(v.spaces, space{
				name:   fmt.Sprintf("%s%d", from.series, t),
				points: p.to(min(gridDim(s.Motions, t), p.rank())),
				unit:   1 / math.Sqrt(float64(s.Points)),
				series: from.series,
			})
		}
	}
	for i := range v.spaces {
		sp := &v.spaces[i]
		sp.near, sp.angle = graphs(sp.points)
	}
	return v
}

// logarithmic returns n numbers from low to high with constant ratios.
func logarithmic(low, high float64, n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = low * math.Pow(high/low, float64(i)/float64(n-1))
	}
	return out
}

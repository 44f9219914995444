package motion

import (
	"math"
	"testing"
)

// TestDistances checks that tracks of rigid motions have no distance to their subspace, in few and
// in many coordinates, and that mixed motions have some.
func TestDistances(t *testing.T) {
	for _, frames := range []int{4, 60} { // fewer and more coordinates than points
		s := rigid("r", 2, 20, frames, 0, 1)
		apart := distances(s.Track, s.Truth, 2)
		mixed := distances(s.Track, make(Labels, s.Points), 2)
		for i := range apart {
			if apart[i] > 1e-6 || mixed[i] < 0.01 {
				t.Errorf("%d frames, point %d: %g from its own subspace, %g from one for all", frames, i, apart[i], mixed[i])
			}
		}
	}
}

// TestFewPoints: three points lie in a plane, and one point in itself.
func TestFewPoints(t *testing.T) {
	points := [][]float64{{0, 0, 0, 0, 1}, {1, 0, 0, 0, 1}, {0, 2, 0, 0, 1}, {5, 5, 5, 5, 5}}
	own := distances(points, Labels{0, 0, 0, 1}, 3)
	for i, d := range own {
		if d > 1e-12 {
			t.Errorf("point %d is %g off", i, d)
		}
	}
}

func TestGraphs(t *testing.T) {
	points := [][]float64{{1, 0}, {2, 0.1}, {-30, 0}, {0, 1}}
	near, angle := graphs(points)
	if near[0][0] != 1 || near[2][0] != 3 || near[3][0] != 0 {
		t.Errorf("nearest by distance: %v", near)
	}
	if angle[0][0] != 2 || angle[1][0] != 0 {
		t.Errorf("nearest by angle: %v", angle)
	}
	all, each := near.cuts(Labels{0, 0, 1, 1}, 3)
	// The nearest neighbours of the points are 1, 0, 3 and 0: one of four links is cut, none of the
	// first motion and one of two of the second.
	if all[0] != 0.25 || each[0] != 0.25 {
		t.Errorf("cut %v of all links, %v of those of each motion", all[0], each[0])
	}
	// Of all links, eight of twelve join different motions.
	if math.Abs(all[2]-8.0/12) > 1e-12 {
		t.Errorf("cut %v", all)
	}
	// One point is cut off: all of its links are cut, and one of three of the others'.
	all, each = near.cuts(Labels{0, 0, 1, 0}, 2)
	if math.Abs(all[2]-0.5) > 1e-12 || math.Abs(each[2]-(1+1.0/3)/2) > 1e-12 {
		t.Errorf("cut %v of all links, %v of those of each motion", all[2], each[2])
	}
}

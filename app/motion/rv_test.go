package motion

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"fsa/internal/need"
)

// turning makes the tracks of points of a body that turns and shifts in front of a camera, so near
// that its perspective is visible, or far away.
func turning(n, frames int, distance float64, seed uint64) [][]float64 {
	rng := rand.New(rand.NewPCG(seed, 0))
	out := make([][]float64, n)
	for i := range out {
		x, y, z := rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()
		for f := range frames {
			sin, cos := math.Sincos(0.1 * float64(f))
			u, w := cos*x+sin*z, cos*z-sin*x
			depth := 1 + (w+0.1*float64(f))/distance
			out[i] = append(out[i], (u+0.05*float64(f))/depth, (y-0.02*float64(f))/depth)
		}
	}
	return out
}

// Points of one rigid motion satisfy its geometry, and a point that moves differently does not.
func TestEpipolar(t *testing.T) {
	const seed = 3
	at := frames{1, 7}
	for name, c := range map[string]struct {
		camera
		distance float64
	}{"perspective": {perspective, 6}, "affine": {affine, 1e9}} {
		tracks := turning(40, 9, c.distance, seed)
		members := make([]int, 12)
		for i := range members {
			members[i] = 3 * i
		}
		e := c.fit(tracks, members, at)
		for i, track := range tracks {
			if d := e.sampson(track, at); d > 1e-10 {
				t.Errorf("%s, seed %d: point %d is %g off", name, seed, i, math.Sqrt(d))
			}
		}
		other := slices.Clone(tracks[5])
		other[2*at.g+1] += 0.3
		if d := math.Sqrt(e.sampson(other, at)); d < 0.05 || d > 0.3 {
			t.Errorf("%s, seed %d: a point that moved by 0.3 is %g off", name, seed, d)
		}
	}
}

// Sampson's distance to an affine geometry is the distance to its hyperplane.
func TestSampsonAffine(t *testing.T) {
	e := epipolar{0, 0, 2, 0, 0, -1, 0.5, 1, 0.25}
	track := []float64{1, 2, 3, 4}
	want := math.Abs(2*3-1*4+0.5*1+1*2+0.25) / math.Sqrt(4+1+0.25+1)
	if got := math.Sqrt(e.sampson(track, frames{0, 1})); math.Abs(got-want) > 1e-12 {
		t.Errorf("%v, want %v", got, want)
	}
	if d := (&epipolar{}).sampson(track, frames{0, 1}); d != 0 {
		t.Errorf("no geometry at all is %v away", d)
	}
}

func TestWeakest(t *testing.T) {
	// Eigenvectors (1,1)/√2 of 101 and (1,−1)/√2 of 1.
	x := weakest([]float64{51, 0, 50, 51}, 2)
	if math.Abs(x[0]+x[1]) > 1e-6 || math.Abs(math.Hypot(x[0], x[1])-1) > 1e-12 {
		t.Errorf("direction %v", x)
	}
	for _, v := range weakest(make([]float64, 9), 3) {
		if math.IsNaN(v) {
			t.Error("a matrix of zeros has no direction")
		}
	}
}

// TestRandomizedVoting: two bodies that turn differently are separated, by the same labels every
// time.
func TestRandomizedVoting(t *testing.T) {
	ctx := context.Background()
	s := rigid("r", 2, 25, 12, 0.1, 4)
	labels, err := randomizedVoting(ctx, s)
	if err != nil {
		t.Fatal(err)
	}
	if wrong := Misclassified(labels, s.Truth); wrong > 2 {
		t.Errorf("%d of %d points are in the wrong motion", wrong, s.Points)
	}
	if again, err := randomizedVoting(ctx, s); err != nil || !slices.Equal(again, labels) {
		t.Errorf("a second call differs (%v)", err)
	}
	stopped, stop := context.WithCancel(ctx)
	stop()
	if _, err := randomizedVoting(stopped, s); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
	if labels, err := randomizedVoting(ctx, still(2)); err != nil || len(labels) != 8 {
		t.Errorf("points that are all in one place: %v, %v", labels, err)
	}
	picture := still(2)
	picture.Frames = 1
	if labels, err := randomizedVoting(ctx, picture); err != nil || len(labels) != 8 {
		t.Errorf("one frame: %v, %v", labels, err)
	}
	if labels, err := randomizedVoting(ctx, rigid("r", 1, 8, 5, 0, 1)); err != nil || Misclassified(labels, make(Labels, 8)) != 0 {
		t.Errorf("one motion: %v, %v", labels, err)
	}
}

// Sequences of the benchmark on which most published methods are right.
func TestRandomizedVotingHopkins(t *testing.T) {
	needHopkins(t)
	need.Long(t)
	for _, name := range []string{"kanatani1", "cars2_06_g12"} {
		s := hopkinsSequence(t, name)
		labels, err := randomizedVoting(context.Background(), s)
		if err != nil {
			t.Fatal(err)
		}
		if e := Error(labels, s.Truth); e > 0.03 {
			t.Errorf("%s: %.1f%% of the points are in the wrong motion", name, 100*e)
		}
	}
}

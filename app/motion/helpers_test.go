package motion

import (
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"fsa/internal/need"
)

// hopkins is the folder of the benchmark beside the repository.
const hopkins = "../../../shared/data/hopkins155"

func needHopkins(t *testing.T) {
	t.Helper()
	need.Data(t, "hopkins155")
}

func hopkinsSequence(t *testing.T, name string) *Sequence {
	t.Helper()
	s, err := ReadSequence(filepath.Join(hopkins, name+suffix), 0)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// still makes a sequence with four points per motion that never move.
func still(motions int) *Sequence {
	s := &Sequence{Points: 4 * motions, Frames: 3, Motions: motions}
	for range s.Points {
		s.Track = append(s.Track, make([]float64, 2*s.Frames))
	}
	return s
}

// rigid makes a sequence of bodies that turn and shift, seen by an affine camera: each track lies
// in an affine subspace of dimension three, up to noise.
func rigid(name string, motions, perMotion, frames int, noise float64, seed uint64) *Sequence {
	rng := rand.New(rand.NewPCG(seed, 0))
	s := &Sequence{Name: name, Video: name, Category: "checkerboard", Points: motions * perMotion, Frames: frames, Motions: motions}
	for m := range motions {
		turn, tilt := 0.02+0.06*rng.Float64(), rng.Float64()
		dx, dy := 4*rng.NormFloat64(), 4*rng.NormFloat64()
		cx, cy := 100+400*rng.Float64(), 100+300*rng.Float64()
		for range perMotion {
			x, y, z := 60*rng.NormFloat64(), 60*rng.NormFloat64(), 60*rng.NormFloat64()
			var track []float64
			for f := range frames {
				sin, cos := math.Sincos(turn * float64(f))
				u := cos*x + sin*z
				v := y*math.Cos(tilt) + (cos*z-sin*x)*math.Sin(tilt)
				track = append(track, cx+u+dx*float64(f)+noise*rng.NormFloat64(), cy+v+dy*float64(f)+noise*rng.NormFloat64())
			}
			s.Track = append(s.Track, track)
			s.Truth = append(s.Truth, m)
		}
	}
	return s
}

// rigids makes several sequences of two motions in videos of two.
func rigids(n int) []*Sequence {
	var list []*Sequence
	for i := range n {
		s := rigid(fmt.Sprintf("s%02d", i), 2, 12, 10, 1.5, uint64(i))
		s.Video = fmt.Sprintf("v%d", i/2)
		list = append(list, s)
	}
	return list
}

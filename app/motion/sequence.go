// Package motion segments point trajectories by motion: it finds which of the points that were
// tracked through a video move together.
//
// The method is that of the paper's supplement. A [Sequence] is segmented many times, with
// different settings and methods ([Candidates]); each candidate segmentation is described by about
// a thousand numbers that measure how rigid and how compact its motions are ([Features]); and a
// ranking model, trained on sequences with known segmentation, chooses one ([Segmenter]).
// [Evaluate] runs the experiment on the Hopkins 155 sequences.
package motion

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"fsa/app/motion/matlab"
	"fsa/data"
)

// Sequence is a set of points that were tracked through the frames of a video.
type Sequence struct {
	Name     string
	Category string // checkerboard, traffic or articulated; empty if unknown
	Video    string // sequences of one video share points

	Points, Frames int
	// Motions is the number of motions to find.
	Motions int
	// Track has for each point x and y in the first frame, then in the second, and so on, in pixels.
	Track [][]float64
	// Truth is the true motion of each point, counted from 0; nil if unknown.
	Truth []int
}

// suffix ends the names of the files of the benchmark.
const suffix = "_truth.mat"

// Limits on sequences. They are a hundred times what the benchmark needs, and the squares of these
// numbers fit into memory.
const (
	maxPoints = 8192
	maxFrames = 4096
	// MaxMotions is the largest number of motions.
	MaxMotions = 6
)

// ReadSequence reads a MATLAB 5 file with an array x of 3 (or 2) × points × frames, homogeneous
// coordinates, and an array s with the motion of each point, counted from 1. Motions is the number
// of motions; 0 means as many as in s, which must then exist.
//
// Files of the benchmark have the tracks twice: x in the normalised coordinates of the camera, y in
// pixels. If there is a y, it is used, because it gives better candidates; see
// docs/evidence/motion.md.
func ReadSequence(path string, motions int) (*Sequence, error) {
	f, err := matlab.Open(path, "x", "y", "s")
	if err != nil {
		return nil, err
	}
	s := &Sequence{Name: strings.TrimSuffix(strings.TrimSuffix(filepath.Base(path), suffix), ".mat"), Motions: motions}
	bad := func(format string, a ...any) (*Sequence, error) {
		return nil, &data.Error{File: path, Msg: fmt.Sprintf(format, a...)}
	}
	x, truth := f["x"], f["s"]
	switch {
	case x == nil:
		return bad("there is no array x: it must hold the tracks, 3 × points × frames")
	case truth == nil && motions == 0:
		return bad("there is no array s: it must hold the motion of each point, or the number of motions must be given")
	case len(x.Dims) != 3 || x.Dims[0] != 3 && x.Dims[0] != 2:
		return bad("x is an array of %v numbers: it must be 3 × points × frames", x.Dims)
	case x.Dims[1] < 1 || x.Dims[1] > maxPoints || x.Dims[2] < 2 || x.Dims[2] > maxFrames:
		return bad("x has %d points in %d frames: there must be 1 to %d points in 2 to %d frames", x.Dims[1], x.Dims[2], maxPoints, maxFrames)
	}
	if y := f["y"]; y != nil {
		if !slices.Equal(x.Dims, y.Dims) {
			return bad("x is an array of %v numbers and y of %v: they must hold the same tracks in different units", x.Dims, y.Dims)
		}
		x = y
	}
	s.Points, s.Frames = x.Dims[1], x.Dims[2]
	if err := s.setTracks(x); err != nil {
		return bad("%v", err)
	}
	if truth != nil {
		if err := s.setTruth(truth); err != nil {
			return bad("%v", err)
		}
		if motions > 0 {
			s.Motions = motions
		}
	}
	if err := s.check(); err != nil {
		return bad("%v", err)
	}
	return s, nil
}

// setTracks copies the first two of the homogeneous coordinates.
func (s *Sequence) setTracks(x *matlab.Array) error {
	s.Track = make([][]float64, s.Points)
	for p := range s.Points {
		track := make([]float64, 0, 2*s.Frames)
		for f := range s.Frames {
			at := x.Dims[0] * (f*s.Points + p)
			track = append(track, x.Values[at], x.Values[at+1])
		}
		if i := slices.IndexFunc(track, func(v float64) bool { return math.IsNaN(v) || math.Abs(v) > maxCoordinate }); i >= 0 {
			return fmt.Errorf("point %d is at %v in frame %d: every point needs a finite position in every frame (leave out incomplete tracks)", p+1, track[i], i/2+1)
		}
		s.Track[p] = track
	}
	return nil
}

// maxCoordinate limits coordinates, so that their squares can be added.
const maxCoordinate = 1e100

// setTruth copies the true motions from the array s.
func (s *Sequence) setTruth(a *matlab.Array) error {
	if len(a.Values) != s.Points {
		return fmt.Errorf("the array s has %d values for %d points: it must have one per point", len(a.Values), s.Points)
	}
	values := slices.Clone(a.Values)
	slices.Sort(values)
	values = slices.Compact(values)
	odd := slices.IndexFunc(values, func(v float64) bool { return v != math.Trunc(v) }) // true for NaN, too
	switch {
	case odd >= 0:
		return fmt.Errorf("the array s has the value %v: motions must be whole numbers", values[odd])
	case len(values) > MaxMotions:
		return fmt.Errorf("the array s has %d different motions: at most %d are supported", len(values), MaxMotions)
	}
	s.Truth = make([]int, s.Points)
	for p, v := range a.Values {
		s.Truth[p], _ = slices.BinarySearch(values, v)
	}
	s.Motions = len(values)
	return nil
}

// minPoints is the number of points that a rigid motion needs: any three points lie on a plane.
const minPoints = 4

// check returns an error if the sequence cannot be segmented.
func (s *Sequence) check() error {
	switch {
	case s.Motions < 1 || s.Motions > MaxMotions:
		return fmt.Errorf("%d motions: there must be 1 to %d", s.Motions, MaxMotions)
	case s.Points < minPoints*s.Motions:
		return fmt.Errorf("%d points for %d motions: at least %d points per motion are needed", s.Points, s.Motions, minPoints)
	}
	return nil
}

// Package faces reads annotations of photographs: the landmarks of each face, and the seven
// keypoints of the detectors, which it computes from them.
//
// A folder of faces has the photographs in img/ and a table landmarks.tsv with a line for each
// face: its set, its photograph and the size of the photograph, the number of annotated faces on
// it, the distance between the eyes, and 68 landmarks in the order of the iBUG annotations, counted
// from the centre of the first pixel.
package faces

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// Point is a keypoint. Left and right are as seen in the picture.
type Point int

// The keypoints.
const (
	LeftEye Point = iota
	RightEye
	LeftNose
	RightNose
	LeftMouth
	RightMouth
	Chin
	Points // the number of keypoints
)

var pointNames = [Points]string{"left-eye", "right-eye", "left-nose", "right-nose", "left-mouth", "right-mouth", "chin"}

func (p Point) String() string { return pointNames[p] }

// ParsePoint returns the keypoint of the given name.
func ParsePoint(name string) (Point, error) {
	if i := slices.Index(pointNames[:], name); i >= 0 {
		return Point(i), nil
	}
	return 0, fmt.Errorf("unknown keypoint %q: it must be %s", name, strings.Join(pointNames[:], ", "))
}

// Landmarks is the number of landmarks of a face.
const Landmarks = 68

// members lists the landmarks, counted from 1, whose mean is each keypoint.
var members = [Points][]int{
	LeftEye: {37, 38, 39, 40, 41, 42}, RightEye: {43, 44, 45, 46, 47, 48},
	LeftNose: {32}, RightNose: {36}, LeftMouth: {49}, RightMouth: {55}, Chin: {9},
}

// Members returns the landmarks, counted from 0, whose mean the keypoint is.
func (p Point) Members() []int {
	out := make([]int, len(members[p]))
	for i, m := range members[p] {
		out[i] = m - 1
	}
	return out
}

// XY is a position on a photograph, counted from the centre of its first pixel.
type XY struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
}

// Face is an annotated face.
type Face struct {
	Name      string
	IED       float64 // the distance between the eyes, in pixels
	Landmarks [Landmarks]XY
}

// Point returns the position of a keypoint.
func (f *Face) Point(p Point) XY {
	var at XY
	for _, i := range members[p] {
		at.X += f.Landmarks[i-1].X
		at.Y += f.Landmarks[i-1].Y
	}
	n := float64(len(members[p]))
	return XY{at.X / n, at.Y / n}
}

// Photo is an annotated photograph.
type Photo struct {
	Set, Image string
	W, H       int
	Faces      []Face
}

// Inside reports whether a position is on the photograph.
func (p *Photo) Inside(at XY) bool {
	return at.X >= -0.5 && at.Y >= -0.5 && at.X < float64(p.W)-0.5 && at.Y < float64(p.H)-0.5
}

// Folder is a folder of annotated photographs.
type Folder struct {
	Dir    string
	Photos []Photo
}

// Open reads the annotations of a folder.
func Open(dir string) (*Folder, error) {
	photos, err := Read(filepath.Join(dir, "landmarks.tsv"))
	if err != nil {
		return nil, err
	}
	return &Folder{dir, photos}, nil
}

// Path returns the file of a photograph.
func (f *Folder) Path(p *Photo) string { return filepath.Join(f.Dir, "img", p.Image) }

// The sets of HELEN and AFW: detectors are trained on Train and tested on the others.
const (
	Train     = "helen_train"
	HelenTest = "helen_test"
	AFW       = "afw"
)

// Training returns the training photographs: those of the training set with a single face, so that
// any position far from its keypoint is negative.
func (f *Folder) Training() []*Photo {
	return f.choose(func(p *Photo) bool { return p.Set == Train && len(p.Faces) == 1 })
}

// Test returns the test photographs.
func (f *Folder) Test() []*Photo {
	return f.choose(func(p *Photo) bool { return p.Set == AFW || p.Set == HelenTest })
}

func (f *Folder) choose(wanted func(*Photo) bool) []*Photo {
	var out []*Photo
	for i := range f.Photos {
		if wanted(&f.Photos[i]) {
			out = append(out, &f.Photos[i])
		}
	}
	return out
}

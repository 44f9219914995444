package keypoint

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"fsa/app/keypoint/faces"
	"fsa/data"
	"fsa/internal/parallel"
)

const (
	// A keypoint counts as detected if a detection is within this distance, in IED,
	hitIED = 0.05
	// and a detection is wrong if it is at least this far, in IED, from that keypoint of every
	// annotated face of the photograph.
	missIED = 0.10
)

// Found has the detections of a keypoint, by photograph.
type Found struct {
	Photos     []*faces.Photo
	Point      faces.Point
	Detections [][]Detection
}

// DetectAll runs a detector over photographs of a folder. Threshold is the lowest score that
// counts; [Margin] is low enough for a curve.
func DetectAll(ctx context.Context, folder *faces.Folder, photos []*faces.Photo, d *Detector, threshold float64, threads int) (*Found, error) {
	a := album{folder, photos}
	if err := a.check(); err != nil {
		return nil, err
	}
	f := &Found{Photos: photos, Point: d.point, Detections: make([][]Detection, len(photos))}
	err := parallel.Do(ctx, threadsOr(threads), len(photos), func(_, i int) error {
		levels, err := a.pyramid(i)
		if err != nil {
			return err
		}
		f.Detections[i], err = d.detect(ctx, levels, threshold, 1)
		return err
	})
	return f, err
}

// NoTests is the error of a folder without test photographs.
func NoTests(f *faces.Folder, sets ...string) error {
	return &data.Error{File: filepath.Join(f.Dir, "landmarks.tsv"), Msg: fmt.Sprintf("there are no test photos: they must be in the set %s", strings.Join(sets, " or "))}
}

// Evaluate returns the precision-recall curve of detections.
func (f *Found) Evaluate() *Curve {
	var all []outcome
	keypoints := 0
	for i, p := range f.Photos {
		keypoints += visible(p, f.Point)
		all = append(all, outcomes(p, f.Point, f.Detections[i])...)
	}
	return newCurve(all, keypoints)
}

// visible returns how many keypoints are on a photograph.
func visible(p *faces.Photo, point faces.Point) int {
	n := 0
	for i := range p.Faces {
		if p.Inside(p.Faces[i].Point(point)) {
			n++
		}
	}
	return n
}

// outcomes judges the detections of a photograph, which are in descending order of score.
func outcomes(p *faces.Photo, point faces.Point, detections []Detection) []outcome {
	done := make([]bool, len(p.Faces))
	out := make([]outcome, len(detections))
	for k, d := range detections {
		out[k] = outcome{score: d.Score, wrong: true}
		for i := range p.Faces {
			face := &p.Faces[i]
			at := face.Point(point)
			away := distance(d.XY, at)
			if away < missIED*face.IED {
				out[k].wrong = false
			}
			if away <= hitIED*face.IED && !done[i] && p.Inside(at) {
				done[i] = true
				out[k].found++
			}
		}
	}
	return out
}

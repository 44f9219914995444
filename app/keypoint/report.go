package keypoint

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"fsa/app/keypoint/faces"
	"fsa/app/keypoint/photo"
	"fsa/app/keypoint/shape"
	"fsa/internal/atomicfile"
)

// The files of a report.
const (
	comparisonName = "comparison.json"
	tableName      = "table.txt"
	curvesName     = "curves.svg"
	responsesName  = "responses.svg"
	sketchesName   = "faces.svg"
)

// smoothness is the strength of the second-order prior in the picture of the
// responses.
const smoothness = 0.01

// pictures is the number of test photographs that are drawn.
const pictures = 6

// Report writes the results of a comparison into a folder: comparison.json, table.txt and
// curves.svg; responses.svg, for which one more detector is trained, with the second-order prior;
// and some test photographs with the detections of FSA-Lorenz at the threshold 0, and again without
// the photographs as faces.svg. The last three need a comparison with FSA-Lorenz. It returns the
// names of the files.
func Report(ctx context.Context, o Options, c *Comparison, dir string) (files []string, err error) {
	o = o.withDefaults()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("the folder for the results cannot be made: %w", err)
	}
	write := func(name string, f func(io.Writer) error) error {
		files = append(files, filepath.Join(dir, name))
		return atomicfile.WriteFile(filepath.Join(dir, name), f)
	}
	if err := write(comparisonName, func(w io.Writer) error { return json.NewEncoder(w).Encode(c) }); err != nil {
		return nil, err
	}
	if err := write(tableName, c.WriteTable); err != nil {
		return nil, err
	}
	if err := write(curvesName, c.PlotCurves); err != nil {
		return nil, err
	}
	folder, err := faces.Open(o.Data)
	if err != nil {
		return nil, err
	}
	detectors, err := Detectors(o.State, FSALorenz, o.Rounds)
	if err != nil {
		return nil, err
	}
	point := o.Points[0]
	if detectors[point] != nil {
		smooth, err := o.smooth(ctx, folder, point)
		if err != nil {
			return nil, err
		}
		if err := write(responsesName, func(w io.Writer) error { return PlotResponses(w, detectors[point], smooth) }); err != nil {
			return nil, err
		}
	}
	return files, o.draw(ctx, folder, detectors, write)
}

// smooth trains the detector of a keypoint by FSA-Lorenz with the second-order prior.
func (o *Options) smooth(ctx context.Context, folder *faces.Folder, point faces.Point) (*Detector, error) {
	l := o.Learner
	l.Smooth = smoothness
	learner, err := FindLearner(FSALorenz, l)
	if err != nil {
		return nil, err
	}
	t, err := o.train(ctx, folder, point, learner, filepath.Join(o.State, point.String(), FSALorenz+"-smooth"))
	if err != nil {
		return nil, err
	}
	return t.Detector, nil
}

// draw writes test photographs, half of each set, with their detections. If there are detectors of
// all keypoints, it also draws the parts of the faces that explain them.
func (o *Options) draw(ctx context.Context, folder *faces.Folder, detectors [faces.Points]*Detector, write func(name string, f func(io.Writer) error) error) error {
	var face *shape.Face
	if !slices.Contains(detectors[:], nil) {
		learn := folder.Training()
		var err error
		if face, err = meanFace(learn[:min(o.Photos, len(learn))]); err != nil {
			return err
		}
	}
	var sketches []Sketch
	for i, p := range testPhotos(folder, pictures) {
		var marks []Mark
		var all [faces.Points][]Detection
		for _, d := range detectors {
			if d == nil {
				continue
			}
			f, err := DetectAll(ctx, folder, []*faces.Photo{p}, d, 0, o.Threads)
			if err != nil {
				return err
			}
			all[d.point] = f.Detections[0]
			marks = append(marks, Mark{d.point, all[d.point]})
		}
		if len(marks) == 0 {
			return nil
		}
		sketches = append(sketches, Sketch{p, marks})
		if face != nil {
			marks = Parts(face, FindFaces(face, all), all)
		}
		m, err := photo.Read(folder.Path(p))
		if err != nil {
			return err
		}
		if err := write(fmt.Sprintf("detections-%d.png", i+1), func(w io.Writer) error { return Draw(w, m, marks) }); err != nil {
			return err
		}
	}
	return write(sketchesName, func(w io.Writer) error { return PlotSketches(w, sketches) })
}

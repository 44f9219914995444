package keypoint

import (
	"bytes"
	"context"
	"errors"
	"image/png"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"fsa/app/keypoint/faces"
	"fsa/app/keypoint/photo"
	"fsa/app/keypoint/scan"
	"fsa/app/keypoint/shape"
	"fsa/data"
)

func at(x, y, scale, score float64) Detection {
	return Detection{faces.XY{X: x, Y: y}, scale, score}
}

func TestDetect(t *testing.T) {
	f := openFaces(t, madeUp(t, 8, 1))
	tr, err := Train(context.Background(), quick(t, f, faces.RightEye))
	if err != nil {
		t.Fatal(err)
	}
	m, err := photo.Read(f.Path(f.Test()[0]))
	if err != nil {
		t.Fatal(err)
	}
	low, err := tr.Detector.Detect(context.Background(), m, "photo", Margin, 1)
	if err != nil || len(low) == 0 {
		t.Fatalf("%d detections, %v", len(low), err)
	}
	// A higher threshold drops detections, and more threads drop nothing.
	middle := low[len(low)/2].Score
	high, err := tr.Detector.Detect(context.Background(), m, "photo", middle, 3)
	if err != nil || !reflect.DeepEqual(high, low[:len(high)]) || len(high) < len(low)/2 {
		t.Errorf("above %v: %v instead of the first of %v (%v)", middle, high, low, err)
	}
	// A lower threshold does not change the detections above it: it adds some below.
	lower, err := tr.Detector.Detect(context.Background(), m, "photo", Margin-1, 1)
	if err != nil || len(lower) <= len(low) || !reflect.DeepEqual(lower[:len(low)], low) {
		t.Errorf("above %v: %d detections that do not begin with the %d above the margin (%v)", Margin-1, len(lower), len(low), err)
	}
	// After the move, no position is close to a higher one.
	for i, d := range lower {
		for _, higher := range lower[:i] {
			if distance(d.XY, higher.XY) < apart*higher.Scale {
				t.Errorf("%+v is close to %+v", d, higher)
			}
		}
	}
	want := f.Test()[0].Faces[0].Point(faces.RightEye)
	if distance(low[0].XY, want) > 4.2 {
		t.Errorf("the eye is at %v, not at %v", low[0].XY, want)
	}
	if _, err := tr.Detector.Detect(context.Background(), photo.New(23, 100), "tiny", 0, 1); !errors.Is(err, data.ErrBadData) {
		t.Errorf("a photo smaller than the window: %v", err)
	}
	var b bytes.Buffer
	if err := Draw(&b, m, []Mark{{faces.RightEye, append(low, at(-5, 1e4, 1, 2))}}); err != nil {
		t.Fatal(err)
	}
	if img, err := png.Decode(&b); err != nil || img.Bounds().Dx() != 2*m.W {
		t.Errorf("the picture cannot be read back: %v", err)
	}
}

func TestSuppress(t *testing.T) {
	wrap := func(ds ...Detection) (out []candidate) {
		for _, d := range ds {
			out = append(out, candidate{d, 0})
		}
		return out
	}
	got := suppress(wrap(at(10, 10, 1, 1), at(13, 10, 1, 3), at(16, 10, 1, 2), at(30, 10, 1, 0), at(40, 10, 4, 0.5)))
	// 13 suppresses 10 and 16; the coarse one at 40 covers 24 pixels and suppresses 30.
	if want := wrap(at(13, 10, 1, 3), at(40, 10, 4, 0.5)); !reflect.DeepEqual(got, want) {
		t.Errorf("%v", got)
	}
}

func TestPeaks(t *testing.T) {
	got := peaks([]scan.Hit{{X: 1, Y: 1, Score: 1}, {X: 2, Y: 1, Score: 1}, {X: 5, Y: 5, Score: 2}, {X: 6, Y: 6, Score: 3}, {X: 8, Y: 6, Score: 0}})
	if want := []scan.Hit{{X: 1, Y: 1, Score: 1}, {X: 6, Y: 6, Score: 3}, {X: 8, Y: 6, Score: 0}}; !reflect.DeepEqual(got, want) {
		t.Errorf("%v", got)
	}
}

// The centre of a symmetric hill is found wherever its peak is.
func TestRefine(t *testing.T) {
	levels := photo.Pyramid(photo.New(100, 100), 24)
	fields := make([]field, len(levels))
	for l, level := range levels {
		fields[l] = field{}
		for y := range level.H {
			for x := range level.W {
				p := place(level, x, y)
				if away := math.Hypot(p.X-50, p.Y-48); away < 5 {
					fields[l][pixel{x, y}] = 2 - away/5
				}
			}
		}
	}
	d := refine(at(51.2, 47.1, levels[2].Scale, 1.7), 2, levels, fields)
	if distance(d.XY, faces.XY{X: 50, Y: 48}) > 0.2 || d.Score != 1.7 {
		t.Errorf("%+v", d)
	}
}

func TestEvaluate(t *testing.T) {
	photo := &faces.Photo{W: 300, H: 200, Faces: []faces.Face{{IED: 40}, {IED: 80}, {IED: 40}}}
	for i, x := range []float64{50, 150, 400} { // the last is outside the photograph
		for k := range photo.Faces[i].Landmarks {
			photo.Faces[i].Landmarks[k] = faces.XY{X: x, Y: 100}
		}
	}
	f := &Found{Photos: []*faces.Photo{photo}, Point: faces.Chin, Detections: [][]Detection{{
		at(52, 100, 1, 9),   // 5% of 40: found
		at(50, 100, 1, 8),   // the same keypoint again: does not count
		at(57, 100, 1, 7),   // 17.5%: wrong
		at(156, 100, 1, 6),  // 7.5% of 80: neither
		at(150, 104, 1, 5),  // 5% of 80: found
		at(154.1, 90, 1, 4), // 13%: wrong
		at(400, 100, 1, 3),  // the face outside the photograph: neither
	}}}
	c := f.Evaluate()
	if c.Keypoints != 2 {
		t.Fatalf("%d keypoints", c.Keypoints)
	}
	wantP, wantR := []float64{1, 0.5, 2.0 / 3, 0.5}, []float64{0.5, 0.5, 1, 1}
	if !reflect.DeepEqual(c.Precision, wantP) || !reflect.DeepEqual(c.Recall, wantR) {
		t.Errorf("precision %v, recall %v", c.Precision, c.Recall)
	}
	// Half of the recall has precision 1, the other half 2/3.
	if want := 0.5 + 0.5*2/3; math.Abs(c.AP-want) > 1e-12 {
		t.Errorf("average precision %v, not %v", c.AP, want)
	}
	if r := c.RecallAt(0.9); r != 0.5 {
		t.Errorf("recall %v at a precision of 90%%", r)
	}
	// If there is nothing to find, every detection is wrong, and none is found.
	if c := newCurve([]outcome{{score: 1, wrong: true}}, 0); c.AP != 0 || !reflect.DeepEqual(c.Recall, []float64{0}) || !reflect.DeepEqual(c.Precision, []float64{0}) {
		t.Errorf("no keypoints: %+v", c)
	}
	if c := newCurve(nil, 5); c.AP != 0 || len(c.Recall) != 0 {
		t.Errorf("nothing found: %+v", c)
	}
}

// Among detections of two faces and many others, the faces are found and the others are dropped.
func TestPrune(t *testing.T) {
	const seed = 23
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	mean := madeUpFace()
	var face shape.Face
	depth := [faces.Points]float64{0, 0, -0.35, -0.35, 0, 0, 0.1}
	for p := range faces.Points {
		v := mean[p.Members()[0]]
		face[p] = shape.XYZ{X: v.X, Y: v.Y, Z: depth[p]}
	}
	poses := []shape.Pose{{Yaw: 0.5, Pitch: 0.1, Roll: 0.2, Scale: 42, X: 120, Y: 100}, {Yaw: -0.2, Roll: -0.3, Scale: 60, X: 350, Y: 140}}
	photos := []*faces.Photo{{W: 600, H: 400}}
	found := make([]*Found, faces.Points)
	truth := map[Detection]bool{}
	for p := range faces.Points {
		var all []Detection
		for i, pose := range poses {
			if i == 1 && p == faces.Chin {
				continue // hidden
			}
			q := pose.Project(face[p])
			d := at(q.X+r.NormFloat64(), q.Y+r.NormFloat64(), pose.Scale/28, 1+r.Float64())
			truth[d] = true
			all = append(all, d)
		}
		for range 12 {
			all = append(all, at(600*r.Float64(), 400*r.Float64(), math.Exp2(2*r.Float64()), 1.2*r.Float64()-0.5))
		}
		found[p] = &Found{Photos: photos, Point: p, Detections: [][]Detection{all}}
	}
	var all [faces.Points][]Detection
	for p := range all {
		all[p] = found[p].Detections[0]
	}
	sought := FindFaces(&face, all)
	if len(sought) < len(poses) {
		t.Fatalf("%d faces", len(sought))
	}
	for p, mark := range Parts(&face, sought[:len(poses)], all) {
		for _, d := range mark.Detections {
			if !truth[d] {
				t.Errorf("%+v is taken for a part %v", d, faces.Point(p))
			}
		}
	}
	kept := 0
	for p, f := range Prune(&face, found) {
		for _, d := range f.Detections[0] {
			if truth[d] {
				kept++
			}
		}
		if n := len(f.Detections[0]); n > 4 {
			t.Errorf("%v: %d detections are left", faces.Point(p), n)
		}
	}
	if kept != len(truth) {
		t.Errorf("%d of %d detections of faces are left", kept, len(truth))
	}
}

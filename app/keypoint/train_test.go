package keypoint

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"fsa"
	"fsa/app/keypoint/faces"
	"fsa/app/keypoint/photo"
	"fsa/app/keypoint/pool"
	"fsa/data"
	"fsa/data/open"
	"fsa/internal/need"
	"fsa/internal/sealed"
)

// A training that was stopped ends with the same detector, and neither that nor the number of
// threads changes a bit of it.
func TestTrain(t *testing.T) {
	ctx := context.Background()
	f := openFaces(t, madeUp(t, 8, 4))
	o := quick(t, f, faces.LeftEye)
	o.Threads = 1
	whole, err := Train(ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	o.Threads, o.State, o.Rounds = 2, t.TempDir(), -1
	if _, err := Train(ctx, o); err != nil {
		t.Fatal(err)
	}
	o.Rounds = 1
	again, err := Train(ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	if encoded(t, whole.Detector) != encoded(t, again.Detector) {
		t.Error("the detector depends on threads or on being stopped")
	}
	kept, err := Train(ctx, o) // all rounds are already saved
	if err != nil || encoded(t, kept.Detector) != encoded(t, again.Detector) || len(kept.Rounds) != 2 {
		t.Errorf("a finished training gives another detector (%v)", err)
	}

	// It finds the keypoint on new photographs.
	found, err := DetectAll(ctx, f, f.Test(), whole.Detector, Margin, 2)
	if err != nil {
		t.Fatal(err)
	}
	if c := found.Evaluate(); c.AP < 0.3 || c.Keypoints != 4 {
		t.Errorf("average precision %.2f of %d keypoints", c.AP, c.Keypoints)
	}

	// Other settings do not continue a saved training.
	o.Negatives = 150
	if _, err := Train(ctx, o); !errors.Is(err, data.ErrBadData) || !strings.Contains(err.Error(), "other settings") {
		t.Errorf("another training goes on: %v", err)
	}
	o.Negatives = 200
	path := filepath.Join(o.State, "round-01.json")
	if err := os.WriteFile(path, []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Train(ctx, o); !errors.Is(err, data.ErrBadData) || !strings.Contains(err.Error(), path) {
		t.Errorf("a damaged round is refused by %v", err)
	}

	canceled, cancel := context.WithCancel(ctx)
	cancel()
	o.State = ""
	if _, err := Train(canceled, o); !errors.Is(err, context.Canceled) {
		t.Errorf("a canceled training ends with %v", err)
	}
	o.Memory = 1 << 18
	var memory *open.MemoryError
	if _, err := Train(ctx, o); !errors.As(err, &memory) {
		t.Errorf("a training in a quarter of a mebibyte ends with %v", err)
	}
	o.Learner = Learner{}
	if _, err := Train(ctx, o); !errors.Is(err, fsa.ErrOptions) {
		t.Errorf("a training without a learner ends with %v", err)
	}
}

// A photograph that is smaller than a window is refused before training begins.
func TestTrainSmallPhoto(t *testing.T) {
	f := openFaces(t, madeUp(t, 3, 1))
	f.Training()[1].H = 23
	o := quick(t, f, faces.LeftEye)
	o.State = filepath.Join(t.TempDir(), "state")
	_, err := Train(context.Background(), o)
	if !errors.Is(err, data.ErrBadData) || !strings.Contains(err.Error(), "×23, but detectors") || !strings.Contains(err.Error(), f.Path(f.Training()[1])) {
		t.Errorf("a photo smaller than the window is refused by %v", err)
	}
	if _, err := os.Stat(o.State); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("there is a state: %v", err)
	}
}

// A training that continues checks the memory of the next round before it reads a photograph: here,
// there are none any more.
func TestTrainMemory(t *testing.T) {
	ctx := context.Background()
	f := openFaces(t, madeUp(t, 3, 0))
	o := quick(t, f, faces.LeftEye)
	o.State, o.Rounds = t.TempDir(), -1
	first, err := Train(ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(f.Dir, "img")); err != nil {
		t.Fatal(err)
	}
	examples := len(positives(f.Training(), o.Point)) + first.Rounds[0].Negatives
	o.Rounds, o.Memory = 1, aside+2*int64(examples*(pool.HOG+o.Pool.Haar)) // as much as the round needed
	var memory *open.MemoryError
	if _, err := Train(ctx, o); !errors.As(err, &memory) || !strings.Contains(err.Error(), "round 1") {
		t.Errorf("a second round in the memory of the first ends with %v", err)
	}
	o.Memory *= 2
	if _, err := Train(ctx, o); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a second round that fits, without photographs, ends with %v", err)
	}
}

// However many negatives are requested, memory is checked before they are drawn, there are no more
// of them than windows, and drawing can be stopped.
func TestManyNegatives(t *testing.T) {
	f := openFaces(t, madeUp(t, 2, 0))
	canceled, cancel := context.WithCancel(context.Background())
	cancel()
	o := quick(t, f, faces.LeftEye)
	o.Negatives, o.Memory = 1<<30, 1<<30
	var memory *open.MemoryError
	if _, err := Train(canceled, o); !errors.As(err, &memory) {
		t.Errorf("a billion negatives in a gibibyte end with %v", err)
	}
	o.Negatives = math.MaxInt
	if _, err := Train(canceled, o); !errors.Is(err, fsa.ErrOptions) {
		t.Errorf("more negatives than can be counted end with %v", err)
	}
	windows := 0
	for _, p := range f.Training() {
		for _, s := range levelSizes(p) {
			windows += s.w * s.h
		}
	}
	all, err := randomNegatives(context.Background(), f.Training(), o.Point, math.MaxInt32, 1)
	if err != nil || len(all) > windows || len(all) < windows*9/10 {
		t.Errorf("%d negatives of %d windows, %v", len(all), windows, err)
	}
	if _, err := randomNegatives(canceled, f.Training(), o.Point, 10, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled, drawing ends with %v", err)
	}
}

// Every method learns something.
func TestLearners(t *testing.T) {
	need.Long(t)
	f := openFaces(t, madeUp(t, 6, 2))
	for _, l := range Learners(LearnerOptions{K: 15, Bins: 5}) {
		o := quick(t, f, faces.Chin)
		o.Learner, o.Rounds = l, -1
		tr, err := Train(context.Background(), o)
		if err != nil {
			t.Errorf("%s: %v", l.Name, err)
			continue
		}
		if tr.Detector.Learner() != l.Name || tr.Detector.Model().Training().Metrics["auc"] < 0.95 {
			t.Errorf("%s: %v", l.Name, tr.Detector.Model().Training().Metrics)
		}
		if l.HOGOnly && !strings.HasPrefix(tr.Detector.PoolID(), "hog864+haar0-") {
			t.Errorf("%s has the pool %s", l.Name, tr.Detector.PoolID())
		}
	}
	if _, err := FindLearner("forest", LearnerOptions{}); !errors.Is(err, fsa.ErrOptions) || !strings.Contains(err.Error(), LogitBoost) {
		t.Errorf("an unknown method is refused by %v", err)
	}
}

// Positives are near the annotation at the right sizes, negatives far from it.
func TestExamples(t *testing.T) {
	photos := openFaces(t, madeUp(t, 5, 0)).Training()
	count := 0
	for _, e := range positives(photos, faces.RightEye) {
		p := photos[e.Photo]
		scale := photo.ScaleOf(e.Level)
		at := p.Faces[0].Point(faces.RightEye)
		l := photo.Level{Scale: scale}
		if away := math.Hypot(l.Down(at.X)-(float64(e.X)-0.5), l.Down(at.Y)-(float64(e.Y)-0.5)); away > 1 {
			t.Errorf("%+v is %.2f pixels from the eye", e, away)
		}
		if ied := p.Faces[0].IED / scale; ied < 20 || ied > 40 {
			t.Errorf("%+v: the eyes are %.1f apart", e, ied)
		}
		count++
	}
	// Four levels, and about π windows within a pixel on each.
	if count < 5*4*2 || count > 5*4*4 {
		t.Errorf("%d positives", count)
	}
	seen := map[Example]bool{}
	negatives, err := randomNegatives(context.Background(), photos, faces.RightEye, 500, 3)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range negatives {
		p := photos[e.Photo]
		at := p.Faces[0].Point(faces.RightEye)
		l := photo.Level{Scale: photo.ScaleOf(e.Level)}
		if away := math.Hypot(l.Up(float64(e.X)-0.5)-at.X, l.Up(float64(e.Y)-0.5)-at.Y); away < 0.5*p.Faces[0].IED-1e-9 || seen[e] {
			t.Errorf("%+v is %.2f pixels from the eye, or there twice", e, away)
		}
		seen[e] = true
	}
	if len(negatives) != 500 {
		t.Errorf("%d negatives", len(negatives))
	}
}

func TestDetectorFile(t *testing.T) {
	need.Long(t)
	f := openFaces(t, madeUp(t, 5, 1))
	o := quick(t, f, faces.Chin)
	o.Rounds = -1
	tr, err := Train(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "chin.json")
	if err := tr.Detector.Save(path); err != nil {
		t.Fatal(err)
	}
	d, err := LoadDetector(path)
	if err != nil || encoded(t, d) != encoded(t, tr.Detector) || d.Point() != faces.Chin {
		t.Fatalf("the file gives another detector: %v", err)
	}
	text := encoded(t, d)
	// forged returns the file with a change of the detector and the right checksum.
	forged := func(old, now string) string {
		var e detectorFile
		if err := json.Unmarshal([]byte(text), &e); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(e.Detector), old) {
			t.Fatalf("no %q to change", old)
		}
		e.Detector = []byte(strings.Replace(string(e.Detector), old, now, 1))
		e.Head = detectors.Seal(e.Detector)
		b, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	// wild returns the file with another number in its model.
	wild := func(number *regexp.Regexp, now string) string {
		var e detectorFile
		var m struct {
			sealed.Head
			Model json.RawMessage `json:"model"`
		}
		if err := errors.Join(json.Unmarshal([]byte(text), &e), json.Unmarshal(e.Model, &m)); err != nil {
			t.Fatal(err)
		}
		if !number.Match(m.Model) {
			t.Fatalf("no %v to change", number)
		}
		m.Model = number.ReplaceAll(m.Model, []byte("${1}"+now))
		m.Head = sealed.Kind{Format: m.Format, Version: m.Version}.Seal(m.Model)
		var err error
		if e.Model, err = json.Marshal(m); err != nil {
			t.Fatal(err)
		}
		b, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	intercept := regexp.MustCompile(`("intercept":\[)[^\]]+`)
	coefficient := regexp.MustCompile(`("coefficients":\[)[^,]+`)
	if _, err := ReadDetector(strings.NewReader(wild(intercept, "1000")), "high"); err != nil {
		t.Errorf("a high score is refused by %v", err)
	}
	for name, c := range map[string]struct{ file, says string }{
		"high":         {wild(intercept, "2e6"), "not a usable detector: its scores"},
		"very high":    {wild(intercept, "-1e308"), "scores"},
		"steep":        {wild(coefficient, "1e9"), "scores"},
		"all steep":    {wild(coefficient, "1e307"), "scores"},
		"cut":          {text[:len(text)/2], "cut off"},
		"not ours":     {`{"format":"fsa-model"}`, "keypoint detector"},
		"newer":        {strings.Replace(text, `"version":1`, `"version":9`, 1), "version 9"},
		"edited":       {strings.Replace(text, `"point":"chin"`, `"point":"nose"`, 1), "checksum"},
		"other pool":   {forged(d.PoolID(), "hog864+haar100-seed1-00000000"), d.PoolID()},
		"another size": {forged(`"haar":100`, `"haar":101`), "pool of features"},
		"huge pool":    {forged(`"haar":100`, `"haar":100000000`), "at most"},
		"no such part": {forged(`"point":"chin"`, `"point":"ear"`), "ear"},
		"no ranges":    {forged(`"ranges":[`, `"ranges":[{"Low":0,"Scale":1},`), "ranges"},
		"wild range":   {forged(`"Scale":`, `"Scale":1e9,"Low":`), "range"},
	} {
		_, err := ReadDetector(strings.NewReader(c.file), name)
		if !errors.Is(err, data.ErrBadData) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: the error %v does not say %q", name, err, c.says)
		}
	}
}

func FuzzReadDetector(f *testing.F) {
	f.Add(`{"format":"fsa-keypoint","version":1,"checksum":"","detector":{},"model":{}}`)
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := ReadDetector(strings.NewReader(text), "fuzz"); err != nil && !errors.Is(err, data.ErrBadData) {
			t.Fatalf("an error of another kind: %v", err)
		}
	})
}

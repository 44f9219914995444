package keypoint

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fsa"
	"fsa/app/keypoint/faces"
	"fsa/data"
	"fsa/internal/need"
)

func TestCompare(t *testing.T) {
	need.Long(t)
	o := Options{
		Data: madeUp(t, 10, 3), State: t.TempDir(), Scale: Small,
		Points: []faces.Point{faces.LeftEye, faces.Chin}, Methods: []string{FSALorenz, LogitBoost},
		Rounds: 1, Negatives: 100, Pool: PoolSpec{Haar: 50}, Learner: LearnerOptions{K: 10, Bins: 5},
	}
	c, err := Compare(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Results) != 4 || c.Photos != 10 || c.Tests != 3 || c.Faces != 3 || c.Times[FSALorenz] <= 0 || c.Data != o.Data {
		t.Errorf("%+v", c)
	}
	// What has been saved is not computed again, and gives the same result.
	again, err := Compare(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	a, _ := json.Marshal(c)
	b, _ := json.Marshal(again)
	if !bytes.Equal(a, b) {
		t.Errorf("the second time it is\n%s\nnot\n%s", b, a)
	}
	dir := t.TempDir()
	files, err := Report(context.Background(), o, c, dir)
	if err != nil {
		t.Fatal(err)
	}
	there, err := filepath.Glob(filepath.Join(dir, "*"))
	if slices.Sort(files); err != nil || !slices.Equal(files, there) {
		t.Errorf("%q is said to be written, and %q is there (%v)", files, there, err)
	}
	for name, says := range map[string]string{
		tableName: "logitboost", curvesName: "</svg>", responsesName: "</svg>", sketchesName: "<path", comparisonName: "fit_seconds", "detections-1.png": "PNG",
	} {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil || !strings.Contains(string(b), says) {
			t.Errorf("%s lacks %q (%v)", name, says, err)
		}
		if strings.HasSuffix(name, ".svg") {
			checkXML(t, bytes.NewReader(b))
		}
	}
	// Detectors are those of the last saved round, up to the requested one.
	for asked, round := range map[int]int{-1: 0, 0: 0, 1: 1, 7: 1} {
		detectors, err := Detectors(o.State, FSALorenz, asked)
		if err != nil || detectors[faces.Chin] == nil || detectors[faces.Chin].spec.Rounds != round || detectors[faces.RightEye] != nil {
			t.Errorf("%d rounds: %v, %v", asked, detectors, err)
		}
	}
}

func checkXML(t *testing.T, r io.Reader) {
	t.Helper()
	for d := xml.NewDecoder(r); ; {
		if _, err := d.Token(); err == io.EOF {
			return
		} else if err != nil {
			t.Fatalf("the picture is no XML: %v", err)
		}
	}
}

func TestCompareRefuses(t *testing.T) {
	for name, o := range map[string]Options{
		"scale":    {State: "x", Scale: "huge"},
		"method":   {State: "x", Methods: []string{"forest"}},
		"no state": {},
		"negative": {State: "x", Photos: -1},
	} {
		if _, err := Compare(context.Background(), o); !errors.Is(err, fsa.ErrOptions) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Only the photographs that stand in for the paper's are described as such.
func TestDescribe(t *testing.T) {
	made := openFaces(t, madeUp(t, 1, 1))
	if got := Describe(made); got != made.Dir {
		t.Errorf("made-up faces are %q", got)
	}
	shared := need.Data(t, "faces")
	f, err := faces.Open(shared)
	if err != nil {
		t.Fatal(err)
	}
	if got := Describe(f); !strings.HasPrefix(got, shared) || !strings.Contains(got, "AFLW") {
		t.Errorf("the shared faces are %q", got)
	}
}

func TestCompareWithoutTests(t *testing.T) {
	_, err := Compare(context.Background(), Options{Data: madeUp(t, 2, 0), State: t.TempDir(), Scale: Small})
	if !errors.Is(err, data.ErrBadData) || !strings.Contains(err.Error(), faces.HelenTest) {
		t.Errorf("a folder without photographs to measure on: %v", err)
	}
}

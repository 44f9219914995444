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
	"strings"
	"testing"

	"fsa"
	"fsa/keypoint/faces"
)

func TestCompare(t *testing.T) {
	o := Options{
		Data: madeUp(t, 10, 3), State: t.TempDir(), Scale: Small,
		Points: []faces.Point{faces.LeftEye, faces.Chin}, Methods: []string{FSALorenz, LogitBoost},
		Rounds: 1, Negatives: 100, Pool: PoolSpec{Haar: 50}, Learner: LearnerOptions{K: 10, Bins: 5},
	}
	c, err := Compare(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Results) != 4 || c.Photos != 10 || c.Tests != 3 || c.Faces != 3 || c.Times[FSALorenz] <= 0 || !strings.Contains(c.Data, "AFLW") {
		t.Errorf("%+v", c)
	}
	// Whatever is there is not done again, and comes out the same.
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
	if err := Report(context.Background(), o, c, dir); err != nil {
		t.Fatal(err)
	}
	for name, says := range map[string]string{
		tableName: "logitboost", curvesName: "</svg>", responsesName: "</svg>", sketchesName: "<path", comparisonName: "AFLW", "detections-1.png": "PNG",
	} {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil || !strings.Contains(string(b), says) {
			t.Errorf("%s lacks %q (%v)", name, says, err)
		}
		if strings.HasSuffix(name, ".svg") {
			checkXML(t, bytes.NewReader(b))
		}
	}
	detectors, err := Detectors(o.State, FSALorenz)
	if err != nil || detectors[faces.Chin] == nil || detectors[faces.RightEye] != nil {
		t.Errorf("%v, %v", detectors, err)
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

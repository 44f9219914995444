package main

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fsa/app/keypoint/faces"
	"fsa/internal/need"
)

// callKeypoint runs a keypoint command.
func callKeypoint(args ...string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	began := false
	root := newRoot(&began)
	if cmd, _, err := root.Find([]string{"keypoint"}); err != nil || cmd == root {
		root.AddCommand(keypointCommand())
	}
	root.SetArgs(append([]string{"keypoint"}, args...))
	root.SetOut(&out)
	root.SetErr(&errs)
	if err := root.ExecuteContext(context.Background()); err != nil {
		return exitCode(context.Background(), err, began), out.String(), errs.String() + err.Error()
	}
	return exitDone, out.String(), errs.String()
}

// A detector is trained on a few real photographs, and used.
func TestKeypoint(t *testing.T) {
	need.Long(t)
	sharedFaces := need.Data(t, "faces")
	dir := t.TempDir()
	model := filepath.Join(dir, "eye.json")
	code, out, stderr := callKeypoint("train", sharedFaces, "--point", "left-eye", "--out", model, "-k", "30", "--bins", "5",
		"--haar", "200", "--photos", "10", "--rounds", "1", "--negatives", "200", "--state", filepath.Join(dir, "state"), "--json")
	if code != exitDone {
		t.Fatalf("train: %d\n%s", code, stderr)
	}
	tr := parse[trained](t, out)
	if tr.Point != "left-eye" || tr.Method != "fsa-lorenz" || tr.Features != 30 || len(tr.Rounds) != 2 || !strings.HasPrefix(tr.Pool, "hog864+haar200-") {
		t.Errorf("%+v", tr)
	}

	folder, err := faces.Open(sharedFaces)
	if err != nil {
		t.Fatal(err)
	}
	photo := folder.Path(folder.Training()[0])
	picture := filepath.Join(dir, "found.png")
	code, out, stderr = callKeypoint("detect", model, photo, "--draw", picture, "--json")
	if code != exitDone {
		t.Fatalf("detect: %d\n%s", code, stderr)
	}
	found := parse[struct{ Images []detected }](t, out)
	if len(found.Images) != 1 || len(found.Images[0].Detections) == 0 || found.Images[0].Detections[0].Point != "left-eye" {
		t.Errorf("%+v", found)
	}
	f, err := os.Open(picture)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := png.Decode(f); err != nil {
		t.Error(err)
	}
	if code, out, _ = callKeypoint("detect", photo, model); code != exitDone || !strings.Contains(out, "left-eye") {
		t.Errorf("detect prints %d\n%s", code, out)
	}
	code, out, stderr = callKeypoint("evaluate", sharedFaces, model, "--set", "helen_test", "--limit", "1")
	if code != exitDone || !strings.Contains(out, "average precision") || !strings.Contains(out, "On 1 photo of "+sharedFaces+": HELEN") || !strings.Contains(out, "AFLW") {
		t.Errorf("evaluate: %d\n%s%s", code, out, stderr)
	}
	code, out, stderr = callKeypoint("evaluate", sharedFaces, model, "--limit", "1", "--json")
	if r := parse[evaluation](t, out); code != exitDone || r.Photos != 1 || !strings.Contains(r.Data, "AFLW") {
		t.Errorf("evaluate: %d\n%s%s", code, out, stderr)
	}

	// Photographs of the training set are refused for measuring.
	own := filepath.Join(dir, "own")
	if err := os.Mkdir(own, 0o755); err != nil {
		t.Fatal(err)
	}
	table, err := os.ReadFile(filepath.Join(sharedFaces, "landmarks.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	var learned strings.Builder
	for line := range strings.Lines(string(table)) {
		if set, _, _ := strings.Cut(line, "\t"); set == "set" || set == faces.Train {
			learned.WriteString(line)
		}
	}
	if err := os.WriteFile(filepath.Join(own, "landmarks.tsv"), []byte(learned.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	if code, _, stderr := callKeypoint("evaluate", own, model); code != exitBadData || !strings.Contains(stderr, "afw or helen_test") {
		t.Errorf("evaluate without test photos: %d %s", code, stderr)
	}

	// A picture does not replace its input, under whatever name.
	jpeg, err := os.ReadFile(photo)
	if err != nil {
		t.Fatal(err)
	}
	copied := file(t, "copy.jpg", string(jpeg))
	link := filepath.Join(dir, "link.png")
	if err := os.Symlink(copied, link); err != nil {
		t.Fatal(err)
	}
	for _, picture := range []string{copied, link, model} {
		if code, _, stderr := callKeypoint("detect", model, copied, "--draw", picture); code != exitUsage || !strings.Contains(stderr, "another name") {
			t.Errorf("--draw %s: %d %s", picture, code, stderr)
		}
	}
	if code, _, stderr := callKeypoint("detect", model, copied, "--draw", filepath.Join(dir, "found.jpg")); code != exitUsage || !strings.Contains(stderr, "ends with .png") {
		t.Errorf("--draw found.jpg: %d %s", code, stderr)
	}
	if now, err := os.ReadFile(copied); err != nil || !bytes.Equal(now, jpeg) {
		t.Errorf("the photograph has changed (%v)", err)
	}

	// A defective image is reported by its name, as bad data.
	bad := map[string][]byte{"text.jpg": []byte("hello"), "empty.png": nil}
	bad["cut.jpg"] = jpeg[:len(jpeg)/2]
	var small bytes.Buffer
	tiny := image.NewGray(image.Rect(0, 0, 20, 200))
	tiny.SetGray(3, 3, color.Gray{200})
	if err := png.Encode(&small, tiny); err != nil {
		t.Fatal(err)
	}
	bad["small.png"] = small.Bytes()
	for name, content := range bad {
		path := file(t, name, string(content))
		if code, _, stderr := callKeypoint("detect", model, path); code != exitBadData || !strings.Contains(stderr, name) {
			t.Errorf("%s: %d %s", name, code, stderr)
		}
	}
}

func TestKeypointUsage(t *testing.T) {
	image := file(t, "a.png", "x")
	for _, c := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"train", "faces"}, exitUsage, "--point"},
		{[]string{"train", "faces", "--point", "ear", "--out", "x"}, exitUsage, "chin"},
		{[]string{"train", "faces", "--point", "chin", "--out", "x", "--method", "forest"}, exitUsage, "logitboost"},
		{[]string{"train", "faces", "--point", "chin", "--out", "x", "--memory", "some"}, exitUsage, "8GiB"},
		{[]string{"train", "faces", "--point", "chin", "--out", "x", "-k", "0"}, exitUsage, "at least 1"},
		{[]string{"train", "no-such-folder", "--point", "chin", "--out", "x"}, exitFailed, "landmarks.tsv"},
		{[]string{"train", "faces", "--point", "chin", "--out", "x", "--pool-seed", "0"}, exitUsage, "--pool-seed"},
		{[]string{"detect", image, image, "--threshold", "NaN"}, exitUsage, "--threshold"},
		{[]string{"detect", image, image, "--threads", "-1"}, exitUsage, "--threads"},
		{[]string{"evaluate", "faces", "m", "--threads", "-1"}, exitUsage, "--threads"},
		{[]string{"detect", image, image}, exitUsage, "0 detectors"},
		{[]string{"detect", file(t, "m.json", "{}"), image}, exitBadData, "detector"},
		{[]string{"detect", "only-one"}, exitUsage, "IMAGE is missing"},
		{[]string{"evaluate", "faces", "m", "--set", "lfw"}, exitUsage, "helen_test"},
	} {
		if code, _, stderr := callKeypoint(c.args...); code != c.code || !strings.Contains(stderr, c.says) {
			t.Errorf("%v: exit code %d, %s; not %d with %q", c.args, code, stderr, c.code, c.says)
		}
	}
}

func TestKeypointHelp(t *testing.T) {
	for _, name := range []string{"--help", "train --help", "detect --help", "evaluate --help"} {
		code, out, _ := callKeypoint(strings.Fields(name)...)
		if code != exitDone {
			t.Errorf("%s: exit code %d", name, code)
		}
		for line := range strings.Lines(out) {
			if len([]rune(line)) > 81 { // with its end
				t.Errorf("%s: a line of %d characters: %s", name, len([]rune(line))-1, line)
			}
		}
	}
}

package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"fsa/internal/need"
)

// trainCards trains a detector and a model that picks segmentations, with their reports, and
// returns the paths of both; it skips the test if there is no data to train on.
func trainCards(t *testing.T) (detector, folder string) {
	t.Helper()
	need.Long(t)
	sharedFaces := need.Data(t, "faces")
	dir := t.TempDir()
	detector, folder = filepath.Join(dir, "eye.json"), filepath.Join(dir, "tracks")
	must(t, "motion", "train", someSequences(t), "--pool", "paper", "--out", folder, "--report")
	must(t, "keypoint", "train", sharedFaces, "--point", "left-eye", "--out", detector, "-k", "30", "--bins", "5",
		"--haar", "200", "--photos", "10", "--rounds", "1", "--negatives", "200", "--report")
	return detector, folder
}

// The pages of detectors and of models that pick segmentations say in the words of their tasks what
// was trained, on what data and by which command; they can be made again, compared, and drawn as
// single pictures.
func TestCards(t *testing.T) {
	detector, folder := trainCards(t)
	page := strings.TrimSuffix(detector, ".json") + ".html"
	expect := func(path string, words ...string) {
		t.Helper()
		text := string(read(t, path))
		for _, w := range words {
			if !strings.Contains(text, w) {
				t.Errorf("%s does not say %q", filepath.Base(path), w)
			}
		}
	}
	expect(page, "What marks the left eye on a photograph", "training photographs", "fsa keypoint train", "round 1 trained with 400 negatives", "hog864&#43;haar200-seed1", "fsa-lorenz")
	expect(filepath.Join(folder, reportName), "What marks a good segmentation of point tracks", "training sequences", "of the points misclassified on the training sequences", "fsa motion train", `id="descent"`, `id="correlation"`)
	must(t, "report", detector)
	expect(page, "What marks the left eye on a photograph", "negative examples", "fsa-lorenz")
	if strings.Contains(string(read(t, page)), "fsa keypoint train ") {
		t.Error("a detector file does not know its command, and its page has one")
	}
	out := filepath.Join(t.TempDir(), "responses.svg")
	must(t, "plot", detector, "--what", "effects", "--out", out)
	expect(out, "<svg")
	if code, _, stderr := call(t, "report", detector, folder, "--out", out); code != exitUsage || !strings.Contains(stderr, "the task of eye.json") {
		t.Errorf("a detector is compared with a ranking: exit code %d, %s", code, stderr)
	}
}

// Both pages open without a complaint, and everything on them is accessible.
func TestBrowserCards(t *testing.T) {
	b := newBrowser(t)
	detector, folder := trainCards(t)
	for name, file := range map[string]string{"keypoint": strings.TrimSuffix(detector, ".json") + ".html", "motion": filepath.Join(folder, reportName)} {
		for _, width := range []int64{1400, 360} {
			for _, scheme := range []string{"light", "dark"} {
				b.open(t, file, width, scheme)
				b.holds(t, `document.querySelectorAll("section").length >= 3 && document.documentElement.scrollWidth <= innerWidth`)
				b.holds(t, `!document.body.textContent.includes("NaN")`)
				b.run(t, `document.querySelectorAll("#list details").forEach((d, i) => d.open = i < 2)`)
				b.axe(t)
				b.screenshot(t, fmt.Sprintf("card-%s-%d-%s", name, width, scheme))
			}
		}
		b.clickThrough(t)
		b.check(t)
	}
}

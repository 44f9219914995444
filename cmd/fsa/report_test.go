package main

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"fsa/report"
)

// A report is made from the run folder alone, also from a model alone, and several runs are
// compared side by side.
func TestReportCommand(t *testing.T) {
	t.Chdir(t.TempDir())
	must(t, "generate", "ar1", "--n", "100", "--m", "30", "--out", "t.csv")
	must(t, "fit", "t.csv", "--target", "y", "-k", "3", "--out", "a", "--report")
	if err := os.Remove("t.csv"); err != nil {
		t.Fatal(err)
	}
	first := read(t, "a/report.html")
	must(t, "report", "a")
	if again := read(t, "a/report.html"); !bytes.Equal(first, again) {
		t.Error("the report of fit is another than that of report")
	}
	must(t, "report", "a/model.json", "--out", "m.html")
	must(t, "report", "a", "a", "--out", "two.html")
	for name, want := range map[string]string{"m.html": "What predicts", "two.html": "Variables by run"} {
		if !strings.Contains(string(read(t, name)), want) {
			t.Errorf("%s lacks %q", name, want)
		}
	}
	if code, _, stderr := call(t, "report", "a", "--out", "a/model.json"); code != exitUsage {
		t.Errorf("exit code %d: %s", code, stderr)
	}
	if code, _, stderr := call(t, "fit", "t.csv", "--report"); code != exitUsage || !strings.Contains(stderr, "--out") {
		t.Errorf("exit code %d: %s", code, stderr)
	}
}

// Every picture is drawn in every format, or an error says what is missing.
func TestPlotCommand(t *testing.T) {
	t.Chdir(t.TempDir())
	must(t, "generate", "ar1", "--task", "regression", "--n", "100", "--m", "30", "--out", "t.csv")
	must(t, "fit", "t.csv", "--target", "y", "-k", "1:5", "--out", "run")
	starts := map[string]string{"svg": "<?xml", "png": "\x89PNG", "pdf": "%PDF"}
	for _, what := range report.Pictures() {
		for _, format := range report.Formats() {
			if testing.Short() && format != "svg" && what != "importance" {
				continue // a format writes all pictures alike
			}
			file := what + "." + format
			code, _, stderr := call(t, "plot", "run", "--what", what, "--out", file)
			if code != exitDone {
				if !strings.Contains(stderr, "this run saved no ") {
					t.Errorf("%s: %s", file, stderr)
				}
				break
			}
			if !strings.HasPrefix(string(read(t, file)), starts[format]) {
				t.Errorf("%s is no %s file", file, format)
			}
		}
	}
	for _, bad := range [][]string{{"--what", "x", "--out", "x.svg"}, {"--what", "cv"}, {"--what", "cv", "--out", "x.gif"}} {
		if code, _, stderr := call(t, append([]string{"plot", "run"}, bad...)...); code != exitUsage {
			t.Errorf("%v: exit code %d, %s", bad, code, stderr)
		}
	}
	if code, _, stderr := call(t, "plot", "run", "--what", "effects", "--only", "nobody", "--out", "x.svg"); code != exitFailed || !strings.Contains(stderr, "nobody") {
		t.Errorf("exit code %d, %s", code, stderr)
	}
}

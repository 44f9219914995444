package main

import (
	"strings"
	"testing"

	"fsa/report"
)

// The runs under a folder are listed, the newest first, as a table, as JSON and as a page; a folder
// without runs says so, and a damaged model is noted and passed over.
func TestRunsCommand(t *testing.T) {
	t.Chdir(t.TempDir())
	must(t, "generate", "ar1", "--n", "80", "--m", "6", "--k", "2", "--out", "t.csv")
	must(t, "generate", "ar1", "--n", "80", "--m", "6", "--k", "2", "--seed", "5", "--out", "u.csv")
	if text := must(t, "runs"); !strings.Contains(text, "there are no runs") {
		t.Error(text)
	}
	must(t, "fit", "t.csv", "--target", "y", "-k", "2", "--folds", "3", "--out", "all/a")
	must(t, "fit", "t.csv", "--target", "y", "-k", "3", "--quick", "--out", "all/deep/b")
	must(t, "fit", "u.csv", "--target", "y", "-k", "2", "--quick", "--out", "all/c")
	type list struct{ Runs []report.Entry }
	got := parse[list](t, must(t, "runs", "all", "--json")).Runs
	if len(got) != 3 || got[0].K == 0 || got[0].Measure == "" || got[0].Table == "" || got[0].Started < got[2].Started {
		t.Fatalf("%+v", got)
	}
	if text := must(t, "runs", "all"); !strings.Contains(text, "all/deep/b") || !strings.Contains(text, " *") {
		t.Error(text)
	}
	must(t, "runs", "./all", "--html", "runs.html")
	if page := string(read(t, "runs.html")); !strings.Contains(page, "Settings that differ") || !strings.Contains(page, "all/deep/b") || !strings.Contains(page, `">t.csv</td>`) || !strings.Contains(page, "<h1>Runs in all</h1>") {
		t.Error("the page lacks a run")
	}
	write(t, "all/c/model.json", []byte("{"))
	if code, stdout, stderr := call(t, "runs", "all"); code != exitDone || !strings.Contains(stderr, "model.json") || strings.Contains(stdout, "all/c ") {
		t.Errorf("exit code %d: %s%s", code, stdout, stderr)
	}
	if code, _, stderr := call(t, "runs", "nowhere"); code == exitDone || !strings.Contains(stderr, "no such folder") {
		t.Errorf("exit code %d: %s", code, stderr)
	}
}

// Runs of one table are compared row by row and curve by curve; runs of different tables or targets
// are refused.
func TestReportCompares(t *testing.T) {
	t.Chdir(t.TempDir())
	must(t, "generate", "ar1", "--n", "120", "--m", "6", "--k", "2", "--out", "t.csv")
	must(t, "generate", "ar1", "--n", "120", "--m", "6", "--k", "2", "--seed", "5", "--out", "u.csv")
	for name, call := range map[string][]string{
		"a": {"t.csv", "--target", "y", "-k", "2", "--folds", "3"},
		"b": {"t.csv", "--target", "y", "-k", "3", "--folds", "3"},
		"c": {"u.csv", "--target", "y", "-k", "2", "--quick"},
		"d": {"t.csv", "--target", "x1", "-k", "2", "--quick"},
	} {
		must(t, append(append([]string{"fit"}, call...), "--out", name)...)
	}
	must(t, "report", "a", "b", "--out", "two.html")
	page := string(read(t, "two.html"))
	for _, text := range []string{"row by row", "Curves of the variables in common", "Settings that differ", "shared-1"} {
		if !strings.Contains(page, text) {
			t.Errorf("the comparison lacks %q", text)
		}
	}
	for _, other := range []string{"c", "d"} {
		if code, _, stderr := call(t, "report", "a", other, "--out", "no.html"); code != exitUsage || !strings.Contains(stderr, "cannot be compared") {
			t.Errorf("%s: exit code %d: %s", other, code, stderr)
		}
	}
}

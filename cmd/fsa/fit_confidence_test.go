package main

import (
	"path/filepath"
	"strings"
	"testing"

	"fsa/model"
)

// --confidence prints and saves intervals of the effects, and the report draws them.
func TestConfidence(t *testing.T) {
	dir := t.TempDir()
	table, out := filepath.Join(dir, "x.csv"), filepath.Join(dir, "run")
	must(t, "generate", "ar1", "--rho", "0.3", "--task", "regression", "--n", "150", "--m", "20", "--k", "3", "--seed", "3", "--out", table)
	got := parse[struct{ Stability *model.Stability }](t, must(t, "fit", table, "--target", "y", "-k", "3", "--confidence", "0.9", "--stability", "5", "--out", out, "--report", "--json"))
	s := got.Stability
	if s == nil || s.Confidence != 0.9 || s.Halves != 10 || len(s.Variables) != 3 {
		t.Fatalf("%+v", s)
	}
	for _, v := range s.Variables {
		if len(v.Low) != 1 || !(v.Low[0] < 1 && 1 < v.High[0] && v.Low[0] < v.Estimate[0] && v.Estimate[0] < v.High[0]) {
			t.Errorf("%+v", v)
		}
	}
	if shown := must(t, "show", out); !strings.Contains(shown, "effect, 90% interval after selection") {
		t.Errorf("show prints\n%s", shown)
	}
	if page := string(read(t, filepath.Join(out, reportName))); !strings.Contains(page, "90% interval that accounts for the selection") {
		t.Error("the report does not say what its intervals are")
	}
	if predicted := must(t, "predict", out, table); strings.Count(predicted, "\n") != 151 {
		t.Errorf("%d lines of predictions", strings.Count(predicted, "\n"))
	}
}

// Flags that do not go together with --confidence are refused with a cure.
func TestConfidenceRefuses(t *testing.T) {
	table := file(t, "t.csv", "a,b,y\n1,2,3\n2,1,5\n4,4,1\n0,3,2\n5,1,1\n2,2,2\n7,1,4\n")
	for _, flags := range [][]string{{"--fdr", "0.1"}, {"--interactions"}, {"--ordered"}, {"--max-time", "1h"}, {"--nonnegative", "a"}, {"--loss", "huber"}, {"--grid", "2x1"}} {
		code, _, says := call(t, append([]string{"fit", table, "--target", "y", "--confidence", "0.9"}, flags...)...)
		if code != exitUsage || !strings.Contains(says, "confidence") || !strings.Contains(says, "leave") {
			t.Errorf("%v: exit code %d, says %q", flags, code, says)
		}
	}
}

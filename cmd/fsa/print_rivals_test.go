package main

import (
	"path/filepath"
	"strings"
	"testing"

	"fsa/model"
)

// The terminal, JSON and the report say which variables could stand in for others.
func TestRivalsAreTold(t *testing.T) {
	dir := t.TempDir()
	table, out := filepath.Join(dir, "x.csv"), filepath.Join(dir, "run")
	must(t, "generate", "ar1", "--rho", "0.5", "--task", "regression", "--n", "200", "--m", "20", "--k", "2", "--out", table)
	got := parse[struct{ Validation model.Validation }](t, must(t, "fit", table, "--target", "y", "-k", "2", "--rivals", "--out", out, "--report", "--json"))
	if len(got.Validation.Ties) != 2 || got.Validation.Ties[0].Verdict() != model.Indispensable || len(got.Validation.Ties[0].Rivals) != 3 {
		t.Fatalf("%+v", got.Validation.Ties)
	}
	for what, text := range map[string]string{"show": must(t, "show", out), "report": string(read(t, filepath.Join(out, reportName)))} {
		for _, want := range []string{got.Validation.Ties[0].Rivals[0].Name, "indispensable", "ncrease of the out-of-fold error without a variable"} {
			if !strings.Contains(text, want) {
				t.Errorf("%s: %q is missing", what, want)
			}
		}
	}
	if code, _, says := call(t, "fit", table, "--target", "y", "-k", "2", "--rivals", "--grid", "1x1"); code != exitUsage || !strings.Contains(says, "--rivals does not work on a grid yet") {
		t.Errorf("on a grid: exit code %d, says %q", code, says)
	}
	if code, _, says := call(t, "fit", table, "--target", "y", "--fdr", "0.1", "--rivals"); code != exitUsage || !strings.Contains(says, "leave one of them out") {
		t.Errorf("with --fdr: exit code %d, says %q", code, says)
	}
}

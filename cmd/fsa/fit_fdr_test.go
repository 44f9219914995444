package main

import (
	"path/filepath"
	"strings"
	"testing"

	"fsa/model"
)

// A fit at a false discovery rate tells what was controlled, in the terminal, as JSON and in the model, which predicts.
func TestFDR(t *testing.T) {
	dir := t.TempDir()
	table, out := filepath.Join(dir, "x.csv"), filepath.Join(dir, "run")
	must(t, "generate", "ar1", "--rho", "0.3", "--task", "regression", "--n", "200", "--m", "40", "--k", "4", "--seed", "3", "--out", table)
	type told struct {
		K           int
		Selected    []model.Selected
		Discoveries *model.Discoveries
		Validation  *model.Validation
	}
	got := parse[told](t, must(t, "fit", table, "--target", "y", "--fdr", "0.1", "--out", out, "--report", "--json"))
	d := got.Discoveries
	if got.K < 4 || d == nil || d.Rate != 0.1 || d.HalfSamples != 20 || d.Candidates != 25 || d.Least != 1 || got.Validation != nil {
		t.Fatalf("%+v", got)
	}
	for _, v := range got.Selected[:4] {
		if d.Confirmed[v.Name] < 0.5 {
			t.Errorf("%s is confirmed in %v of the half samples", v.Name, d.Confirmed[v.Name])
		}
	}
	shown := parse[told](t, must(t, "show", out, "--json"))
	if shown.Discoveries == nil || shown.Discoveries.Relevant != d.Relevant {
		t.Errorf("show: %+v", shown.Discoveries)
	}
	if text := strings.Join(strings.Fields(must(t, "show", out)), " "); !strings.Contains(text, "false discovery rate 0.1: at most 0.4 of the 4 selected variables are expected to be irrelevant") {
		t.Errorf("show says\n%s", text)
	}
	if page := string(read(t, filepath.Join(out, reportName))); !strings.Contains(page, "false discovery rate 0.1: at most 0.4 of the 4 selected") {
		t.Error("the report does not name the false discovery rate")
	}
	if predicted := must(t, "predict", out, table); strings.Count(predicted, "\n") != 201 {
		t.Errorf("%d lines of predictions", strings.Count(predicted, "\n"))
	}
	if plan := must(t, "fit", table, "--target", "y", "--fdr", "0.1", "--plan"); !strings.Contains(plan, "20 half samples") {
		t.Errorf("the plan is\n%s", plan)
	}
}

// Where nothing can be discovered, the model is empty and a note says why.
func TestFDRFindsNothing(t *testing.T) {
	table := file(t, "t.csv", "a,b,y\n1,2,3\n2,1,5\n4,4,1\n0,3,2\n5,1,1\n2,2,2\n7,1,4\n")
	code, out, says := call(t, "fit", table, "--target", "y", "--fdr", "0.05")
	if code != exitDone || !strings.Contains(out, "0 of 2 variables") || !strings.Contains(says, "nothing is selected") || !strings.Contains(says, "at least 2 candidates") {
		t.Errorf("exit code %d, prints %q, says %q", code, out, says)
	}
}

// Flags that do not go together with --fdr are refused.
func TestFDRRefuses(t *testing.T) {
	table := file(t, "t.csv", "a,b,y\n1,2,3\n2,1,5\n4,4,1\n0,3,2\n")
	for want, args := range map[string][]string{
		"above 0 and below 1":               {"--fdr", "0"},
		"a number of variables is given":    {"--fdr", "0.1", "-k", "1"},
		"nested cross-validation does":      {"--fdr", "0.1", "--folds", "3"},
		"half samples of its own":           {"--fdr", "0.1", "--stability", "10"},
		"give one loss":                     {"--fdr", "0.1", "--loss", "squared,huber"},
		"cannot end early":                  {"--fdr", "0.1", "--max-time", "1m"},
		"not available with --method l1":    {"--fdr", "0.1", "--method", "l1"},
		"--fdr does not work on a grid yet": {"--fdr", "0.1", "--grid", "1x1"},
		"fdr does not support rankings":     {"--fdr", "0.1", "--loss", "rank"},
		"unknown flag --fdr":                nil,
	} {
		all := append([]string{"fit", table, "--target", "y"}, args...)
		if args == nil {
			all = []string{"cv", table, "--target", "y", "--fdr", "0.1"}
		}
		if code, _, says := call(t, all...); code != exitUsage || !strings.Contains(says, want) {
			t.Errorf("%v: exit code %d, says %q", args, code, says)
		}
	}
}

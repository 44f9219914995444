package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fsa/model"
)

// The comparison with a model of all columns is printed, saved, shown and reported, and is the same everywhere.
func TestReference(t *testing.T) {
	dir := t.TempDir()
	table, folder := filepath.Join(dir, "t.csv"), filepath.Join(dir, "run")
	must(t, "generate", "ar1", "--task", "regression", "--n", "120", "--m", "12", "--k", "6", "--seed", "1", "--out", table)
	fitted := must(t, "fit", table, "--target", "y", "-k", "2", "--reference", "ridge", "--out", folder, "--report")
	const line = "Against a ridge on all 12 columns: squared loss"
	for name, out := range map[string]string{"fit": fitted, "show": must(t, "show", folder), "cv": must(t, "cv", table, "--target", "y", "-k", "2", "--reference", "ridge")} {
		if !strings.Contains(out, line) || !strings.Contains(out, "the model loses") {
			t.Errorf("%s: %s", name, out)
		}
	}
	page, err := os.ReadFile(filepath.Join(folder, "report.html"))
	if err != nil || !strings.Contains(string(page), line) {
		t.Errorf("the report says nothing about the reference: %v", err)
	}
	var shown struct {
		Validation model.Validation `json:"validation"`
	}
	if err := json.Unmarshal([]byte(must(t, "show", folder, "--json")), &shown); err != nil {
		t.Fatal(err)
	}
	var curve model.Validation
	text, err := os.ReadFile(filepath.Join(folder, "curve.json"))
	if err == nil {
		err = json.Unmarshal(text, &curve)
	}
	if err != nil || curve.Reference == nil || *curve.Reference != *shown.Validation.Reference {
		t.Errorf("curve.json has %v, and the model %v: %v", curve.Reference, shown.Validation.Reference, err)
	}
	for flags, want := range map[string]string{
		"--reference forest":            "unknown reference",
		"--reference ridge --folds 2":   "at least 3 folds",
		"--reference ridge --method l1": "--reference is for annealing",
		"--reference ridge --grid 1x1":  "--reference does not work on a grid yet",
	} {
		args := append([]string{"fit", table, "--target", "y", "-k", "2"}, strings.Fields(flags)...)
		if code, _, said := call(t, args...); code == exitDone || !strings.Contains(said, want) {
			t.Errorf("%s: exit code %d, %s", flags, code, said)
		}
	}
}

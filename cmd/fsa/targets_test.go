package main

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// targetsFile writes a generated table of three targets and fits three variables for all of them.
func targetsFile(t *testing.T) (table, out string) {
	dir := t.TempDir()
	table, out = filepath.Join(dir, "t.csv"), filepath.Join(dir, "run")
	must(t, "generate", "ar1", "--task", "multi", "--n", "150", "--m", "40", "-k", "3", "--seed", "1", "--out", table)
	must(t, "fit", table, "--target", "y,y2,y3", "-k", "3", "--bins", "0", "--out", out, "--report")
	return table, out
}

// TestTargetsCommand fits three numbers with one selection, shows, predicts, reports and exports them.
func TestTargetsCommand(t *testing.T) {
	table, out := targetsFile(t)
	shown := must(t, "show", out)
	for _, part := range []string{"3 of 40 variables", "multitarget loss", "3 targets: y, y2, y3", "folds  y", "at y2", "x9", "x19", "x29"} {
		if !strings.Contains(shown, part) {
			t.Errorf("show lacks %q:\n%s", part, shown)
		}
	}
	var s struct {
		Targets   []struct{ Name string }
		Metrics   map[string]float64
		Intercept []float64
	}
	if err := json.Unmarshal([]byte(must(t, "show", out, "--json")), &s); err != nil || len(s.Targets) != 3 || s.Targets[1].Name != "y2" || len(s.Intercept) != 3 {
		t.Errorf("JSON: %+v, %v", s, err)
	}
	if mean := (s.Metrics["r2_y"] + s.Metrics["r2_y2"] + s.Metrics["r2_y3"]) / 3; math.Abs(mean-s.Metrics["r2"]) > 1e-12 {
		t.Errorf("metrics %v", s.Metrics)
	}
	lines := strings.Fields(must(t, "predict", out, table))
	if lines[0] != "prediction_y,prediction_y2,prediction_y3" || len(lines) != 151 {
		t.Fatalf("%d lines, the first %s", len(lines), lines[0])
	}
	var object struct {
		Decision []float64
		Metrics  map[string]float64
	}
	if err := json.Unmarshal([]byte(must(t, "predict", out, table, "--json")), &object); err != nil || len(object.Decision) != 450 || math.Abs(object.Metrics["r2_y3"]-s.Metrics["r2_y3"]) > 1e-6 {
		t.Errorf("JSON: %d numbers, %v, %v", len(object.Decision), object.Metrics, err)
	}
	if head, _, _ := strings.Cut(must(t, "predict", out, table, "--contributions"), "\n"); !strings.Contains(head, "adds_x9_y2") {
		t.Errorf("contributions of %s", head)
	}
	rows, err := os.ReadFile(filepath.Join(out, "rows.csv"))
	if head, _, _ := strings.Cut(string(rows), "\n"); err != nil || head != "row,fold,target_y,target_y2,target_y3,prediction_y,prediction_y2,prediction_y3" {
		t.Errorf("out-of-fold predictions begin with %q, %v", head, err)
	}
	if page, err := os.ReadFile(filepath.Join(out, "report.html")); err != nil || !strings.Contains(string(page), "Predicted and true y3") || !strings.Contains(string(page), "R² of y3") {
		t.Errorf("the report lacks y3, %v", err)
	}
	if text := must(t, "export", out, "--to", "json"); !strings.Contains(text, `"targets":[{"name":"y"},{"name":"y2"},{"name":"y3"}]`) {
		t.Errorf("exported:\n%s", text)
	}
	for to, want := range map[string]string{"sql": `"fsa_prediction_y3"`, "c": "fsa_targets", "go": `var Targets = [Outputs]string{"y", "y2", "y3"}`, "python": `TARGETS = ["y", "y2", "y3"]`} {
		if text := must(t, "export", out, "--to", to); !strings.Contains(text, want) {
			t.Errorf("exported to %s without %s:\n%s", to, want, text)
		}
	}
	refused(t, []string{"predict", out, table, "--interval", "0.9"}, exitUsage, "one target", "leave the interval out")
	fit := func(args ...string) []string {
		return append([]string{"fit", table, "--target", "y,y2", "--drop", "y3", "-k", "2"}, args...)
	}
	refused(t, fit("--grid", "1x1"), exitBadData, "several targets", "fit on one machine")
	refused(t, fit("--device", "cuda"), exitUsage, "CPU of one machine")
	refused(t, fit("--method", "l1"), exitUsage, "several targets")
	refused(t, fit("--loss", "huber"), exitUsage, "--loss multitarget")
	refused(t, fit("--offset", "x1"), exitUsage, "an offset")
	refused(t, fit("--force", "y2"), exitUsage, "it is a target")
	refused(t, []string{"fit", table, "--target", "y,nothing"}, exitBadData, `no column "nothing"`)
	refused(t, []string{"fit", table, "--target", "y,y"}, exitBadData, "two roles")
}

// TestLabelsCommand fits three labels, of which cells are missing, with one selection.
func TestLabelsCommand(t *testing.T) {
	table, dir := filepath.Join("..", "..", "testdata", "targets", "labels.csv"), t.TempDir()
	out := filepath.Join(dir, "run")
	must(t, "fit", table, "--target", "sick,tired,old", "-k", "2", "--bins", "0", "--out", out, "--report")
	shown := must(t, "show", out)
	for _, part := range []string{"multilabel loss", "sick (yes, not no)", "old (1, not 0)", "AUC 0.", "at tired"} {
		if !strings.Contains(shown, part) {
			t.Errorf("show lacks %q:\n%s", part, shown)
		}
	}
	if page, err := os.ReadFile(filepath.Join(out, "report.html")); err != nil || !strings.Contains(string(page), "ROC curve of each label") || !strings.Contains(string(page), "tired: AUC 0.") || !strings.Contains(string(page), "Calibration") || !strings.Contains(string(page), "AUC of tired") {
		t.Errorf("the report of labels lacks a picture or a measure, %v", err)
	}
	lines := strings.Fields(must(t, "predict", out, table))
	if lines[0] != "class_sick,probability_sick,class_tired,probability_tired,class_old,probability_old" || len(lines) != 81 {
		t.Fatalf("%d lines, the first %s", len(lines), lines[0])
	}
	var object struct {
		Class       []string
		Probability []float64
	}
	if err := json.Unmarshal([]byte(must(t, "predict", out, table, "--json")), &object); err != nil || len(object.Class) != 240 || len(object.Probability) != 240 {
		t.Errorf("JSON: %d classes, %d probabilities, %v", len(object.Class), len(object.Probability), err)
	}
	refused(t, []string{"fit", table, "--target", "sick,age"}, exitUsage, "different kinds")
	refused(t, []string{"fit", table, "--target", "sick,old", "--calibrate"}, exitUsage, "calibration")
}

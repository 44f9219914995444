package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"fsa"
)

// fitResponses fits testdata/responses with a target, and returns the run folder.
func fitResponses(t *testing.T, args ...string) (table, out string) {
	t.Helper()
	table, out = filepath.Join("..", "..", "testdata", "responses", "table.csv"), filepath.Join(t.TempDir(), "run")
	must(t, append([]string{"fit", table, "-k", "2", "--bins", "0", "--folds", "3", "--out", out}, args...)...)
	return table, out
}

// TestExposure fits counts with an exposure, predicts rows and exports the model.
func TestExposure(t *testing.T) {
	table, out := fitResponses(t, "--target", "counts", "--loss", "poisson", "--exposure", "exposure", "--drop", "over,amounts,claims,number")
	shown := must(t, "show", out)
	for _, part := range []string{"poisson loss, exposure exposure", "deviance", "cross-validated:"} {
		if !strings.Contains(shown, part) {
			t.Errorf("show lacks %q:\n%s", part, shown)
		}
	}
	var s struct {
		Offset   string
		Exposure bool
	}
	if err := json.Unmarshal([]byte(must(t, "show", out, "--json")), &s); err != nil || s.Offset != "exposure" || !s.Exposure {
		t.Errorf("JSON: %+v, %v", s, err)
	}
	lines := strings.Fields(must(t, "predict", out, table))
	if lines[0] != "prediction" || len(lines) != 81 {
		t.Fatalf("%d lines, the first %s", len(lines), lines[0])
	}
	// Twice the exposure is twice the prediction.
	one := must(t, "predict", out, file(t, "one.csv", "x0,x1,x2,exposure\n1,0,1,1\n1,0,1,2\n"))
	var p []float64
	for _, text := range strings.Fields(one)[1:] {
		v, err := strconv.ParseFloat(text, 64)
		if err != nil {
			t.Fatal(err)
		}
		p = append(p, v)
	}
	if len(p) != 2 || math.Abs(p[1]/p[0]-2) > 1e-9 {
		t.Errorf("predictions %v of the exposures 1 and 2", p)
	}
	var object struct{ Decision, Prediction []float64 }
	if err := json.Unmarshal([]byte(must(t, "predict", out, table, "--json")), &object); err != nil || len(object.Prediction) != 80 || math.Abs(math.Log(object.Prediction[7])-object.Decision[7]) > 1e-9 {
		t.Errorf("JSON: %v", err)
	}
	if got := must(t, "predict", out, file(t, "years.csv", "x0,x1,x2,years\n1,0,1,1\n1,0,1,2\n"), "--exposure", "years"); got != one {
		t.Errorf("from another column: %s, want %s", got, one)
	}
	refused(t, []string{"predict", out, file(t, "none.csv", "x0,x1,x2\n1,0,1\n")}, exitBadData, `there is no column "exposure" for the exposure`)
	refused(t, []string{"predict", out, file(t, "zero.csv", "x0,x1,x2,exposure\n1,0,1,1\n1,0,1,0\n")}, exitBadData, "zero.csv:3", "the exposure is 0")
	refused(t, []string{"predict", out, table, "--offset", "exposure"}, exitUsage, "fitted with an exposure")
	refused(t, []string{"fit", table, "--offset", "x0", "--exposure", "x1"}, exitUsage, "either --offset or --exposure")
	refused(t, []string{"export", out, "--to", "sql"}, exitUsage, `offset of column "exposure"`)
	if text := must(t, "export", out, "--to", "json"); !strings.Contains(text, `"link":"exp","offset":"exposure","exposure":true`) {
		t.Errorf("exported:\n%s", text)
	}
}

// TestQuantileCommand fits a quantile and asks for intervals of amounts.
func TestQuantileCommand(t *testing.T) {
	_, out := fitResponses(t, "--target", "number", "--loss", "quantile", "--quantile", "0.8", "--drop", "over,amounts,claims,counts,exposure,weight")
	if shown := must(t, "show", out); !strings.Contains(shown, "quantile loss of quantile 0.8") || !strings.Contains(shown, "share below") {
		t.Errorf("show:\n%s", shown)
	}
	refused(t, []string{"fit", "x.csv", "--loss", "quantile", "--quantile", "0"}, exitUsage, "--quantile 0", "above 0")
	table, out := fitResponses(t, "--target", "amounts", "--loss", "gamma", "--drop", "over,number,claims,counts,weight")
	for i, line := range strings.Fields(must(t, "predict", out, table, "--interval", "0.9"))[1:] {
		cells := strings.Split(line, ",")
		low, _ := strconv.ParseFloat(cells[1], 64)
		high, _ := strconv.ParseFloat(cells[2], 64)
		if !(low >= 0 && high > low) {
			t.Fatalf("row %d: an interval from %v to %v", i+1, low, high)
		}
	}
}

// TestQuantilesFlag checks that a flag of quantiles is written as given, in order, so that another list is another fit.
func TestQuantilesFlag(t *testing.T) {
	var o fsa.Objective
	f := &quantilesFlag{&o}
	for text, want := range map[string]string{"0.5": "0.5", "0.9,0.1": "0.1,0.9", " 0.25, 0.75": "0.25,0.75"} {
		if err := f.Set(text); err != nil || f.String() != want {
			t.Errorf("%q: %s, %v", text, f, err)
		}
	}
	if (&quantilesFlag{}).String() != "" {
		t.Error("the default is not empty")
	}
}

// TestQuantilesCommand fits three quantiles with one selection, shows, predicts, reports and exports them.
func TestQuantilesCommand(t *testing.T) {
	table, out := fitResponses(t, "--target", "number", "--loss", "quantile", "--quantile", "0.9,0.1,0.5", "--drop", "over,amounts,claims,counts,exposure,weight", "--report")
	shown := must(t, "show", out)
	for _, part := range []string{"quantile loss of quantiles 0.1, 0.5, 0.9", "at 0.1", "folds  0.1", "share below 0."} {
		if !strings.Contains(shown, part) {
			t.Errorf("show lacks %q:\n%s", part, shown)
		}
	}
	var s struct {
		LossSettings struct{ Quantiles []float64 } `json:"loss_settings"`
		Metrics      map[string]float64
		Intercept    []float64
	}
	if err := json.Unmarshal([]byte(must(t, "show", out, "--json")), &s); err != nil || len(s.LossSettings.Quantiles) != 3 || len(s.Intercept) != 3 {
		t.Errorf("JSON: %+v, %v", s, err)
	}
	if mean := (s.Metrics["pinball_0.1"] + s.Metrics["pinball_0.5"] + s.Metrics["pinball_0.9"]) / 3; math.Abs(mean-s.Metrics["pinball"]) > 1e-12 || math.Abs(s.Metrics["below_0.9"]-0.9) > 0.05 {
		t.Errorf("metrics %v", s.Metrics)
	}
	lines := strings.Fields(must(t, "predict", out, table))
	if lines[0] != "quantile_0.1,quantile_0.5,quantile_0.9" || len(lines) != 81 {
		t.Fatalf("%d lines, the first %s", len(lines), lines[0])
	}
	var object struct{ Decision, Prediction []float64 }
	if err := json.Unmarshal([]byte(must(t, "predict", out, table, "--json")), &object); err != nil || len(object.Prediction) != 240 {
		t.Errorf("JSON: %d numbers, %v", len(object.Prediction), err)
	}
	if head, _, _ := strings.Cut(must(t, "predict", out, table, "--contributions"), "\n"); !strings.Contains(head, "intercept_0.1") {
		t.Errorf("contributions of %s", head)
	}
	refused(t, []string{"predict", out, table, "--interval", "0.9"}, exitUsage, "several quantiles", "leave the interval out")
	refused(t, []string{"export", out, "--to", "sql"}, exitUsage, "several quantiles", "export to json")
	if text := must(t, "export", out, "--to", "json"); !strings.Contains(text, `"quantiles":[0.1,0.5,0.9]`) {
		t.Errorf("exported:\n%s", text)
	}
	refused(t, []string{"fit", table, "--target", "number", "--loss", "quantile", "--quantile", "0.1,0.1"}, exitUsage, "must be different")
	refused(t, []string{"fit", table, "--target", "number", "--loss", "quantile", "--quantile", "0.1,1"}, exitUsage, "--quantile", "below 1")
	refused(t, []string{"fit", table, "--target", "number", "--quantile", "0.1,0.9"}, exitUsage, "quantiles are for the quantile loss")
	refused(t, []string{"fit", table, "--target", "number", "--loss", "quantile", "--quantile", "0.1,0.9", "--offset", "weight"}, exitUsage, "several quantiles do not support an offset")
	refused(t, []string{"fit", table, "--target", "number", "--loss", "quantile", "--quantile", "0.1,0.9", "--method", "l1"}, exitUsage, "quantile")
}

// TestSurvivalCommand fits survival times, predicts probabilities and exports the risk.
func TestSurvivalCommand(t *testing.T) {
	table, out := filepath.Join("..", "..", "testdata", "responses", "survival.csv"), filepath.Join(t.TempDir(), "run")
	must(t, "fit", table, "--target", "time", "--event", "died", "--drop", "center", "-k", "2", "--out", out, "--report")
	if shown := must(t, "show", out); !strings.Contains(shown, "survival, cox loss") || !strings.Contains(shown, "concordance 0.") || strings.Contains(shown, "intercept") {
		t.Errorf("show:\n%s", shown)
	}
	if page, err := os.ReadFile(filepath.Join(out, "report.html")); err != nil || !strings.Contains(string(page), "Survival by risk") || !strings.Contains(string(page), "; observed until ") {
		t.Error("the report does not show survival", err)
	}
	lines := strings.Fields(must(t, "predict", out, table, "--at", "1,10"))
	if lines[0] != "risk,survival_1,survival_10" || len(lines) != 91 {
		t.Fatalf("%d lines, the first %s", len(lines), lines[0])
	}
	for _, line := range lines[1:] {
		cells := strings.Split(line, ",")
		one, _ := strconv.ParseFloat(cells[1], 64)
		ten, _ := strconv.ParseFloat(cells[2], 64)
		if !(one <= 1 && one >= ten && ten >= 0) {
			t.Fatalf("survival probabilities %v and %v", one, ten)
		}
	}
	var object struct{ Decision, Survival []float64 }
	if err := json.Unmarshal([]byte(must(t, "predict", out, table, "--at", "1,10", "--json")), &object); err != nil || len(object.Survival) != 180 || len(object.Decision) != 90 {
		t.Errorf("JSON: %d and %d numbers, %v", len(object.Survival), len(object.Decision), err)
	}
	if _, _, measures := call(t, "predict", out, table); !strings.Contains(measures, "concordance 0.") {
		t.Errorf("measures: %s", measures)
	}
	if text := must(t, "export", out, "--to", "sql"); !strings.Contains(text, "fsa_risk") {
		t.Errorf("exported:\n%s", text)
	}
	refused(t, []string{"predict", out, table, "--at", "-1"}, exitUsage, "must not be negative")
	refused(t, []string{"fit", table, "--target", "time", "--event", "died", "-k", "2", "--batch", "10"}, exitUsage, "each step of the cox loss compares all rows")
	if plan := must(t, "fit", table, "--target", "time", "--event", "died", "-k", "2", "--plan"); !strings.Contains(plan, "90 of 90 rows  each step of this loss compares all rows") {
		t.Error(plan)
	}
	_, counts := fitResponses(t, "--target", "counts", "--loss", "poisson", "--drop", "over,amounts,claims,number,exposure,weight")
	refused(t, []string{"predict", counts, table, "--at", "1"}, exitUsage, "cox loss")
}

// TestEntryCommand fits survival times of rows that enter late, shows and predicts them.
func TestEntryCommand(t *testing.T) {
	table, out := file(t, "late.csv", lateTable()), filepath.Join(t.TempDir(), "run")
	fitted := must(t, "fit", table, "--target", "time", "--event", "died", "--entry", "since", "--ties", "breslow", "-k", "1", "--bins", "0", "--folds", "3", "--out", out)
	for _, part := range []string{"cox loss with ties by Breslow, entry since", "concordance 0."} {
		if !strings.Contains(fitted, part) {
			t.Errorf("fit lacks %q:\n%s", part, fitted)
		}
	}
	var s struct {
		LossSettings struct{ Ties string } `json:"loss_settings"`
		Metrics      map[string]float64
	}
	if err := json.Unmarshal([]byte(must(t, "show", out, "--json")), &s); err != nil || s.LossSettings.Ties != "breslow" {
		t.Errorf("JSON: %+v, %v", s, err)
	}
	_, _, measures := call(t, "predict", out, table)
	if want := fmt.Sprintf("concordance %.3f", s.Metrics["concordance"]); !strings.Contains(measures, want) { // of entries, too
		t.Errorf("measures %s, want %s", measures, want)
	}
	refused(t, []string{"fit", table, "--target", "time", "--event", "died", "--entry", "time2"}, exitBadData, `no column "time2" for the entries`)
	refused(t, []string{"fit", table, "--target", "time", "--event", "died", "--entry", "time"}, exitBadData, "cannot have two roles")
	refused(t, []string{"fit", table, "--target", "time", "--entry", "since", "--loss", "squared"}, exitUsage, "entries are for survival times")
	refused(t, []string{"fit", table, "--target", "time", "--ties", "exact"}, exitUsage, "exact", "efron or breslow")
	bad := file(t, "bad.csv", strings.Replace(lateTable(), "\n0.3,2,1,0", "\n0.3,2,1,2", 1))
	refused(t, []string{"fit", bad, "--target", "time", "--event", "died", "--entry", "since", "-k", "1"}, exitBadData, "bad.csv", "row 2", "column since", "must enter before")
}

// lateTable returns rows with the risk x, some of which enter late.
func lateTable() string {
	text := strings.Builder{}
	text.WriteString("x,time,died,since\n0.1,3,1,1\n0.3,2,1,0\n")
	for i := range 60 {
		x, time := float64(i*7%11)/10, 1+(i*13+7*i*i)%17
		fmt.Fprintf(&text, "%v,%d,%d,%d\n", x, time+int(3*(1-x)), (i+i/7)%3%2, i%3*time/4)
	}
	return text.String()
}

// TestOrderedCommand fits ordered classes and successes of trials, shows, predicts, reports and exports them.
func TestOrderedCommand(t *testing.T) {
	table, dir := filepath.Join("..", "..", "testdata", "responses", "ordered.csv"), t.TempDir()
	out := filepath.Join(dir, "ordered")
	fitted := must(t, "fit", table, "--target", "level", "--order", "none,low,mid,high", "--drop", "grade,trials,successes", "-k", "2", "--bins", "0", "--folds", "3", "--report", "--out", out)
	for _, part := range []string{"ordinal loss", "classes none < low < mid < high", "thresholds ", "ranked probability score "} {
		if !strings.Contains(fitted, part) {
			t.Errorf("fit lacks %q:\n%s", part, fitted)
		}
	}
	var s struct {
		LossSettings struct{ Thresholds []float64 } `json:"loss_settings"`
		Classes      []string
	}
	if err := json.Unmarshal([]byte(must(t, "show", out, "--json")), &s); err != nil || len(s.LossSettings.Thresholds) != 3 || len(s.Classes) != 4 {
		t.Errorf("JSON: %+v, %v", s, err)
	}
	lines := strings.Fields(must(t, "predict", out, table, "--interval", "0.9"))
	if want := "class,decision,probability_none,probability_low,probability_mid,probability_high,classes"; lines[0] != want || len(lines) != 121 {
		t.Errorf("%d lines, the first %s, want %s", len(lines), lines[0], want)
	}
	refused(t, []string{"export", out, "--to", "sql"}, exitUsage, "ordered classes, whose thresholds sql cannot express")
	if text := must(t, "export", out, "--to", "json"); !strings.Contains(text, `"link":"cumulative"`) || !strings.Contains(text, `"thresholds":[`) {
		t.Errorf("exported:\n%s", text)
	}
	out = filepath.Join(dir, "shares")
	fitted = must(t, "fit", table, "--target", "successes", "--trials", "trials", "--drop", "grade,level", "-k", "2", "--bins", "0", "--folds", "3", "--report", "--out", out)
	if !strings.Contains(fitted, "binomial loss") || !strings.Contains(fitted, "deviance") {
		t.Errorf("fit printed:\n%s", fitted)
	}
	lines = strings.Fields(must(t, "predict", out, table))
	for _, text := range lines[1:] {
		if v, err := strconv.ParseFloat(text, 64); err != nil || !(v > 0 && v < 1) {
			t.Fatalf("prediction %s of a share", text)
		}
	}
	if text := must(t, "export", out, "--to", "sql"); !strings.Contains(text, "1e0 / (1e0 + exp(") {
		t.Errorf("exported:\n%s", text)
	}
	refused(t, []string{"fit", table, "--target", "level", "--loss", "ordinal"}, exitUsage, "--order low,mid,high")
	refused(t, []string{"fit", table, "--target", "successes", "--trials", "grade"}, exitBadData, "the number of trials is 0")
}

package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"fsa/report"
)

// A run folder says what was run, and all its files identify the model; without rows there are none
// in it, even if an earlier run has left some.
func TestRunRecord(t *testing.T) {
	t.Chdir(t.TempDir())
	must(t, "generate", "ar1", "--n", "100", "--m", "30", "--out", "t.csv")
	call := []string{"fit", "t.csv", "--target", "y", "-k", "3", "--seed", "7", "--out", "run"}
	must(t, call...)
	var r report.RunRecord
	if err := json.Unmarshal(read(t, "run/run.json"), &r); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(r.Command, call) || r.Seed != 7 || r.Data.Rows != 100 || r.Data.Columns != 30 || r.Data.SHA256 == "" || len(r.Plan) == 0 {
		t.Errorf("run.json: %+v", r)
	}
	for _, name := range report.Recorded {
		var h report.Header
		if err := json.Unmarshal(read(t, filepath.Join("run", name)), &h); err != nil || h.Model != r.Model {
			t.Errorf("%s is of model %s: %v", name, h.Model, err)
		}
	}
	must(t, append(call, "--no-rows")...)
	if _, err := os.Stat("run/examples.json"); !os.IsNotExist(err) {
		t.Errorf("single rows of an earlier run are still there: %v", err)
	}
	must(t, append(call, "--method", "rfe")...)
	if _, err := os.Stat("run/path.json"); !os.IsNotExist(err) {
		t.Errorf("the descent of an earlier run is still there: %v", err)
	}
}

package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestOffsetModel starts a fit from a model, shows and exports the result, and predicts with its file alone.
func TestOffsetModel(t *testing.T) {
	table := filepath.Join("..", "..", "testdata", "responses", "table.csv")
	folder := t.TempDir()
	first, out := filepath.Join(folder, "first"), filepath.Join(folder, "run")
	base := []string{"fit", table, "--target", "number", "--bins", "0", "--folds", "3"}
	must(t, append(base, "-k", "1", "--drop", "weight,exposure,counts,over,amounts,claims,x1,x2", "--out", first)...)
	base = append(base, "--drop", "weight,exposure,counts,over,amounts,claims")
	said := must(t, append(base, "-k", "2", "--offset-model", first, "--out", out)...)
	if !strings.Contains(said, "starts from a model of 1 variable,") {
		t.Errorf("fit:\n%s", said)
	}
	if err := os.RemoveAll(first); err != nil { // the model contains it
		t.Fatal(err)
	}
	var s struct {
		Start struct {
			Selected []struct{ Name string }
			Loss     string
		} `json:"offset_model"`
	}
	if err := json.Unmarshal([]byte(must(t, "show", out, "--json")), &s); err != nil || len(s.Start.Selected) != 1 || s.Start.Selected[0].Name != "x0" || s.Start.Loss != "squared" {
		t.Errorf("JSON: %+v, %v", s, err)
	}
	if lines := strings.Fields(must(t, "predict", out, table)); lines[0] != "prediction" || len(lines) != 81 {
		t.Errorf("%d lines of predictions", len(lines))
	}
	refused(t, []string{"predict", out, file(t, "few.csv", "x1,x2\n1,0\n")}, exitBadData, "lacks what the model needs: x0")
	refused(t, []string{"export", out, "--to", "sql"}, exitUsage, "contains the offset model", "export to json")
	if text := must(t, "export", out, "--to", "json"); !strings.Contains(text, `"version":4`) || !strings.Contains(text, `"offset_model":{"format":"fsa-export"`) {
		t.Errorf("exported:\n%s", text)
	}
	refused(t, append(base, "--offset-model", out, "--drop", "x0"), exitUsage, "--drop x0", "needs this column")
	refused(t, []string{"fit", table, "--target", "number", "--offset-model", out, "-k", "1", "--method", "ridge"}, exitUsage, "--offset-model is for annealing")
	refused(t, []string{"fit", table, "--target", "over", "--loss", "poisson", "--offset-model", out}, exitUsage, "on another scale")
}

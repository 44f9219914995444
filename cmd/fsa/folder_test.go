package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A folder is a table like a file, with the columns that the names of its folders give, and a grid says how much of it
// was read.
func TestFolderTable(t *testing.T) {
	root := t.TempDir()
	for year := range 3 {
		dir := filepath.Join(root, fmt.Sprint("year=", 2020+year))
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		must(t, "generate", "ar1", "--n", "100", "--m", "10", "--k", "2", "--task", "regression", "--seed", fmt.Sprint(year), "--out", filepath.Join(dir, "x.parquet"))
		if err := os.Remove(filepath.Join(dir, "x.truth.txt")); err != nil {
			t.Fatal(err)
		}
	}
	write(t, filepath.Join(root, "_SUCCESS"), nil)
	for _, more := range [][]string{nil, {"--grid", "1x1"}} {
		out := filepath.Join(t.TempDir(), "run")
		said := must(t, append([]string{"fit", root, "--target", "y", "-k", "3", "--quick", "--force", "year", "--json", "--out", out}, more...)...)
		var told struct {
			Rows, Columns int
			BytesRead     int64 `json:"bytes_read"`
		}
		if err := json.Unmarshal([]byte(said), &told); err != nil {
			t.Fatal(err)
		}
		if told.Rows != 300 || told.Columns != 11 || (told.BytesRead > 0) != (more != nil) {
			t.Errorf("%v: %+v", more, told)
		}
		if rows := strings.Count(must(t, "predict", out, root), "\n"); rows != 301 {
			t.Errorf("%v: %d lines of predictions", more, rows)
		}
	}
	if said := must(t, "describe", root, "--target", "y"); !strings.Contains(said, "year") {
		t.Error(said)
	}
}

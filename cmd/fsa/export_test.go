package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"fsa/export"
	"fsa/internal/need"
)

// A model is written in every format, to standard output and to a file.
func TestExport(t *testing.T) {
	path, dir := filepath.Join("testdata", "models", "mixed.json"), t.TempDir()
	for _, to := range export.Formats() {
		out := filepath.Join(dir, "model."+to)
		printed := must(t, "export", path, "--to", to)
		if must(t, "export", path, "--to", to, "--out", out) != "" {
			t.Errorf("%s: something is printed although there is a file", to)
		}
		if string(read(t, out)) != printed || printed == "" {
			t.Errorf("%s: the file differs from what is printed", to)
		}
	}
	for _, dialect := range export.Dialects() {
		text := must(t, "export", path, "--to", "sql", "--dialect", dialect, "--table", "shop.customers")
		if !strings.Contains(text, `FROM "shop"."customers"`) || !strings.Contains(text, dialect) {
			t.Errorf("%s:\n%s", dialect, text)
		}
	}
}

func TestExportMessages(t *testing.T) {
	path := filepath.Join("testdata", "models", "mixed.json")
	copied := file(t, "model.json", string(read(t, path)))
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{path}, "--to is missing"},
		{[]string{path, "--to", "pdf"}, "--to pdf: it must be one of c, go, json, onnx, python, sql"},
		{[]string{path, "--to", "sql", "--dialect", "oracle"}, "it must be one of duckdb, postgres, sqlite"},
		{[]string{path, "--to", "json", "--dialect", "sqlite"}, "are for --to sql"},
		{[]string{path, "--to", "onnx", "--table", "x"}, "are for --to sql"},
		{[]string{path, "--to", "json", "--matrix"}, "--matrix is for --to onnx"},
		{[]string{path, "--to", "onnx", "--matrix"}, "holds texts or dates"},
		{[]string{copied, "--to", "json", "--out", copied}, "this is the input file"},
		{[]string{"--to", "json"}, "MODEL is missing"},
	} {
		refused(t, append([]string{"export"}, c.args...), exitUsage, c.want)
	}
	refused(t, []string{"export", file(t, "x.json", "{}"), "--to", "json"}, exitBadData, "x.json")
	if code, _, _ := call(t, "export", path, "--to", "json", "--out", filepath.Join(t.TempDir(), "no", "folder")); code != exitFailed {
		t.Errorf("a folder that is not there: exit code %d", code)
	}
}

// An exported model that another program runs predicts the same as fsa predict.
func TestEngineExport(t *testing.T) {
	dir := need.Variable(t, "FSA_ENGINES", "run scripts/engines/setup.sh DIR, and set it to DIR")
	const script = `
import csv, json, sys
sys.path.insert(0, sys.argv[1])
import scorer
missing = {"", "NA"}
with open(sys.argv[2], newline="") as f:
    rows = [{k: None if v in missing else float(v) if k in scorer.NUMBERS else v for k, v in row.items()} for row in csv.DictReader(f)]
json.dump([scorer.predict(row) for row in rows], sys.stdout)
`
	for name, args := range goldenFits {
		if words := strings.Fields(args); strings.HasSuffix(words[0], ".csv") {
			t.Run(name, func(t *testing.T) {
				folder := t.TempDir()
				table, path := filepath.Join(folder, words[0]), filepath.Join("testdata", "models", name+".json")
				if err := os.WriteFile(table, []byte(goldenTables[words[0]]()), 0o644); err != nil {
					t.Fatal(err)
				}
				must(t, "export", path, "--to", "python", "--out", filepath.Join(folder, "scorer.py"))
				out, err := exec.Command(filepath.Join(dir, "bin", "python"), "-c", script, folder, table).Output()
				if err != nil {
					t.Fatal(err)
				}
				var got []map[string]any
				if err := json.Unmarshal(out, &got); err != nil {
					t.Fatal(err)
				}
				want, err := csv.NewReader(strings.NewReader(must(t, "predict", path, table))).ReadAll()
				if err != nil || len(got) != len(want)-1 {
					t.Fatalf("%d predictions instead of %d, error %v", len(got), len(want)-1, err)
				}
				for i, row := range want[1:] {
					for j, column := range want[0] {
						compareCell(t, i, column, got[i], row[j])
					}
				}
			})
		}
	}
}

// compareCell compares a prediction with a cell of what fsa predict writes.
func compareCell(t *testing.T, row int, column string, got map[string]any, want string) {
	t.Helper()
	if column == "class" {
		if got[column] != want {
			t.Errorf("row %d: class %v, want %s", row, got[column], want)
		}
		return
	}
	value := got[column]
	if class, several := strings.CutPrefix(column, "probability_"); several {
		value = got["probability"].([]any)[strings.Index("abc", class)]
	}
	w, err := strconv.ParseFloat(want, 64)
	if err != nil {
		t.Fatal(err)
	}
	if g, ok := value.(float64); !ok || math.Abs(g-w) > 1e-12*max(1, math.Abs(w)) {
		t.Errorf("row %d: %s is %v, want %s", row, column, value, want)
	}
}

// ONNX is binary, so it is not written to a terminal; elsewhere it is written unchanged.
func TestExportIsBinary(t *testing.T) {
	out := must(t, "export", filepath.Join("testdata", "models", "mixed.json"), "--to", "onnx")
	if !bytes.Contains([]byte(out), []byte("MatMul")) {
		t.Error("this is no graph")
	}
	if onTerminal(&bytes.Buffer{}) {
		t.Error("a buffer is taken for a terminal")
	}
}

package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fsa/internal/version"
	"fsa/model"
)

func TestVersion(t *testing.T) {
	line := must(t, "version")
	if !strings.HasPrefix(line, "fsa "+version.String()) || strings.Count(line, "\n") != 1 {
		t.Errorf("fsa version prints %q", line)
	}
	if other := must(t, "--version"); other != line {
		t.Errorf("fsa --version prints %q, fsa version %q", other, line)
	}
	for _, args := range [][]string{{"version", "--json"}, {"--version", "--json"}} {
		text := must(t, args...)
		var got version.Info
		if err := json.Unmarshal([]byte(text), &got); err != nil || got != version.Get() {
			t.Errorf("fsa %v prints %q (%v)", args, text, err)
		}
	}
}

// A model and a report say which program made them, and a model keeps that when it is read and
// written by another one.
func TestVersionInFiles(t *testing.T) {
	table, out := filepath.Join(t.TempDir(), "numbers.csv"), t.TempDir()
	if err := os.WriteFile(table, []byte(goldenTables["numbers.csv"]()), 0o644); err != nil {
		t.Fatal(err)
	}
	must(t, "fit", table, "--target", "y", "-k", "3", "--quick", "--out", out)
	file, err := os.ReadFile(filepath.Join(out, modelName))
	if err != nil {
		t.Fatal(err)
	}
	says := `"program":"` + version.String() + `"`
	if !bytes.Contains(file, []byte(says)) {
		t.Errorf("the model does not say %s", says)
	}
	run, err := os.ReadFile(filepath.Join(out, "run.json"))
	if err != nil || !bytes.Contains(run, []byte(`"version":"`+version.String()+`"`)) {
		t.Errorf("the record of the run does not say the version (%v): %s", err, run)
	}
	older := bytes.Replace(file, []byte(says), []byte(`"program":"0.0.1"`), 1)
	m, err := model.Read(bytes.NewReader(older))
	if err != nil {
		t.Fatal(err)
	}
	var again bytes.Buffer
	if _, err := m.WriteTo(&again); err != nil || !bytes.Equal(again.Bytes(), older) || m.Program() != "0.0.1" {
		t.Errorf("a model of fsa 0.0.1 becomes one of %s (%v)", m.Program(), err)
	}
	hostile := bytes.Replace(file, []byte(says), []byte(`"program":"`+strings.Repeat("x", 1000)+`"`), 1)
	if _, err := model.Read(bytes.NewReader(hostile)); err == nil || !strings.Contains(err.Error(), "program") {
		t.Errorf("a model with a program of 1000 letters: %v", err)
	}
}

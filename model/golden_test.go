package model_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fsa/model"
)

// TestOlderVersions reads model files of every version so far, which hold every kind
// of variable and task, and expects them to say the same in the version of today.
func TestOlderVersions(t *testing.T) {
	files, err := filepath.Glob("testdata/v*/*.json")
	if err != nil || len(files) < 10 {
		t.Fatalf("%d files, error %v", len(files), err)
	}
	for _, path := range files {
		m, err := model.Load(path)
		if err != nil {
			t.Error(err)
			continue
		}
		var now bytes.Buffer
		if _, err := m.WriteTo(&now); err != nil {
			t.Fatal(err)
		}
		again, err := model.Read(&now)
		if err != nil {
			t.Errorf("%s: written anew it is refused: %v", path, err)
			continue
		}
		if len(m.Selected()) == 0 || len(again.Selected()) != len(m.Selected()) {
			t.Errorf("%s: %d variables, and %d when written anew", path, len(m.Selected()), len(again.Selected()))
		}
	}
}

// TestUpgradeKeepsMeaning checks fields that have other names by now.
func TestUpgradeKeepsMeaning(t *testing.T) {
	m, err := model.Load("testdata/v1/overfitting.json")
	if err != nil {
		t.Fatal(err)
	}
	if tr := m.Training(); !tr.Guarded || !(tr.Ridge > 0) {
		t.Errorf("guarded %v with a ridge of %v; in version 1 it was doubted and shrunk", tr.Guarded, tr.Ridge)
	}
	// Version 6 had norm, levels and gaps, and version 7 has the words of the glossary.
	if m, err = model.Load("testdata/v1/mixed.json"); err != nil {
		t.Fatal(err)
	}
	norm, levels := 0.0, 0
	for _, v := range m.Selected() {
		norm, levels = max(norm, v.Norm), levels+len(v.Levels)
	}
	if !(norm > 0) || levels == 0 {
		t.Errorf("an importance of at most %v, and %d categories", norm, levels)
	}
}

// TestNewerVersion checks that a file of a later program is refused with the cure.
func TestNewerVersion(t *testing.T) {
	file, err := os.ReadFile("testdata/v1/logistic.json")
	if err != nil {
		t.Fatal(err)
	}
	later := bytes.Replace(file, []byte(`"version":1`), []byte(`"version":99`), 1)
	_, err = model.Read(bytes.NewReader(later))
	if err == nil || !strings.Contains(err.Error(), "written by a newer fsa") || !strings.Contains(err.Error(), "update fsa") {
		t.Errorf("a file of version 99: %v", err)
	}
}

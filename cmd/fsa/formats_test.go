package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fsa/internal/need"
)

// named lists objects whose keys are names of files, of variables or of measures.
var named = []string{"files", "inclusion", "metrics"}

// keysOf lists the keys of all objects in a JSON value.
func keysOf(v any, found map[string]bool) {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			keysOf(e, found)
		}
	case map[string]any:
		for key, e := range v {
			found[key] = true
			if !slices.Contains(named, key) {
				keysOf(e, found)
			}
		}
	}
}

// Every file of a run folder and every field of it is described in docs/formats.md or docs/json.md.
func TestFormatsOfRunFolder(t *testing.T) {
	need.Long(t)
	text := string(read(t, "../../docs/formats.md")) + string(read(t, "../../docs/json.md"))
	t.Chdir(t.TempDir())
	writeDated(t, "t.csv")
	must(t, "fit", "t.csv", "--target", "price", "-k", "1:2", "--bins", "3", "--stability", "2", "--holdout", "0.1", "--out", "run", "--report")
	must(t, "generate", "ar1", "--n", "100", "--m", "10", "--k", "2", "--out", "c.csv")
	must(t, "fit", "c.csv", "--target", "y", "-k", "2", "--calibrate", "--out", "classes")
	for _, folder := range []string{"run", "classes"} {
		files, err := os.ReadDir(folder)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			if !strings.Contains(text, f.Name()+"`") {
				t.Errorf("%s is not described", f.Name())
			}
			if !strings.HasSuffix(f.Name(), ".json") && f.Name() != eventsName {
				continue
			}
			found := map[string]bool{}
			for dec := json.NewDecoder(strings.NewReader(string(read(t, filepath.Join(folder, f.Name()))))); dec.More(); {
				var v any
				if err := dec.Decode(&v); err != nil {
					t.Fatal(err)
				}
				keysOf(v, found)
			}
			for key := range found {
				if !strings.Contains(text, "`"+key+"`") && !strings.Contains(text, `"`+key+`"`) {
					t.Errorf("%s: the field %s is not described", f.Name(), key)
				}
			}
		}
	}
}

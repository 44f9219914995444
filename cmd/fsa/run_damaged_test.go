package main

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"fsa/internal/manifest"
)

// ofGo are words of Go's own errors, which say nothing to a user.
var ofGo = regexp.MustCompile(`invalid character|cannot unmarshal|unexpected end|strconv\.|: EOF|unexpected EOF|goroutine`)

// A file of a run folder that is damaged in any way is named, with what to do. Where the folder has
// its list of files, the report is made without it.
func TestDamagedRunFolder(t *testing.T) {
	const seed = 3
	dir := t.TempDir()
	table, run := filepath.Join(dir, "t.csv"), filepath.Join(dir, "run")
	must(t, "generate", "ar1", "--n", "80", "--m", "6", "--k", "2", "--task", "regression", "--out", table)
	must(t, "fit", table, "-k", "2", "--folds", "3", "--out", run)
	rng := rand.New(rand.NewPCG(seed, 0))
	damages := map[string]func(b []byte) []byte{
		"empty":    func([]byte) []byte { return nil },
		"cut":      func(b []byte) []byte { return b[:len(b)/2] },
		"a letter": func(b []byte) []byte { b[rng.IntN(len(b))] ^= 0x55; return b },
		"a text":   func(b []byte) []byte { return regexp.MustCompile(`\d+\.\d+`).ReplaceAll(b, []byte(`"x"`)) },
		"too much": func(b []byte) []byte { return regexp.MustCompile(`\d+\.\d+`).ReplaceAll(b, []byte(`1e400`)) },
		"a list":   func([]byte) []byte { return []byte("[]") },
		"nothing":  func([]byte) []byte { return []byte("null") },
	}
	for name := range contents(t, run) {
		if name == manifest.Name {
			continue
		}
		for what, damage := range damages {
			if testing.Short() && (what == "empty" || what == "a list" || what == "too much") {
				continue // like a cut, a null and a text
			}
			for _, listed := range []bool{true, false} {
				if listed && what != "a letter" && what != "cut" {
					continue // it takes a moment to be sure of it
				}
				at := copyFolder(t, run)
				if !listed {
					os.Remove(filepath.Join(at, manifest.Name))
				}
				path := filepath.Join(at, name)
				before := read(t, path)
				after := damage(append([]byte{}, before...))
				write(t, path, after)
				for _, args := range [][]string{{"show", at}, {"report", at}, {"predict", at, table, "--interval", "0.8", "--cv-plus"}} {
					code, _, stderr := call(t, args...)
					if code != exitDone && code != exitBadData || ofGo.MatchString(stderr) || code == exitBadData && !strings.Contains(stderr, name) {
						t.Errorf("seed %d, %s, %s, %s, listed %v: exit code %d, %s", seed, args[0], name, what, listed, code, stderr)
					}
					if listed && name != modelName && args[0] == "report" && string(before) != string(after) && (code != exitDone || !strings.Contains(stderr, name)) {
						t.Errorf("seed %d, %s, %s: exit code %d, %s", seed, name, what, code, stderr)
					}
				}
			}
		}
	}
}

// A model without variables has an empty list of them, and not null.
func TestNoVariables(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 0))
	table, run := file(t, "noise.csv", tableOf(200, func(int) []float64 {
		return []float64{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}
	})), filepath.Join(t.TempDir(), "run")
	must(t, "fit", table, "--target", "0", "--header", "no", "--out", run)
	for name, text := range contents(t, run) {
		if strings.Contains(text, `"variables":null`) {
			t.Errorf("%s has null variables", name)
		}
	}
	if text := must(t, "predict", run, table, "--header", "no", "--json", "--contributions"); !strings.Contains(text, `"variables":[]`) {
		t.Errorf("the contributions are %.200s", text)
	}
}

// tableOf returns rows of numbers without a heading.
func tableOf(rows int, row func(i int) []float64) string {
	var out strings.Builder
	for i := range rows {
		for j, v := range row(i) {
			if j > 0 {
				out.WriteByte(',')
			}
			out.WriteString(exactly(v))
		}
		out.WriteByte('\n')
	}
	return out.String()
}

// contents returns the files of a folder that are not temporary.
func contents(t *testing.T, folder string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), ".fsa-") && e.Name() != reportName {
			all[e.Name()] = string(read(t, filepath.Join(folder, e.Name())))
		}
	}
	return all
}

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"fsa/internal/manifest"
	"fsa/internal/need"
	"fsa/internal/runs"
)

// A folder in which a fit is at work is not another's: the second would remove the checkpoint of
// the first. When the first has ended, the folder is free.
func TestOneFitInAFolder(t *testing.T) {
	need.System(t, runtime.GOOS != "windows", "locks of folders")
	dir := t.TempDir()
	table, run := filepath.Join(dir, "t.csv"), filepath.Join(dir, "run")
	must(t, "generate", "ar1", "--n", "60", "--m", "6", "--k", "2", "--out", table)
	first, err := newRunFolder(run)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(run, checkpointName)
	write(t, path, []byte("of the first"))
	refused(t, []string{"fit", table, "-k", "2", "--out", run}, exitUsage, "another fit is running in "+run)
	if string(read(t, path)) != "of the first" {
		t.Error("the checkpoint of the first fit is gone")
	}
	first.Abort()
	must(t, "fit", table, "-k", "2", "--out", run)
	must(t, "fit", table, "-k", "2", "--out", run)
}

// Names, classes and categories that look like formulas are texts in selected.csv, and numbers
// stay numbers.
func TestNoFormulas(t *testing.T) {
	var table strings.Builder
	table.WriteString(`"=HYPERLINK(""http://x"")",@sum,y` + "\n")
	for i := range 120 {
		fmt.Fprintf(&table, "%d,%s,%s\n", i%7-3, []string{"+cmd|' /C calc'!A0", "-2+3", "plain", "-5"}[i%4], []string{"=a", "-b", "c"}[i%3])
	}
	run := filepath.Join(t.TempDir(), "run")
	must(t, "fit", file(t, "t.csv", table.String()), "--target", "y", "-k", "2", "--categorical", "@sum", "--quick", "--out", run)
	text := string(read(t, filepath.Join(run, tableName)))
	for _, want := range []string{`"'=HYPERLINK`, ",'@sum,", ",'=a,", ",'-b,", "'+cmd", ",'-2+3,", ",-5,"} {
		if !strings.Contains(text, want) {
			t.Errorf("%s is not in\n%s", want, text)
		}
	}
	for cell := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == ',' || r == '\n' }) {
		if first := strings.Trim(cell, `"`); first != "" && strings.ContainsRune("=+@", rune(first[0])) {
			t.Errorf("the cell %s is a formula", cell)
		}
	}
}

// A pipe under the name of a file that a fit writes does not make anybody wait.
func TestPipesOfOurs(t *testing.T) {
	need.System(t, runtime.GOOS != "windows", "named pipes")
	mkfifo := need.Program(t, "apt-get install coreutils", "mkfifo")
	dir := t.TempDir()
	table, run := filepath.Join(dir, "t.csv"), filepath.Join(dir, "run")
	must(t, "generate", "ar1", "--n", "60", "--m", "6", "--k", "2", "--task", "regression", "--out", table)
	must(t, "fit", table, "-k", "2", "--folds", "3", "--out", run)
	for name, args := range map[string][]string{
		checkpointName: {"fit", table, "-k", "2", "--folds", "3", "--out", run, "--resume"},
		foldsName:      {"predict", run, table, "--interval", "0.8", "--cv-plus"},
	} {
		path := filepath.Join(run, name)
		os.Remove(path)
		if out, err := command(t, mkfifo, path); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		refused(t, args, exitBadData, path, "not a file that fsa has written")
		os.Remove(path)
	}
	for _, name := range slices.Concat([]string{modelName, tableName, manifest.Name}, runs.OptionalFiles()) {
		folder := filepath.Join(dir, "of-"+name)
		if err := os.Mkdir(folder, 0o755); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(folder, name)
		if out, err := command(t, mkfifo, path); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		refused(t, []string{"fit", table, "-k", "2", "--quick", "--out", folder}, exitFailed, path, "not a regular file: remove it")
		if name != modelName {
			continue
		}
		for _, args := range [][]string{{"show", folder}, {"show", path}, {"report", folder}, {"predict", folder, table}, {"export", folder, "--to", "sql"}, {"plot", folder, "--out", filepath.Join(dir, "a.svg")}, {"view", folder}} {
			code, _, stderr := call(t, args...)
			if code == exitDone || !strings.Contains(stderr, path) || !strings.Contains(stderr, "remove it") {
				t.Errorf("%v: exit code %d: %s", args, code, stderr)
			}
		}
	}
	w := working{path: filepath.Join(run, progressName)}
	if out, err := command(t, mkfifo, w.path); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if _, err := readBoard(t.Context(), w.path); err == nil {
		t.Error("a pipe is a board")
	}
}

// command runs a program of the system.
func command(t *testing.T, name string, args ...string) (string, error) {
	t.Helper()
	var out bytes.Buffer
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	return out.String(), err
}

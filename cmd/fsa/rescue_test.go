package main

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"fsa/internal/fault"
)

// fullDisk makes all writing below a folder fail.
func fullDisk(t *testing.T, folder string) {
	t.Helper()
	t.Cleanup(fault.Install(func(op fault.Op, path string) error {
		if op != fault.Open && op != fault.Read && op != fault.Mkdir && strings.HasPrefix(path, folder) {
			return syscall.ENOSPC
		}
		return nil
	}))
}

// A completed fit is not lost if its folder cannot be written, and both files that were in the
// folder stay.
func TestFullDisk(t *testing.T) {
	dir, elsewhere := t.TempDir(), t.TempDir()
	t.Setenv("TMPDIR", elsewhere)
	table, out := filepath.Join(dir, "t.csv"), filepath.Join(dir, "run")
	must(t, "generate", "ar1", "--n", "100", "--m", "20", "--k", "2", "--out", table)
	must(t, "fit", table, "-k", "2", "--out", out)
	model, events := string(read(t, filepath.Join(out, modelName))), string(read(t, filepath.Join(out, eventsName)))

	fullDisk(t, out)
	code, stdout, stderr := call(t, "fit", table, "-k", "3", "--out", out)
	if code != exitResources || !strings.HasPrefix(stdout, "3 of 20 variables") {
		t.Errorf("exit code %d, stdout %q", code, stdout)
	}
	saved, err := filepath.Glob(filepath.Join(elsewhere, "fsa-model-*.json"))
	if err != nil || len(saved) != 1 || !strings.Contains(stderr, "was saved in "+saved[0]) || !strings.Contains(stderr, "no space left") {
		t.Fatalf("saved %q, stderr %q", saved, stderr)
	}
	if shown := must(t, "show", saved[0]); !strings.HasPrefix(shown, "3 of 20 variables") {
		t.Errorf("what was saved: %s", shown)
	}
	if info, err := os.Stat(saved[0]); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("others may read what was saved: %v, %v", info.Mode(), err)
	}
	if model != string(read(t, filepath.Join(out, modelName))) || events != string(read(t, filepath.Join(out, eventsName))) {
		t.Error("the older run is gone")
	}
	code, stdout, _ = call(t, "fit", table, "-k", "3", "--out", out, "--json")
	if got := parse[struct{ Out string }](t, stdout); code != exitResources || filepath.Dir(got.Out) != elsewhere {
		t.Errorf("exit code %d, saved in %q", code, got.Out)
	}

	were, _ := os.ReadDir(out)
	fullDisk(t, filepath.Dir(dir)) // there is no room anywhere
	code, stdout, stderr = call(t, "fit", table, "-k", "3", "--out", out)
	if code != exitResources || !strings.Contains(stderr, "standard output") {
		t.Errorf("exit code %d, stderr %q", code, stderr)
	}
	if shown := must(t, "show", file(t, "m.json", stdout)); !strings.HasPrefix(shown, "3 of 20 variables") {
		t.Errorf("what was printed: %s", shown)
	}
	if left, err := os.ReadDir(out); err != nil || len(left) != len(were) {
		t.Errorf("%v is left, %v", left, err)
	}
}

// A kill between the renaming of two files may leave a new model with the events of an older one,
// which are then ignored.
func TestEventsOfAnotherModel(t *testing.T) {
	dir := t.TempDir()
	table, out := filepath.Join(dir, "t.csv"), filepath.Join(dir, "run")
	must(t, "generate", "ar1", "--n", "100", "--m", "20", "--k", "2", "--out", table)
	must(t, "fit", table, "-k", "2", "--out", out)
	events := read(t, filepath.Join(out, eventsName))
	took := func() *float64 { return parse[fitted](t, must(t, "show", out, "--json")).SecondsFit }
	if took() == nil {
		t.Error("nothing is known of the time that the fit took")
	}
	must(t, "fit", table, "-k", "3", "--out", out)
	write(t, filepath.Join(out, eventsName), events)
	if took() != nil {
		t.Error("the time is that of another fit")
	}
	// Events of earlier versions do not know their model.
	text := strings.Replace(string(events), `"model":`, `"earlier":`, 1)
	write(t, filepath.Join(out, eventsName), []byte(text))
	if text == string(events) || took() == nil {
		t.Error("older events are not believed")
	}
}

func write(t *testing.T, path string, content []byte) {
	t.Helper()
	if err := os.WriteFile(path, content, 0o644); err != nil {
		t.Fatal(err)
	}
}

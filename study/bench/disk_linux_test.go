package bench

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// pretended measures a program that makes a table of zeros and runs the given line instead of a
// fit.
func pretended(t *testing.T, fit string) (*Report, error) {
	t.Helper()
	t.Setenv("TMPDIR", t.TempDir())
	program := filepath.Join(t.TempDir(), "fsa")
	script := `#!/bin/sh
for last; do :; done
case $1 in
generate) head -c 300000 /dev/zero > "$last" ;;
fit) ` + fit + ` ;;
esac
`
	if err := os.WriteFile(program, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	return run(t.Context(), Options{Threads: 1, Program: program, Only: []string{OutOfCore}}, tinyPlan())
}

// A fake program shows how its answers are used.
func TestDisk(t *testing.T) {
	r, err := pretended(t, `echo '{"bytes_read": 600000, "peak_bytes": 50000}'`)
	if err != nil {
		t.Fatal(err)
	}
	d := r.OutOfCore
	if d == nil || d.BytesReadOverFile != 2 || d.PeakOverPromise != 0.5 || d.OverRead <= 0 {
		t.Errorf("out of core: %+v", d)
	}
}

// A table that was completely in memory has no ratio to reading it.
func TestDiskInMemory(t *testing.T) {
	r, err := pretended(t, `echo '{"peak_bytes": 50000}'`)
	if err != nil {
		t.Fatal(err)
	}
	if d := r.OutOfCore; d == nil || !d.InMemory || d.OverRead != 0 || d.PeakOverPromise != 0.5 {
		t.Errorf("out of core: %+v", d)
	}
	text, err := json.Marshal(r)
	if err != nil || strings.Contains(string(text), "over_read") || !strings.Contains(string(text), `"in_memory":true`) {
		t.Errorf("%v: %s", err, text)
	}
	var printed strings.Builder
	if err := r.Print(&printed); err != nil || !strings.Contains(printed.String(), "fits into the allowed memory") || strings.Contains(printed.String(), "Inf") {
		t.Errorf("%v:\n%s", err, printed.String())
	}
}

// The error message of a program that fails is passed on.
func TestDiskFails(t *testing.T) {
	if _, err := pretended(t, `echo 'fsa: no room' >&2; exit 4`); err == nil || !strings.Contains(err.Error(), "exit status 4: fsa: no room") {
		t.Errorf("error %v", err)
	}
}

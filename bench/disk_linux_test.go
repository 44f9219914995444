package bench

import (
	"os"
	"path/filepath"
	"testing"
)

// A program that only pretends shows what is made of its answers.
func TestDisk(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	program := filepath.Join(t.TempDir(), "fsa")
	script := `#!/bin/sh
for last; do :; done
case $1 in
generate) head -c 300000 /dev/zero > "$last" ;;
fit) echo '{"bytes_read": 600000, "peak_bytes": 50000}' ;;
esac
`
	if err := os.WriteFile(program, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	r, err := run(t.Context(), Options{Threads: 1, Program: program, Only: []string{OutOfCore}}, tinyPlan())
	if err != nil {
		t.Fatal(err)
	}
	d := r.OutOfCore
	if d == nil || d.BytesReadOverFile != 2 || d.PeakOverPromise != 0.5 || d.OverRead <= 0 {
		t.Errorf("out of core: %+v", d)
	}
}

package serve

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A request that panics says how to report it, and keeps what is needed for that.
func TestBug(t *testing.T) {
	r := &request{Op: "fit"}
	r.Options.K = 7
	t.Setenv(debugFolder, "")
	if text := bug("index out of range", r, []byte("a stack")).Error(); !strings.Contains(text, "index out of range") || !strings.Contains(text, debugFolder) || strings.Contains(text, "a stack") {
		t.Error(text)
	}
	folder := t.TempDir()
	t.Setenv(debugFolder, folder)
	text := bug("index out of range", r, []byte("a stack")).Error()
	files, err := filepath.Glob(filepath.Join(folder, "fsa-bug-*.txt"))
	if err != nil || len(files) != 1 || !strings.Contains(text, files[0]) {
		t.Fatal(text, files, err)
	}
	report, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"index out of range", `"op": "fit"`, `"k": 7`, "a stack"} {
		if !strings.Contains(string(report), part) {
			t.Errorf("the report lacks %q:\n%s", part, report)
		}
	}
	t.Setenv(debugFolder, filepath.Join(folder, "none"))
	if text := bug("index out of range", r, nil).Error(); !strings.Contains(text, "no report could be written") {
		t.Error(text)
	}
}

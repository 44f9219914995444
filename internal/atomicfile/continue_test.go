package atomicfile

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"fsa/internal/need"
)

// Nothing is written through a link in the place of the partial file.
func TestContinueThroughALink(t *testing.T) {
	need.System(t, runtime.GOOS != "windows", "symbolic links that every user may make")
	dir := t.TempDir()
	dear, part := filepath.Join(dir, "dear"), filepath.Join(dir, "a.part")
	if err := os.WriteFile(dear, []byte("dear"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, target := range []string{dear, filepath.Join(dir, "absent")} {
		if err := os.Symlink(target, part); err != nil {
			t.Fatal(err)
		}
		if f, err := Continue(filepath.Join(dir, "a"), part, 0); err == nil || !strings.Contains(err.Error(), "link") {
			t.Errorf("a link to %s is taken: %v, %v", target, f, err)
		}
		if err := os.Remove(part); err != nil {
			t.Fatal(err)
		}
	}
	if got := content(t, dear); got != "dear" {
		t.Errorf("the file that the link led to holds %q", got)
	}
	if got := names(t, dir); got != "dear" {
		t.Errorf("the folder holds %s", got)
	}
}

package manifest_test

import (
	"bytes"
	"crypto/sha256"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"fsa/internal/manifest"
)

// folder makes a folder of files and their list.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	m := manifest.Manifest{Files: map[string]string{}}
	for name, content := range files {
		put(t, dir, name, content)
		sum := sha256.New()
		sum.Write([]byte(content))
		m.Files[name] = manifest.Sum(sum)
	}
	var list bytes.Buffer
	if err := m.Write(&list); err != nil {
		t.Fatal(err)
	}
	put(t, dir, manifest.Name, list.String())
	return dir
}

func put(t *testing.T, dir, name, content string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

// Files that differ from their list are named. Missing files, and files that are not listed, are
// not.
func TestChanged(t *testing.T) {
	files := map[string]string{"a": "1", "b": "2", "c": "3"}
	for what, c := range map[string]struct {
		change func(dir string)
		some   []string
		want   []string
	}{
		"nothing":                      {func(string) {}, nil, nil},
		"two files":                    {func(dir string) { put(t, dir, "c", "4"); put(t, dir, "a", "") }, nil, []string{"a", "c"}},
		"another file":                 {func(dir string) { put(t, dir, "c", "4") }, []string{"a"}, nil},
		"a file is gone":               {func(dir string) { os.Remove(filepath.Join(dir, "b")) }, nil, nil},
		"an unlisted file":             {func(dir string) { put(t, dir, "d", "5") }, nil, nil},
		"a file that should be listed": {func(dir string) { put(t, dir, "d", "5") }, []string{"a", "d", "e"}, []string{"d"}},
		"no list":                      {func(dir string) { put(t, dir, "a", "5"); os.Remove(filepath.Join(dir, manifest.Name)) }, nil, nil},
		"a damaged list":               {func(dir string) { put(t, dir, manifest.Name, "{") }, []string{"a"}, []string{manifest.Name}},
		"a list of a path":             {func(dir string) { put(t, dir, manifest.Name, `{"files":{"../x":"sha256:0"}}`) }, nil, nil},
	} {
		dir := folder(t, files)
		c.change(dir)
		if got, err := manifest.Changed(dir, c.some...); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, %v, want %v", what, got, err, c.want)
		}
	}
}

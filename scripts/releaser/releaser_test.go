package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"fsa/internal/need"
)

// date is that of a commit.
var date = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// checkout makes a repository with the files that a release needs, and more. Its files are a day
// older than its commit.
func checkout(t *testing.T, files map[string]string) string {
	t.Helper()
	need.Program(t, "install git", "git")
	t.Setenv("GIT_COMMITTER_DATE", date.Format(time.RFC3339))
	t.Setenv("GIT_AUTHOR_DATE", date.AddDate(0, 0, -1).Format(time.RFC3339))
	root := t.TempDir()
	all := map[string]string{
		"CHANGELOG.md":                      "# Changes\n\n## Unreleased\n\nmore\n\n## 0.2.0\n\nThe second.\n\n## 0.1.0\n\nThe first.\n",
		"python/pyproject.toml":             "[project]\nversion = \"0.2.0\"\n",
		"python/src/fsa_select/__init__.py": "__version__ = \"0.2.0\"\n",
	}
	for name, text := range files {
		all[name] = text
	}
	for name, text := range all {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{{"init", "--quiet"}, {"add", "."}, {"-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "--quiet", "--message", "x"}} {
		if _, err := git(t.Context(), root, args...); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// refused returns the reason why a version is not released from a checkout.
func refused(t *testing.T, root string, args ...string) string {
	t.Helper()
	t.Chdir(root)
	err := run(t.Context(), args, io.Discard, io.Discard)
	if err == nil {
		t.Fatalf("%v is cut", args)
	}
	return err.Error()
}

func TestRefusals(t *testing.T) {
	licensed := map[string]string{"LICENSE": "yes"}
	for name, c := range map[string]struct {
		files map[string]string
		after func(t *testing.T, root string)
		args  string
		want  string
	}{
		"no licence":        {nil, nil, "0.2.0", "there is no LICENSE file"},
		"changed":           {licensed, func(t *testing.T, root string) { add(t, root, "CHANGELOG.md") }, "0.2.0", "files differ from the commit"},
		"a new file":        {licensed, func(t *testing.T, root string) { add(t, root, "new") }, "0.2.0", "files differ from the commit"},
		"not in CHANGELOG":  {licensed, nil, "0.3.0", "has no section on version 0.3.0"},
		"other Python":      {licensed, nil, "0.1.0", "says version 0.2.0: make it 0.1.0"},
		"no version":        {licensed, nil, "", "write scripts/release VERSION"},
		"not a version":     {licensed, nil, "v0.2.0", "it must be like 1.2.3"},
		"half a version":    {licensed, nil, "0.2", "it must be like 1.2.3"},
		"no such platform":  {licensed, nil, "0.2.0 --only plan9/amd64", `platform "plan9/amd64"`},
		"another tag":       {licensed, moved, "0.2.0", "the tag v0.2.0 is at"},
		"a folder in use":   {licensed, nil, "0.2.0 --out python", "is not empty"},
		"unlicensed, dirty": {nil, func(t *testing.T, root string) { add(t, root, "new") }, "0.2.0 --unlicensed", "files differ from the commit"},
	} {
		t.Run(name, func(t *testing.T) {
			root := checkout(t, c.files)
			if c.after != nil {
				c.after(t, root)
			}
			if got := refused(t, root, strings.Fields(c.args)...); !strings.Contains(got, c.want) {
				t.Errorf("%s, want %q", got, c.want)
			}
		})
	}
}

func add(t *testing.T, root, name string) {
	f, err := os.OpenFile(filepath.Join(root, name), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString("more\n"); err != nil {
		t.Fatal(err)
	}
}

// moved sets a tag and commits once more.
func moved(t *testing.T, root string) {
	for _, args := range [][]string{{"tag", "v0.2.0"}, {"-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "--quiet", "--allow-empty", "--message", "y"}} {
		if _, err := git(t.Context(), root, args...); err != nil {
			t.Fatal(err)
		}
	}
}

func TestCheck(t *testing.T) {
	root := checkout(t, map[string]string{"LICENSE": "yes"})
	t.Chdir(root)
	r := &release{version: "0.2.0", out: filepath.Join(t.TempDir(), "new")}
	notes, err := r.check(context.Background())
	if err != nil || notes != "The second.\n" {
		t.Errorf("notes %q, %v", notes, err)
	}
	if len(r.commit.revision) != 40 || !r.commit.date.Equal(date) || r.stamp() != "0.2.0,"+r.commit.revision+",2026-01-02T03:04:05Z" {
		t.Errorf("commit %+v, stamp %s", r.commit, r.stamp())
	}
}

func TestSection(t *testing.T) {
	const text = "# Changes\n## [0.2.0-rc.1] - 2026-01-02\nA.\n### Added\n- b\n## 0.2.0\nC.\n"
	for version, want := range map[string]string{"0.2.0-rc.1": "A.\n### Added\n- b\n", "0.2.0": "C.\n", "0.2": "", "0.1.0": ""} {
		got, err := section(text, version)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%s: %q, %v", version, got, err)
		}
	}
}

// Archives have the same bytes whatever the order of their entries, and can be read.
func TestArchives(t *testing.T) {
	one := []entry{{"d/b", 0o644, []byte("b")}, {"d/a", 0o755, bytes.Repeat([]byte("a"), 1000)}}
	other := []entry{one[1], one[0]}
	for name, write := range map[string]func(io.Writer, []entry, time.Time) error{"x.tar.gz": writeTar, "x.zip": writeZip} {
		var files [2][]byte
		for i, list := range [][]entry{one, other} {
			r := &release{out: t.TempDir(), commit: commit{date: date}}
			if err := r.pack(name, list, write); err != nil {
				t.Fatal(err)
			}
			var err error
			if files[i], err = os.ReadFile(filepath.Join(r.out, name)); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(files[0], files[1]) {
			t.Errorf("%s has other bytes the second time", name)
		}
		if got := strings.Join(names(t, name, files[0]), " "); got != "d/a d/b" {
			t.Errorf("%s has %s", name, got)
		}
	}
}

// names lists an archive and checks dates.
func names(t *testing.T, name string, file []byte) (list []string) {
	t.Helper()
	if strings.HasSuffix(name, ".zip") {
		z, err := zip.NewReader(bytes.NewReader(file), int64(len(file)))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range z.File {
			if !f.Modified.Equal(date) {
				t.Errorf("%s is of %v", f.Name, f.Modified)
			}
			list = append(list, f.Name)
		}
		return list
	}
	z, err := gzip.NewReader(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	if !z.ModTime.IsZero() || z.Name != "" {
		t.Errorf("gzip says %v, %q", z.ModTime, z.Name)
	}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if err == io.EOF {
			return list
		}
		if err != nil {
			t.Fatal(err)
		}
		if !h.ModTime.Equal(date) || h.Uid != 0 || h.Uname != "" {
			t.Errorf("%s: %v, user %d %q", h.Name, h.ModTime, h.Uid, h.Uname)
		}
		list = append(list, h.Name)
	}
}

// The bill of materials is JSON, lists every module of the programs once and always has the same
// bytes.
func TestBOM(t *testing.T) {
	linux := &debug.BuildInfo{GoVersion: "go1.26.8", Deps: []*debug.Module{{Path: "example.org/b", Version: "v1.0.0", Sum: "h1:x"}, {Path: "example.org/a", Version: "v2.0.0", Replace: &debug.Module{Path: "./a"}}}}
	windows := &debug.BuildInfo{GoVersion: "go1.26.8", Deps: []*debug.Module{{Path: "example.org/b", Version: "v1.0.0", Sum: "h1:x"}, {Path: "example.org/w", Version: "v3.0.0"}}}
	text, err := json.Marshal(newBOM([]*debug.BuildInfo{linux, windows}, "0.1.0", date))
	if err != nil {
		t.Fatal(err)
	}
	again, err := json.Marshal(newBOM([]*debug.BuildInfo{windows, linux}, "0.1.0", date))
	if err != nil || !bytes.Equal(text, again) {
		t.Errorf("%s\nand then (%v)\n%s", text, err, again)
	}
	var read bom
	if err := json.Unmarshal(text, &read); err != nil || read.Format != "CycloneDX" || read.Metadata.Component.Version != "0.1.0" {
		t.Errorf("%v: %s", err, text)
	}
	var refs []string
	for _, c := range read.Components {
		refs = append(refs, c.PURL)
	}
	if got, want := strings.Join(refs, " "), "pkg:golang/example.org/a@v2.0.0 pkg:golang/example.org/b@v1.0.0 pkg:golang/example.org/w@v3.0.0 pkg:golang/stdlib@1.26.8"; got != want {
		t.Errorf("components %s, want %s", got, want)
	}
}

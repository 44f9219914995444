package atomicfile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"fsa/internal/need"
)

// names returns the files of a folder, so that tests see leftovers.
func names(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return strings.Join(all, " ")
}

func content(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestOldContentStaysUntilCommit(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "model.json")
	if err := os.WriteFile(path, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	f, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Abort()
	// More than the buffer holds, so that bytes are in the temporary file.
	want := strings.Repeat("new content ", 20000)
	if _, err := io.WriteString(f, want); err != nil {
		t.Fatal(err)
	}
	if got := content(t, path); got != "old" {
		t.Fatalf("before Commit the file holds %.20q", got)
	}
	if err := f.Commit(); err != nil {
		t.Fatal(err)
	}
	if got := content(t, path); got != want {
		t.Fatalf("after Commit the file holds %d bytes, want %d", len(got), len(want))
	}
	f.Abort()
	if got := names(t, dir); got != "model.json" {
		t.Fatalf("the folder holds %q", got)
	}
}

func TestAbortLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	f, err := Create(filepath.Join(dir, "a"))
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(f, "half of it")
	f.Abort()
	f.Abort()
	if got := names(t, dir); got != "" {
		t.Fatalf("the folder holds %q", got)
	}
}

func TestUseAfterEndIsAnError(t *testing.T) {
	for _, end := range []func(*File){(*File).Abort, func(f *File) { f.Commit() }} {
		f, err := Create(filepath.Join(t.TempDir(), "a"))
		if err != nil {
			t.Fatal(err)
		}
		end(f)
		if _, err := f.Write([]byte("x")); !errors.Is(err, fs.ErrClosed) {
			t.Errorf("Write: %v", err)
		}
		if err := f.Commit(); !errors.Is(err, fs.ErrClosed) {
			t.Errorf("Commit: %v", err)
		}
	}
}

func TestMode(t *testing.T) {
	need.System(t, runtime.GOOS != "windows", "modes of files")
	dir := t.TempDir()
	plain, path := filepath.Join(dir, "plain"), filepath.Join(dir, "ours")
	if err := os.WriteFile(plain, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := WriteFile(path, func(io.Writer) error { return nil }); err != nil {
		t.Fatal(err)
	}
	want, err := os.Stat(plain)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if got.Mode() != want.Mode() {
		t.Fatalf("mode %v, an ordinary file has %v", got.Mode(), want.Mode())
	}
}

func TestUnwritableFolder(t *testing.T) {
	dir := t.TempDir()
	if _, err := Create(filepath.Join(dir, "missing", "a")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("missing folder: %v", err)
	}
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Create(filepath.Join(file, "a")); err == nil {
		t.Error("a file was taken for a folder")
	}
	need.System(t, os.Geteuid() > 0, "a user whom permissions bind, which root is not")
	locked := filepath.Join(dir, "locked")
	if err := os.Mkdir(locked, 0o555); err != nil {
		t.Fatal(err)
	}
	if _, err := Create(filepath.Join(locked, "a")); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("locked folder: %v", err)
	}
}

func TestRefusesWhatARenameWouldDestroy(t *testing.T) {
	dir := t.TempDir()
	for _, path := range []string{dir, os.DevNull} {
		if f, err := Create(path); err == nil {
			f.Abort()
			t.Errorf("%s was accepted", path)
		}
	}
	if got := names(t, dir); got != "" {
		t.Fatalf("the folder holds %q", got)
	}
}

func TestCommitFailureLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a")
	f, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(f, "content")
	// A folder that has taken the name in the meantime makes the rename fail.
	if err := os.Mkdir(path, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := f.Commit(); err == nil {
		t.Fatal("Commit replaced a folder")
	}
	if got := names(t, dir); got != "a" {
		t.Fatalf("the folder holds %q", got)
	}
}

func TestWriteFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a")
	if err := WriteFile(path, func(w io.Writer) error {
		_, err := w.Write([]byte("first"))
		return err
	}); err != nil {
		t.Fatal(err)
	}
	broken := errors.New("broken")
	err := WriteFile(path, func(w io.Writer) error {
		if _, err := w.Write(bytes.Repeat([]byte("x"), 1<<20)); err != nil {
			return err
		}
		return broken
	})
	if !errors.Is(err, broken) {
		t.Fatalf("error %v, want %v", err, broken)
	}
	if got := content(t, path); got != "first" {
		t.Fatalf("the file holds %.20q", got)
	}
	if got := names(t, dir); got != "a" {
		t.Fatalf("the folder holds %q", got)
	}
}

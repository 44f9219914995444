package atomicfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"

	"fsa/internal/fault"
	"fsa/internal/need"
)

// begun returns two uncommitted files of a folder with new content. If old is true, both have older
// content there.
func begun(t *testing.T, dir string, old bool) (a, b *File) {
	t.Helper()
	var files [2]*File
	for i, name := range []string{"a", "b"} {
		path := filepath.Join(dir, name)
		if old {
			if err := os.WriteFile(path, []byte("old "+name), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		f, err := Create(path)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(f.Abort)
		io.WriteString(f, "new "+name)
		files[i] = f
	}
	return files[0], files[1]
}

func TestCommitAll(t *testing.T) {
	for _, old := range []bool{false, true} {
		dir := t.TempDir()
		a, b := begun(t, dir, old)
		if err := CommitAll(a, b); err != nil {
			t.Fatal(err)
		}
		if got := content(t, filepath.Join(dir, "a")) + content(t, filepath.Join(dir, "b")) + names(t, dir); got != "new anew ba b" {
			t.Errorf("the folder holds %q", got)
		}
	}
}

// TestBothOrNeither fails each call of two files' commit.
func TestBothOrNeither(t *testing.T) {
	for _, old := range []bool{false, true} {
		for n := 0; ; n++ {
			dir := t.TempDir()
			a, b := begun(t, dir, old)
			calls, last := 0, ""
			remove := fault.Install(func(op fault.Op, path string) error {
				if calls++; calls == n+1 {
					last = fmt.Sprintf("%s of %s", op, filepath.Base(path))
					if op == fault.Sync && path == dir {
						last = "folder"
					}
					return syscall.ENOSPC
				}
				return nil
			})
			err := CommitAll(a, b)
			remove()
			if last == "" {
				if err != nil || n < 6 {
					t.Errorf("%d calls, %v", calls, err)
				}
				break
			}
			if !errors.Is(err, syscall.ENOSPC) {
				t.Errorf("%s failed: %v", last, err)
			}
			want := ""
			switch {
			case last == "folder": // both are in place
				want = "new anew ba b"
			case old:
				want = "old aold ba b"
			}
			got := ""
			for _, name := range []string{"a", "b"} {
				if b, err := os.ReadFile(filepath.Join(dir, name)); err == nil {
					got += string(b)
				}
			}
			if got += names(t, dir); got != want {
				t.Errorf("%s failed, old %v: the folder holds %q, not %q", last, old, got, want)
			}
		}
	}
}

func TestNothingHasAName(t *testing.T) {
	need.System(t, runtime.GOOS == "linux", "linux, which has files without names")
	dir := t.TempDir()
	f, err := Create(filepath.Join(dir, "a"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Abort()
	need.System(t, !f.named, "a file system that has files without names")
	if got := names(t, dir); got != "" {
		t.Errorf("the folder holds %q", got)
	}
	g, err := Temporary(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	if _, err := g.WriteString("text"); err != nil || names(t, dir) != "" {
		t.Errorf("the folder holds %q, %v", names(t, dir), err)
	}
	b := make([]byte, 4)
	if _, err := g.ReadAt(b, 0); err != nil || string(b) != "text" {
		t.Errorf("read %q, %v", b, err)
	}
}

// TestSweep kills a program while one of its files has a temporary name.
func TestSweep(t *testing.T) {
	const folder = "FSA_TEST_SWEEP"
	if dir := os.Getenv(folder); dir != "" {
		remove := fault.Install(func(op fault.Op, path string) error {
			if op == fault.Rename {
				fmt.Println("ready")
				io.Copy(io.Discard, os.Stdin) // which never ends
			}
			return nil
		})
		defer remove()
		WriteFile(filepath.Join(dir, "a"), func(io.Writer) error { return nil })
	}
	dir := t.TempDir()
	cmd := exec.Command(os.Args[0], "-test.run=^TestSweep$")
	cmd.Env = append(os.Environ(), folder+"="+dir)
	if _, err := cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(out, make([]byte, len("ready"))); err != nil {
		t.Fatal(err)
	}
	writing := names(t, dir)
	if !ours.MatchString(writing) {
		t.Fatalf("the folder holds %q", writing)
	}
	write := func() {
		if err := WriteFile(filepath.Join(dir, "b"), func(io.Writer) error { return nil }); err != nil {
			t.Fatal(err)
		}
	}
	if write(); names(t, dir) != writing+" b" {
		t.Errorf("the file that is being written was swept: %q", names(t, dir))
	}
	cmd.Process.Kill()
	cmd.Wait()
	need.System(t, runtime.GOOS != "windows", "locks of files; elsewhere what is left is swept after a day")
	if write(); names(t, dir) != "b" {
		t.Errorf("the folder holds %q", names(t, dir))
	}
}

// TestSweepLeavesOthers has files that only look like temporary ones.
func TestSweepLeavesOthers(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, ".fsa-0123456789abcdef.tmp"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{".fsa-1.tmp", "fsa-0123456789abcdef.tmp", ".fsa-0123456789abcdef.tmp2"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	before := names(t, dir)
	sweep(dir)
	if got := names(t, dir); got != before {
		t.Errorf("%q is left of %q", got, before)
	}
	sweep(filepath.Join(dir, "absent"))
}

func TestClosedIsNotCommitted(t *testing.T) {
	a, b := begun(t, t.TempDir(), false)
	b.Abort()
	if err := CommitAll(a, b); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("%v", err)
	}
}

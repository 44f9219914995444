package open

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fsa/data"
	"fsa/data/synth"
	"fsa/internal/need"
)

// writtenTable makes a table of some megabytes.
func writtenTable(t *testing.T, name string, columns int) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	c := synth.Config{Model: synth.AR1, Task: synth.Regression, N: 50_000, M: columns, K: 2}
	r, err := synth.NewReader(c)
	if err != nil {
		t.Fatal(err)
	}
	if err := Write(t.Context(), path, r, c.N); err != nil {
		t.Fatal(err)
	}
	return path
}

// tamper is a change of a file.
type tamper struct {
	what string
	do   func(t *testing.T, path string)
	fine bool // nobody need notice
}

// overwrite writes the second half of a file over its first, and sets the time of the
// change.
func overwrite(t *testing.T, path string, when time.Time) {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.WriteAt(content[len(content)/2:], 0)
	if err := errors.Join(err, f.Close(), os.Chtimes(path, when, when)); err != nil {
		t.Fatal(err)
	}
}

var tampers = []tamper{
	{"cut", func(t *testing.T, path string) {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(path, info.Size()-info.Size()%4096-8192); err != nil {
			t.Fatal(err)
		}
	}, false},
	{"grown", func(t *testing.T, path string) {
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
		if err != nil {
			t.Fatal(err)
		}
		_, err = f.WriteString("1,2,3\n")
		if err := errors.Join(err, f.Close()); err != nil {
			t.Fatal(err)
		}
	}, false},
	{"overwritten", func(t *testing.T, path string) { overwrite(t, path, time.Now().Add(time.Hour)) }, false},
	{"replaced", func(t *testing.T, path string) {
		other := path + "2"
		if err := errors.Join(os.WriteFile(other, []byte("another table"), 0o644), os.Rename(other, path)); err != nil {
			t.Fatal(err)
		}
	}, true},
}

func noticed(t *testing.T, what, path string, fine bool, err error) {
	t.Helper()
	e, bad := errors.AsType[*data.Error](err)
	if fine && err != nil || !fine && (!bad || e.File != path) {
		t.Errorf("%s: %v", what, err)
	}
}

// A table that changes between its first block and its last is refused.
func TestChangedWhileRead(t *testing.T) {
	names := []string{"t.csv", "t.svm", "t.csv.gz", "X.npy", "X.npy.zst", "t.parquet", "t.fsa"}
	if testing.Short() {
		names = []string{"t.csv", "X.npy"}
	}
	for _, name := range names {
		path := writtenTable(t, name, 20)
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range tampers {
			path := filepath.Join(t.TempDir(), name)
			if err := os.WriteFile(path, content, 0o644); err != nil {
				t.Fatal(err)
			}
			r, err := Reader(t.Context(), path, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := r.Next(t.Context()); err != nil {
				t.Fatal(err)
			}
			c.do(t, path)
			for _, err = range data.Blocks(t.Context(), r) {
				if err != nil {
					break
				}
			}
			noticed(t, name+" was "+c.what, path, c.fine, err)
			r.Close()
		}
	}
}

// So is one that stays in its file when it is read again, even where its size and its
// time are as before.
func TestChangedWhileUsed(t *testing.T) {
	need.Long(t)
	quiet := tamper{"overwritten secretly", func(t *testing.T, path string) {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		overwrite(t, path, info.ModTime())
	}, false}
	for _, name := range []string{"X.npy", "t.fsa"} {
		for _, c := range append(tampers[:len(tampers):len(tampers)], quiet) {
			path := writtenTable(t, name, 300) // more than pages hold
			o := Options{Memory: program + 4<<20}
			d, err := Table(t.Context(), path, o, Roles{})
			if err != nil {
				t.Fatal(err)
			}
			design, err := d.Design(t.Context(), data.DesignOptions{})
			if err != nil {
				t.Fatal(err)
			}
			x := design.X
			read := func() error {
				rows, _ := x.Dims()
				for lo := 0; lo < rows; lo += x.BlockRows() {
					part, err := x.Slice(context.Background(), lo, min(lo+x.BlockRows(), rows))
					if err != nil {
						return err
					}
					if r, ok := part.(interface{ Release() }); ok {
						r.Release()
					}
				}
				return nil
			}
			if err := read(); err != nil {
				t.Fatal(err)
			}
			c.do(t, path)
			noticed(t, name+" was "+c.what, path, c.fine, read())
		}
	}
}

func TestChangedVector(t *testing.T) {
	path := file(t, "y.txt", strings.Repeat("1\n0\n", 100_000))
	in, err := open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer in.closer()
	if err := in.unchanged(); err != nil {
		t.Error(err)
	}
	if err := os.Truncate(path, 1000); err != nil {
		t.Fatal(err)
	}
	if err := in.unchanged(); !errors.Is(err, data.ErrBadData) {
		t.Error(err)
	}
}

// A copy begins anew only if the table is still the one that did not fit.
func TestChangedBeforeCopy(t *testing.T) {
	path := file(t, "t.csv", strings.Repeat(strings.Repeat("1,", 50)+"0\n", 20_000))
	n := 0
	o := Options{Header: "no", Memory: program + 2<<20, Reading: func(read, size int64) {
		if n++; n == 1 { // while it is read for the first time
			f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
			if err == nil {
				fmt.Fprintln(f, strings.Repeat("2,", 50)+"1")
				f.Close()
			}
		}
	}}
	_, err := Table(t.Context(), path, o, Roles{Target: "50"})
	noticed(t, "grown while it was read", path, false, err)
}

// The checksums are of chunks, wherever reads begin and end.
func TestSteady(t *testing.T) {
	content := bytes.Repeat([]byte("0123456789abcdef"), 4*chunk/16)
	path := file(t, "x", string(content))
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	s, err := steadily(f, path, nil)
	if err != nil {
		t.Fatal(err)
	}
	b := make([]byte, len(content))
	for _, r := range [][2]int{{0, 4}, {1, 4}, {0, 1}, {1, 2}, {2, 4}} {
		lo, hi := r[0]*chunk, r[1]*chunk
		for _, off := range []int{0, 7} {
			if n, err := s.ReadAt(b[:hi-lo-off], int64(lo+off)); err != nil || !bytes.Equal(b[:n], content[lo+off:hi]) {
				t.Errorf("%v from %d on: %d bytes, %v", r, off, n, err)
			}
		}
	}
	if len(s.sums) != 4 {
		t.Errorf("%d chunks have a checksum", len(s.sums))
	}
}

package open

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fsa/data"
)

func TestCreate(t *testing.T) {
	schema := &data.Schema{Width: 2}
	block := &data.Block{Rows: 3, Dense: []float64{1, 2, 3, 4, 5, 7}, Label: []float64{0, 1, 0.5}}
	for _, name := range []string{"x.csv", "a.b.csv", "X.CSV", "x.svm", "x.parquet", "x.fsa", "x.npy"} {
		for _, ext := range []string{"", ".gz", ".zst", ".zstd", ".GZ"} {
			folder := t.TempDir()
			path := filepath.Join(folder, name+ext)
			w, err := Create(path, schema, 3)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := os.Stat(path); err == nil {
				t.Errorf("%s: it has its name before it is complete", path)
			}
			first := &data.Block{Rows: 1, Dense: block.Dense[:2], Label: block.Label[:1]}
			rest := &data.Block{Rows: 2, Dense: block.Dense[2:], Label: block.Label[1:]}
			if err := errors.Join(w.Write(first), w.Write(rest), w.Commit()); err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			w.Abort() // does nothing any more
			want := []string{name + ext}
			if strings.HasPrefix(name, "x.npy") {
				want = []string{name + ext, "x.y.npy"}
				slices.Sort(want)
			}
			if got := names(t, folder); !slices.Equal(got, want) {
				t.Errorf("%s: the folder holds %q", path, got)
			}
			d, err := Table(context.Background(), path, Options{}, Roles{})
			if err != nil {
				t.Errorf("%s: %v", path, err)
				continue
			}
			if len(d.Columns) != 2 || d.Target == nil || !slices.Equal(d.Target.Y, block.Label) {
				t.Errorf("%s: %d columns with target %v", path, len(d.Columns), d.Target)
			}
			packed, err := open(t.Context(), path)
			if err != nil || packed.plain != (ext == "") {
				t.Errorf("%s: compressed %v, %v", path, !packed.plain, err)
			}
			packed.closer()
		}
	}
}

// TestNothingLeft gives up in each way there is.
func TestNothingLeft(t *testing.T) {
	schema := &data.Schema{Width: 1}
	for _, name := range []string{"x.csv", "x.svm.gz", "x.parquet", "x.fsa", "x.npy", "x.npy.zst"} {
		folder := t.TempDir()
		path := filepath.Join(folder, name)
		w, err := Create(path, schema, 2)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Write(&data.Block{Rows: 1, Dense: []float64{1}, Label: []float64{1}}); err != nil {
			t.Fatal(err)
		}
		w.Abort()
		w.Abort()
		if got := names(t, folder); len(got) > 0 {
			t.Errorf("%s was aborted: %q is left", name, got)
		}
		if err := w.Commit(); err == nil {
			t.Errorf("%s was aborted and then committed", name)
		}
	}

	folder := t.TempDir()
	w, err := Create(filepath.Join(folder, "x.npy"), schema, 2)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Commit(); err == nil {
		t.Error("an array with fewer rows than its header says")
	}
	if got := names(t, folder); len(got) > 0 {
		t.Errorf("%q is left of an array that was not complete", got)
	}

	// The labels cannot get their name.
	if err := os.Mkdir(filepath.Join(folder, "x.y.npy"), 0o755); err != nil {
		t.Fatal(err)
	}
	if w, err = Create(filepath.Join(folder, "x.npy"), schema, 1); err != nil {
		t.Fatal(err)
	}
	if err := w.Write(&data.Block{Rows: 1, Dense: []float64{1}, Label: []float64{1}}); err != nil {
		t.Fatal(err)
	}
	if err := w.Commit(); err == nil {
		t.Error("labels in place of a folder")
	}
	if got := names(t, folder); !slices.Equal(got, []string{"x.y.npy"}) {
		t.Errorf("%q is left beside the folder", got)
	}
	if _, err := Create(filepath.Join(folder, "absent", "x.npy"), schema, 1); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a folder that is not there: %v", err)
	}
}

func names(t *testing.T, folder string) []string {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func TestStem(t *testing.T) {
	for path, want := range map[string]string{
		"x.csv": "x", "x.csv.gz": "x", "x.npy.zst": "x", "x.npy.zstd": "x", "X.CSV.GZ": "X",
		"a.b.csv.gz": "a.b", "d.e/x": "d.e/x", "d.e/x.svm": "d.e/x", "x": "x", "x.gz": "x", "x.gz.csv": "x.gz", "x.npz:y": "x",
	} {
		if got := Stem(path); got != want {
			t.Errorf("%s: %s", path, got)
		}
	}
}

func TestCreateCSV(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"a.csv", "b", "c.csv.gz", "d.CSV.ZST"} {
		path := filepath.Join(folder, name)
		f, err := CreateCSV(path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(f, "x,y\n1,2\n3,4\n"); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(path); err == nil {
			t.Errorf("%s has its name before it is complete", name)
		}
		if err := f.Commit(); err != nil {
			t.Fatal(err)
		}
		in, err := open(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(in.stream)
		if err != nil || string(text) != "x,y\n1,2\n3,4\n" || in.plain != (len(name) < 6) {
			t.Errorf("%s holds %q, %v", name, text, err)
		}
		in.closer()
	}
	for _, name := range []string{"x.parquet", "x.npy.gz", "x.svm", "x.tsv"} {
		if _, err := CreateCSV(filepath.Join(folder, name)); !errors.Is(err, ErrUsage) {
			t.Errorf("%s: %v", name, err)
		}
	}
	f, err := CreateCSV(filepath.Join(folder, "e.csv.gz"))
	if err != nil {
		t.Fatal(err)
	}
	f.Abort()
	if got := names(t, folder); len(got) != 4 {
		t.Errorf("the folder holds %q", got)
	}
}

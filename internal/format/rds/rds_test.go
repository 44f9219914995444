package rds

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fsa/data"
	"fsa/internal/format/csv"
	"fsa/internal/readertest"
)

// golden returns a file that R has written, decompressed; see testdata/make.R.
func golden(tb testing.TB, name string) []byte {
	tb.Helper()
	file, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		tb.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(file))
	if err != nil {
		return file
	}
	if file, err = io.ReadAll(z); err != nil {
		tb.Fatal(err)
	}
	return file
}

func open(file []byte, o Options) (data.Reader, error) {
	return NewReader(bytes.NewReader(file), "t.rds", o)
}

// Data frames are read as R writes them to CSV: in both versions of the format, as data frames,
// tibbles and data tables, from saveRDS and save.
func TestGolden(t *testing.T) {
	for _, c := range []struct{ file, object, same string }{
		{"all.rds", "", "all.csv"}, {"old.rds", "", "all.csv"}, {"raw.rds", "", "all.csv"},
		{"several.rda", "tibbled", "all.csv"}, {"several.rda", "tabled", "all.csv"}, {"list.rds", "test", "all.csv"},
	} {
		r, err := open(golden(t, c.file), Options{Object: c.object})
		if err != nil {
			t.Fatal(err)
		}
		want, err := csv.NewReader(bytes.NewReader(golden(t, c.same)), c.same, csv.Options{})
		if err != nil {
			t.Fatal(err)
		}
		a, err := readertest.Collect(t, r)
		if err != nil {
			t.Fatal(err)
		}
		b, err := readertest.Collect(t, want)
		if err != nil {
			t.Fatal(err)
		}
		if a.Rows != b.Rows || !slices.Equal(r.Schema().Names, want.Schema().Names) {
			t.Fatalf("%s: %d rows of %q, want %d of %q", c.file, a.Rows, r.Schema().Names, b.Rows, want.Schema().Names)
		}
		for i, v := range a.Dense { // R writes 15 digits
			if w := b.Dense[i]; !(v == w || v != v && w != w || max(v-w, w-v) <= 1e-14*max(v, -v)) {
				t.Errorf("%s: row %d: column %s is %v, want %v", c.file, i/r.Schema().Width+1, r.Schema().Names[i%r.Schema().Width], v, w)
			}
		}
		for j, texts := range want.Schema().Categories {
			if !slices.Equal(r.Schema().Categories[j], texts) {
				t.Errorf("%s: column %d: %q, want %q", c.file, j, r.Schema().Categories[j], texts)
			}
		}
	}
}

// Matrices have names only if R gave them some, and sequences are stored by their ends.
func TestNumbers(t *testing.T) {
	cells := []float64{1, 5, 9, 2, 6, 10, 3, 7, 11, 4, 8, 12}
	for file, want := range map[string]struct {
		names []string
		cells []float64
	}{
		"matrix.rds":   {[]string{"x", "y", "z"}, cells},
		"nameless.rds": {nil, cells},
		"compact.rds":  {[]string{"a", "s"}, []float64{1, 4, 2, 5, 3, 6}},
	} {
		r, err := open(golden(t, file), Options{})
		if err != nil {
			t.Fatal(err)
		}
		all, err := readertest.Collect(t, r)
		if err != nil || !slices.Equal(all.Dense, want.cells) || !slices.Equal(r.Schema().Names, want.names) {
			t.Errorf("%s: %v of %q, %v", file, all.Dense, r.Schema().Names, err)
		}
	}
}

func TestMessages(t *testing.T) {
	for _, c := range []struct{ file, object, want string }{
		{"several.rda", "", "the file has 2 tables: name one, as in t.rds:tibbled; the tables are tibbled, tabled"},
		{"several.rda", "model", `there is no table "model"`},
		{"all.rds", "x", "the file is one table, without a name"},
		{"model.rds", "", `but this is an object of the class "lm"`},
		{"function.rds", "", "a data frame or a matrix of numbers is expected, but this is"},
		{"odd.rds", "", "column lists: its cells are not single values: it is a list"},
		{"ascii.rds", "", "it is written as text"},
		{"empty.rds", "", "there is no row"},
	} {
		r, err := open(golden(t, c.file), Options{Object: c.object})
		if err == nil {
			_, err = readertest.Collect(t, r)
		}
		if !errors.Is(err, data.ErrBadData) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s:%s: %v, want %q", c.file, c.object, err, c.want)
		}
	}
	r, err := open(golden(t, "odd.rds"), Options{Options: csv.Options{Skip: []string{"lists", "pair"}}})
	if err != nil {
		t.Fatal(err)
	}
	if all, err := readertest.Collect(t, r); err != nil || all.Rows != 3 {
		t.Errorf("%d rows, %v", all.Rows, err)
	}
}

// A file that was cut anywhere is refused, and one that takes more memory than is allowed too.
func TestCut(t *testing.T) {
	for _, name := range []string{"all.rds", "several.rda"} {
		file := golden(t, name)
		for n := range file {
			if _, err := open(file[:n], Options{Object: "tabled"}); !errors.Is(err, data.ErrBadData) {
				t.Fatalf("%s: %d of %d bytes: %v", name, n, len(file), err)
			}
		}
	}
	if _, err := open(golden(t, "all.rds"), Options{Bytes: 1 << 12}); !errors.As(err, new(*TooLarge)) {
		t.Error(err)
	}
}

func FuzzReader(f *testing.F) {
	for _, name := range []string{"all.rds", "old.rds", "several.rda", "odd.rds", "compact.rds", "matrix.rds"} {
		f.Add(golden(f, name), "")
	}
	f.Add(golden(f, "several.rda"), "tabled")
	f.Fuzz(func(t *testing.T, file []byte, object string) {
		r, err := open(file, Options{Object: object, Bytes: 1 << 24})
		if err != nil {
			return
		}
		readertest.Collect(t, r)
	})
}

package open

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fsa/data"
	"fsa/data/kind"
)

// parts writes files below a folder, each with two rows of a column that counts them, and returns the folder.
func parts(t *testing.T, extension string, names ...string) string {
	t.Helper()
	root := t.TempDir()
	for n, name := range names {
		var file bytes.Buffer
		w, err := formatOf(t, extension).create(&file, &data.Schema{Width: 2, Names: []string{"a", "b"}}, 2)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 2 {
			if err := w.Write(&data.Block{Rows: 1, Dense: []float64{float64(2*n + i), -float64(2*n + i)}}); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(root, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, file.Bytes(), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// rowsOf reads a table, with texts as they are and missing cells as empty ones.
func rowsOf(t *testing.T, r data.Reader) (rows []string) {
	t.Helper()
	for {
		b, err := r.Next(t.Context())
		if err == io.EOF {
			return rows
		}
		if err != nil {
			t.Fatal(err)
		}
		s := r.Schema()
		for i := range b.Rows {
			var cells []string
			for j, v := range b.Dense[i*s.Width : (i+1)*s.Width] {
				switch texts, text := s.Categories[j]; {
				case math.IsNaN(v):
					cells = append(cells, "")
				case text:
					cells = append(cells, texts[int(v)])
				default:
					cells = append(cells, fmt.Sprintf("%.6g", v))
				}
			}
			rows = append(rows, strings.Join(cells, " "))
		}
	}
}

// The names of folders give columns of every row below them; files and folders that begin with _ or a dot are no part of
// the table.
func TestFolder(t *testing.T) {
	for _, extension := range []string{".parquet", ".csv"} {
		t.Run(extension, func(t *testing.T) {
			root := parts(t, extension, "year=2023/town=S%C3%A3o Paulo/x", "year=2023/town=Ulm/x", "year=2024/town=__HIVE_DEFAULT_PARTITION__/x", "year=2024/town=Ulm/x",
				"_SUCCESS", "_temporary/x", "year=2024/.x.crc")
			if err := filepath.WalkDir(root, func(path string, e os.DirEntry, err error) error {
				if err == nil && e.Name() == "x" {
					err = os.Rename(path, path+extension)
				}
				return err
			}); err != nil {
				t.Fatal(err)
			}
			want := []string{"0 -0 2023 São Paulo", "1 -1 2023 São Paulo", "2 -2 2023 Ulm", "3 -3 2023 Ulm", "6 -6 2024 Ulm", "7 -7 2024 Ulm", "4 -4 2024 ", "5 -5 2024 "}
			for skipped := range len(want) {
				var o Options
				first, err := o.Files(t.Context(), []string{root + "/"})
				if err != nil {
					t.Fatal(err)
				}
				r, err := Reader(t.Context(), first, o)
				if err != nil {
					t.Fatal(err)
				}
				if s := r.Schema(); !slices.Equal(s.Names, []string{"a", "b", "year", "town"}) || s.KindOf(2).Kind != kind.Number || s.KindOf(3).Kind != kind.Category {
					t.Errorf("columns %q of the kinds %v", s.Names, s.Kinds)
				}
				at, err := Skip(t.Context(), r, skipped)
				if err != nil || extension == ".parquet" && at < skipped-1 { // whole row groups
					t.Errorf("%d rows of %d were skipped: %v", at, skipped, err)
				}
				if got := rowsOf(t, r); !slices.Equal(got, want[at:]) {
					t.Errorf("rows %q, want %q", got, want[at:])
				}
				r.Close()
			}
		})
	}
}

// Kinds of the columns of folders are found in all names, and options decide them.
func TestFolderKinds(t *testing.T) {
	root := parts(t, ".parquet", "day=2024-05-01/code=07/x.parquet", "day=2024-05-02/code=8/x.parquet")
	for _, c := range []struct {
		o         Options
		day, code kind.Name
	}{
		{Options{}, kind.Date, kind.Number},
		{Options{Categorical: []string{"code"}}, kind.Date, kind.Category},
		{Options{Kinds: map[string]kind.Column{"day": {Kind: kind.Category}}}, kind.Category, kind.Number},
	} {
		first, err := c.o.Files(t.Context(), []string{root})
		if err != nil {
			t.Fatal(err)
		}
		d, err := Table(t.Context(), first, c.o, Roles{})
		if err != nil {
			t.Fatal(err)
		}
		r, err := Reader(t.Context(), first, c.o)
		if err != nil {
			t.Fatal(err)
		}
		if s := r.Schema(); s.KindOf(2).Kind != c.day || s.KindOf(3).Kind != c.code || d.Rows() != 4 {
			t.Errorf("kinds %v of %d rows, want %s and %s", s.Kinds, d.Rows(), c.day, c.code)
		}
		r.Close()
	}
}

// What cannot be one table is refused with advice.
func TestFolderRefused(t *testing.T) {
	open := func(ctx context.Context, o Options, args ...string) error {
		first, err := o.Files(ctx, args)
		if err != nil {
			return err
		}
		_, err = Table(ctx, first, o, Roles{})
		return err
	}
	other := parts(t, ".csv", "x.csv")
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{t.TempDir()}, "no file in this folder"},
		{[]string{parts(t, ".csv", "a.csv", "b.json")}, "such as a.csv and b.json"},
		{[]string{parts(t, ".csv", "k=1/a.csv", "b.csv")}, "all files of a table must have the same"},
		{[]string{parts(t, ".csv", "b=1/a.csv", "b=2/b.csv")}, "the file has a column of this name"},
		{[]string{parts(t, ".csv", "k=1/a.csv", "k=2/b.csv"), other}, "must be the only table"},
		{[]string{parts(t, ".npy", "k=1/a.npy")}, "one without names"},
		{[]string{other}, ""},
	} {
		if err := open(t.Context(), Options{}, c.args...); (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}

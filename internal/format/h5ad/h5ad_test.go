package h5ad

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fsa/data"
	"fsa/internal/readertest"
)

func golden(tb testing.TB, name string) []byte {
	tb.Helper()
	file, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		tb.Fatal(err)
	}
	return file
}

func open(file []byte, layer string) (*Reader, error) {
	return NewReader(bytes.NewReader(file), int64(len(file)), "t.h5ad", layer, 0)
}

// known is what Python has written; see testdata/make.py. A missing cell is nil.
type known struct {
	Names []string
	X     [][]*float64
	Obs   map[string][]any
}

func wanted(tb testing.TB) (k known) {
	tb.Helper()
	if err := json.Unmarshal(golden(tb, "golden.json"), &k); err != nil {
		tb.Fatal(err)
	}
	return k
}

// matrix returns all rows of a reader.
func matrix(t *testing.T, r *Reader) [][]float64 {
	t.Helper()
	b, err := readertest.Collect(t, r)
	if err != nil {
		t.Fatal(err)
	}
	var rows [][]float64
	for i := range b.Rows {
		row := make([]float64, r.Schema().Width)
		if r.Schema().Sparse {
			for k := b.Start[i]; k < b.Start[i+1]; k++ {
				row[b.Index[k]] = b.Value[k]
			}
		} else {
			copy(row, b.Dense[i*len(row):])
		}
		rows = append(rows, row)
	}
	return rows
}

// TestMatrix checks matrices of all forms.
func TestMatrix(t *testing.T) {
	k := wanted(t)
	for _, c := range []struct {
		file, layer string
		sparse      bool
		width       int
		times       float64
		filled      bool // missing cells are zero
	}{
		{"sparse.h5ad", "", true, 14, 1, false},
		{"sparse.h5ad", "counts", false, 14, 2, true},
		{"sparse.h5ad", "raw", true, 5, 1, false},
		{"columns.h5ad", "", true, 14, 1, false},
		{"dense.h5ad", "", false, 14, 1, false},
		{"dense.h5ad", "half", false, 14, 1, false},
	} {
		r, err := open(golden(t, c.file), c.layer)
		if err != nil {
			t.Fatal(c.file, c.layer, err)
		}
		if s := r.Schema(); s.Sparse != c.sparse || !slices.Equal(s.Names, k.Names[:c.width]) {
			t.Errorf("%s:%s: names %q", c.file, c.layer, s.Names)
		}
		got := matrix(t, r)
		if len(got) != len(k.X) {
			t.Fatalf("%s:%s: %d rows", c.file, c.layer, len(got))
		}
		for i, row := range got {
			for j, v := range row {
				want := math.NaN()
				if cell := k.X[i][j]; cell != nil {
					want = c.times * *cell
				} else if c.filled {
					want = 0
				}
				if v != want && (v == v || want == want) {
					t.Fatalf("%s:%s: row %d, column %d: %v instead of %v", c.file, c.layer, i, j, v, want)
				}
			}
		}
	}
}

// TestColumns checks columns of obs of all kinds.
func TestColumns(t *testing.T) {
	k := wanted(t)
	for name, columns := range map[string][]string{"sparse.h5ad": nil, "dense.h5ad": {"age", "cell_type"}} {
		r, err := open(golden(t, name), "")
		if err != nil {
			t.Fatal(err)
		}
		if columns == nil {
			columns = []string{"age", "cell_type", "cluster", "count", "depth", "doublet", "flag", "note", "whole", "words"}
		}
		if !slices.Equal(r.ColumnNames(), columns) {
			t.Errorf("%s: columns %q", name, r.ColumnNames())
		}
		for _, column := range columns {
			v, err := r.Column(column)
			if err != nil || v == nil || len(v.Values) != len(k.X) || v.Name != column {
				t.Fatalf("%s: %s: %v, %v", name, column, v, err)
			}
			for i, got := range v.Values {
				switch want := k.Obs[column][i].(type) {
				case nil:
					if got == got {
						t.Errorf("%s: %s: row %d is %v", name, column, i, got)
					}
				case float64:
					if got != want || v.Categories != nil {
						t.Errorf("%s: %s: row %d is %v instead of %v", name, column, i, got, want)
					}
				case string:
					if v.Categories[int(got)] != want {
						t.Errorf("%s: %s: row %d is %s instead of %s", name, column, i, v.Categories[int(got)], want)
					}
				}
			}
			if v.Categories != nil && (v.Values[0] != 0 || slices.Contains(v.Categories, "unused")) {
				t.Errorf("%s: %s: categories %q are not in the order of cells", name, column, v.Categories)
			}
		}
		if v, err := r.Column("nope"); v != nil || err != nil {
			t.Errorf("%v, %v", v, err)
		}
	}
}

func TestMessages(t *testing.T) {
	for _, c := range []struct{ file, layer, want string }{
		{"other.h5", "", "there is no X: this is not an AnnData file"},
		{"latest.h5ad", "", "HDF5 1.10 and later, or before 1.6, which is not read: write the file again"},
		{"sparse.h5ad", "nope", `there is no layer "nope": there are X, counts, raw`},
		{"make.py", "", "this is not an HDF5 file"},
	} {
		if _, err := open(golden(t, c.file), c.layer); !errors.Is(err, data.ErrBadData) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s:%s: %v", c.file, c.layer, err)
		}
	}
	file := golden(t, "dense.h5ad")
	at := bytes.Index(file, []byte("Gene3"))
	file[at+4] = '2'
	if _, err := open(file, ""); err == nil || !strings.Contains(err.Error(), `"Gene2" is there twice`) {
		t.Errorf("the same name twice: %v", err)
	}
}

// TestColumnsTooLarge checks that a matrix that is stored by columns is refused if its cells do not fit into memory.
func TestColumnsTooLarge(t *testing.T) {
	file := golden(t, "columns.h5ad")
	for _, most := range []int64{0, 100} {
		r, err := NewReader(bytes.NewReader(file), int64(len(file)), "t.h5ad", "", most)
		if err == nil {
			_, err = readertest.Collect(t, r)
		}
		if most == 0 && err != nil || most > 0 && (!errors.Is(err, data.ErrBadData) || !strings.Contains(err.Error(), "adata.X = adata.X.tocsr()")) {
			t.Errorf("%d bytes: %v", most, err)
		}
	}
}

// all reads everything of a file that can be read.
func all(tb testing.TB, file []byte) error {
	var failed error
	for _, layer := range []string{"", "counts", "half", "raw"} {
		r, err := open(file, layer)
		if err != nil {
			failed = errors.Join(failed, err)
			continue
		}
		for _, column := range r.ColumnNames() {
			_, err := r.Column(column)
			failed = errors.Join(failed, err)
		}
		_, err = readertest.Collect(tb, r)
		failed = errors.Join(failed, err)
	}
	return failed
}

// TestDamaged checks that files that were cut, or of which bytes were changed, are read or refused.
func TestDamaged(t *testing.T) {
	for _, name := range []string{"sparse.h5ad", "columns.h5ad", "dense.h5ad"} {
		file := golden(t, name)
		for n := 0; n < len(file); n += 997 {
			if err := all(t, file[:n]); !errors.Is(err, data.ErrBadData) {
				t.Fatalf("%s: %d bytes: %v", name, n, err)
			}
			changed := slices.Clone(file)
			for k := n; k < len(file); k += 4096 {
				changed[k] ^= 0xff
			}
			if err := all(t, changed); err != nil && !errors.Is(err, data.ErrBadData) {
				t.Fatalf("%s: bytes from %d on: %v", name, n, err)
			}
		}
	}
}

func FuzzReader(f *testing.F) {
	for _, name := range []string{"sparse.h5ad", "dense.h5ad", "latest.h5ad", "columns.h5ad", "other.h5"} {
		f.Add(golden(f, name))
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		if err := all(t, file); err != nil && !errors.Is(err, data.ErrBadData) {
			t.Fatal(err)
		}
	})
}

package npy

import (
	"archive/zip"
	"bytes"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fsa/data"
	"fsa/internal/fault"
	"fsa/internal/need"
	"fsa/internal/readertest"
)

var nan = math.NaN()

// golden has the contents that testdata/make.py put into the arrays.
var golden = map[string]struct {
	shape []int
	cells []float64
}{
	"c_float32_v1.npy":           {[]int{2, 3}, []float64{1, 2.5, nan, -3, float64(float32(1e30)), float64(float32(0.1))}},
	"fortran_float64_big_v2.npy": {[]int{3, 2}, []float64{1, 2, 3, nan, 5, 6.25}},
	"fortran_uint16_v3.npy":      {[]int{2, 3}, []float64{1, 2, 3, 4, 5, 65535}},
	"half_v1.npy":                {[]int{9}, []float64{0, math.Copysign(0, -1), 0x1p-24, -1023 * 0x1p-24, 0x1p-14, 1, -65504, 0.0999755859375, nan}},
	"int64_big_v1.npy":           {[]int{2, 2}, []float64{1 << 53, -1 << 63, -1, 7}},
	"bool_v1.npy":                {[]int{2, 2}, []float64{1, 0, 0, 1}},
}

// same compares bits, except that all NaN are equal.
func same(a, b []float64) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if math.Float64bits(a[i]) != math.Float64bits(b[i]) && (a[i] == a[i] || b[i] == b[i]) {
			return false
		}
	}
	return true
}

func TestGolden(t *testing.T) {
	for name, want := range golden {
		path := filepath.Join("testdata", name)
		check := func(how string, r *Reader, err error) {
			t.Helper()
			if err != nil {
				t.Errorf("%s %s: %v", how, name, err)
				return
			}
			got, err := readertest.Collect(t, r)
			if err != nil {
				t.Errorf("%s %s: %v", how, name, err)
				return
			}
			if !same(got.Dense, want.cells) || got.Rows != want.shape[0] {
				t.Errorf("%s %s: %v, want %v", how, name, got.Dense, want.cells)
			}
		}
		r, err := Open(path)
		check("open", r, err)

		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		r, err = NewReader(f, name)
		check("stream", r, err)
		f.Close()

		// As on systems without memory mapping.
		if r, err = Open(path); err != nil {
			t.Fatal(err)
		}
		r.src.Close()
		if f, err = os.Open(path); err != nil {
			t.Fatal(err)
		}
		r.src = &file{File: &fault.File{File: f}}
		check("read", r, nil)
	}
}

func TestGoldenRefused(t *testing.T) {
	for name, want := range map[string]string{
		"text_v1.npy":       `cells of dtype "<U5" (text) cannot be used as numbers; write labels as a text file with one label a line`,
		"object_v1.npy":     `cells of dtype "|O" (Python objects) cannot be used as numbers; write labels as a text file with one label a line, and save numbers with dtype=float32`,
		"structured_v3.npy": "structured dtype",
		"scalar_v1.npy":     "two dimensions",
		"cube_v1.npy":       "a 2×3×4 float32: a table has two dimensions",
		"empty_v1.npy":      "at least one row",
		"infinite_v1.npy":   "row 2: column x2: the cell is infinite",
		"stored.npz":        "not a .npy file",
	} {
		r, err := Open(filepath.Join("testdata", name))
		if err == nil {
			_, err = readertest.Collect(t, r)
		}
		wantError(t, name, err, want)
		wantError(t, name, err, name)
	}
}

func TestGoldenNPZ(t *testing.T) {
	open := func(name, array string) (*data.Block, error) {
		f, err := os.Open(filepath.Join("testdata", name))
		if err != nil {
			return nil, err
		}
		defer f.Close()
		r, err := NewNPZReader(f, size(t, f), name, array)
		if err != nil {
			return nil, err
		}
		return readertest.Collect(t, r)
	}
	counted := make([]float64, 40)
	for i := range counted {
		counted[i] = float64(i)
	}
	for _, test := range []struct {
		name, array string
		rows        int
		want        []float64
	}{
		{"stored.npz", "", 3, []float64{1, 2, 3, 4, 5, 6}}, // the only one of two dimensions
		{"stored.npz", "y", 3, []float64{1, -1, 1}},
		{"stored.npz", "y.npy", 3, []float64{1, -1, 1}},
		{"deflated.npz", "", 8, counted}, // the one called x
		{"deflated.npz", "other", 2, []float64{1, 1, 1, 1}},
	} {
		got, err := open(test.name, test.array)
		if err != nil {
			t.Errorf("%s[%s]: %v", test.name, test.array, err)
			continue
		}
		if !same(got.Dense, test.want) || got.Rows != test.rows {
			t.Errorf("%s[%s]: %v", test.name, test.array, got.Dense)
		}
	}
	for _, test := range [][3]string{
		{"unclear.npz", "", "unclear.npz:NAME; it holds a (2×2 float64), b (3×3 float32), names (2 text)"},
		{"unclear.npz", "c", `no array "c"; it holds a (2×2 float64)`},
		{"unclear.npz", "names", `unclear.npz:names: cells of dtype "<U1" (text)`},
		{"csc.npz", "", `sparse matrix of SciPy, which can be read by rows only (csr), and this one is "csc"`},
		{"twice.npz", "", "twice.npz: row 1: column x2: the matrix has two cells there"},
		{"bool_v1.npy", "", "not an .npz file"},
	} {
		_, err := open(test[0], test[1])
		wantError(t, test[0], err, test[2])
	}

	var book bytes.Buffer
	z := zip.NewWriter(&book)
	if _, err := z.Create("xl/workbook.xml"); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	_, err := NewNPZReader(bytes.NewReader(book.Bytes()), int64(book.Len()), "book.xlsx", "")
	wantError(t, "spreadsheet", err, "save its table as CSV")

	f, err := os.Open(filepath.Join("testdata", "deflated.npz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, array := range []string{"", "y"} {
		v, err := ReadNPZVector(f, size(t, f), "deflated.npz", array)
		if err != nil || !same(v, counted[:8]) {
			t.Errorf("vector %q: %v, %v", array, v, err)
		}
	}
	arrays, err := ListNPZ(f, size(t, f), "deflated.npz")
	if err != nil || len(arrays) != 3 || !slices.Equal(arrays["x"].Shape, []int{8, 5}) || !slices.Equal(arrays["y"].Shape, []int{8}) {
		t.Errorf("arrays %v, %v", arrays, err)
	}
	_, err = ReadNPZVector(f, size(t, f), "deflated.npz", "x")
	wantError(t, "vector x", err, "the array is 8×5 float32, but a vector")
}

// TestDigits reads real images; the sums are NumPy's.
func TestDigits(t *testing.T) {
	folder := need.Data(t, "digits49")
	for _, test := range []struct {
		name            string
		rows, cols, sum int
	}{
		{"train_X.npy", 11791, 784, 287546006},
		{"train_y.npy", 11791, 1, -107},
		{"test_X.npy", 1991, 784, 49350918},
		{"test_y.npy", 1991, 1, -27},
	} {
		r, err := Open(filepath.Join(folder, test.name))
		if err != nil {
			t.Fatal(err)
		}
		got, err := readertest.Collect(t, r)
		if err != nil {
			t.Fatal(err)
		}
		sum := 0.0
		for _, v := range got.Dense {
			sum += v
		}
		if got.Rows != test.rows || r.Schema().Width != test.cols || sum != float64(test.sum) {
			t.Errorf("%s: %d×%d with sum %v", test.name, got.Rows, r.Schema().Width, sum)
		}
	}
}

func size(t *testing.T, f *os.File) int64 {
	t.Helper()
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}

// wantError checks that err blames the input with the given words.
func wantError(t *testing.T, what string, err error, words string) {
	t.Helper()
	if e := (*data.Error)(nil); !errors.As(err, &e) || !strings.Contains(err.Error(), words) {
		t.Errorf("%s: error %v, want bad data that says %q", what, err, words)
	}
}

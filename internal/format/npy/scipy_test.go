package npy

import (
	"archive/zip"
	"bytes"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"fsa/data"
	"fsa/internal/readertest"
)

// csr collects rows and writes them as SciPy does.
type csr struct {
	w                   io.Writer
	width               int
	start, index, value []float64
}

func (c *csr) Write(b *data.Block) error {
	before := len(c.index)
	for _, end := range b.Start[1:] {
		c.start = append(c.start, float64(before+end))
	}
	for _, j := range b.Index {
		c.index = append(c.index, float64(j))
	}
	c.value = append(c.value, b.Value...)
	return nil
}

func (c *csr) Close() error {
	return writeCSR(c.w, "csr", c.start, c.index, c.value, len(c.start)-1, c.width)
}

// writeCSR writes an archive of these arrays.
func writeCSR(w io.Writer, format string, start, index, value []float64, rows, cols int) error {
	z := NewNPZWriter(w)
	text, err := z.zip.CreateHeader(&zip.FileHeader{Name: "format.npy", Method: zip.Store})
	if err != nil {
		return err
	}
	if _, err := text.Write(made(dictText("'|S3'", "False", "()"), []byte(format)...)); err != nil {
		return err
	}
	for _, member := range []struct {
		name string
		v    []float64
	}{{"shape", []float64{float64(rows), float64(cols)}}, {"indptr", start}, {"indices", index}, {"data", value}} {
		if err := z.Vector(member.name, member.v); err != nil {
			return err
		}
	}
	return z.Close()
}

func TestSparseSuite(t *testing.T) {
	readertest.Run(t, readertest.Format{
		Write: func(w io.Writer, s *data.Schema, _ int) (data.Writer, error) {
			return &csr{w: w, width: s.Width, start: []float64{0}}, nil
		},
		Read: func(file []byte) (data.Reader, error) {
			return NewNPZReader(bytes.NewReader(file), int64(len(file)), "t.npz", "")
		},
		Sparse: true,
	})
}

// A matrix may have no cell at all.
func TestSparseWithoutCells(t *testing.T) {
	var file bytes.Buffer
	z := zip.NewWriter(&file)
	for name, content := range map[string][]byte{
		"format":  made(dictText("'|S3'", "False", "()"), 'c', 's', 'r'),
		"shape":   made(dictText("'|i1'", "False", "(2,)"), 2, 9),
		"indptr":  made(dictText("'|i1'", "False", "(3,)"), 0, 0, 0),
		"indices": made(dictText("'|i1'", "False", "(0,)")),
		"data":    made(dictText("'<f4'", "False", "(0,)")),
	} {
		w, err := z.Create(name + ".npy")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(content); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := NewNPZReader(bytes.NewReader(file.Bytes()), int64(file.Len()), "empty.npz", "")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := readertest.Collect(t, r); err != nil || got.Rows != 2 || len(got.Value) != 0 {
		t.Errorf("%+v, %v", got, err)
	}
}

// Rows that SciPy has not sorted are.
func TestSparseGolden(t *testing.T) {
	for name, want := range map[string]data.Block{
		"sparse.npz":   {Rows: 2, Start: []int{0, 1, 2}, Index: []uint32{1, 0}, Value: []float64{1, 2}},
		"unsorted.npz": {Rows: 3, Start: []int{0, 3, 3, 5}, Index: []uint32{0, 1, 3, 0, 2}, Value: []float64{1, 2, 3, nan, -4}},
	} {
		file, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		r, err := NewNPZReader(bytes.NewReader(file), int64(len(file)), name, "")
		if err != nil {
			t.Fatal(err)
		}
		got, err := readertest.Collect(t, r)
		if err != nil {
			t.Fatal(err)
		}
		if got.Rows != want.Rows || !slices.Equal(got.Start, want.Start) || !slices.Equal(got.Index, want.Index) || !same(got.Value, want.Value) {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// Impossible matrices are refused, with the row if there is one.
func TestSparseRefused(t *testing.T) {
	start, index, value := []float64{0, 1, 3}, []float64{2, 0, 1}, []float64{5, 6, 7}
	for _, test := range []struct {
		what                string
		start, index, value []float64
		rows, cols          int
		want                string
	}{
		{"no column", start, index, value, 2, 0, "must have rows and columns"},
		{"half a row", start, index, value, 0, 3, "must have rows and columns"},
		{"a row too many", start, index, value, 3, 3, "indptr has 3 numbers for 3 rows"},
		{"a cell too many", start, index, value[:2], 2, 3, "3 indices are for 2 cells"},
		{"late start", []float64{1, 1, 3}, index, value, 2, 3, "begins with 1"},
		{"falling", []float64{0, 3, 1}, index, value, 2, 3, "row 2: the row is invalid: its cells end at 1"},
		{"beyond the end", []float64{0, 1, 4}, index, value, 2, 3, "row 2: the row is invalid"},
		{"half an end", []float64{0, 1.5, 3}, index, value, 2, 3, "row 1: the row is invalid"},
		{"cells left", []float64{0, 1, 2}, index, value, 2, 3, "1 of 3 cells belong to no row"},
		{"column too large", start, index, value, 2, 2, "row 1: the row is invalid: it has a cell in column 2 of 2"},
		{"column below zero", start, []float64{2, -1, 1}, value, 2, 3, "column -1"},
		{"too wide for a model", start, index, value, 2, 1 << 31, "at most 2147483647 of each"},
	} {
		var file bytes.Buffer
		if err := writeCSR(&file, "csr", test.start, test.index, test.value, test.rows, test.cols); err != nil {
			t.Fatal(err)
		}
		r, err := NewNPZReader(bytes.NewReader(file.Bytes()), int64(file.Len()), "bad.npz", "")
		if err == nil {
			_, err = readertest.Collect(t, r)
		}
		wantError(t, test.what, err, test.want)
		wantError(t, test.what, err, "bad.npz")
	}
}

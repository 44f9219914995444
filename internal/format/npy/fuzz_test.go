package npy

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"fsa/internal/readertest"
)

func seeds(f *testing.F, pattern string) {
	files, err := filepath.Glob(filepath.Join("testdata", pattern))
	if err != nil || len(files) == 0 {
		f.Fatal("no seeds", err)
	}
	for _, path := range files {
		file, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(file)
	}
}

// FuzzRead checks that any bytes give rows or an error, and that only the header determines how
// many.
func FuzzRead(f *testing.F) {
	seeds(f, "*.npy")
	f.Add(made(dictText("'<f4'", "True", "(4611686018427387904, 1)")))
	f.Fuzz(func(t *testing.T, file []byte) {
		r, err := NewReader(bytes.NewReader(file), "fuzz")
		if err != nil {
			return
		}
		all, err := readertest.Collect(t, r)
		if err == nil && all.Rows != r.Header().Shape[0] {
			t.Errorf("%d rows of %v", all.Rows, r.Header())
		}
	})
}

// FuzzReadNPZ does the same for archives.
func FuzzReadNPZ(f *testing.F) {
	seeds(f, "*.npz")
	f.Fuzz(func(t *testing.T, file []byte) {
		r, err := NewNPZReader(bytes.NewReader(file), int64(len(file)), "fuzz", "")
		if err != nil {
			return
		}
		all, err := readertest.Collect(t, r)
		rows := 0
		switch r := r.(type) {
		case *Reader:
			rows = r.rows
		case *sparse:
			rows = r.rows
		}
		if err == nil && all.Rows != rows {
			t.Errorf("%d rows of %d", all.Rows, rows)
		}
	})
}

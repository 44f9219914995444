package arrow

import (
	"bytes"
	"encoding/binary"
	"math"
	"testing"

	"fsa/data"
	"fsa/internal/readertest"
)

// A table that is written is read again: numbers, texts and missing values, in any number of blocks.
func TestWriter(t *testing.T) {
	s := &data.Schema{Width: 3, Names: []string{"a", `b "ü", x`, "c"}, Categories: map[int][]string{1: {"red", "", "grün"}}}
	for _, sizes := range [][]int{{1}, {7, 0, 64, 9}, {1000}} {
		var file bytes.Buffer
		w, err := NewWriter(&file, s)
		if err != nil {
			t.Fatal(err)
		}
		var want []float64
		for _, rows := range sizes {
			b := &data.Block{Rows: rows}
			for range rows {
				i := len(want) + len(b.Dense)
				b.Dense = append(b.Dense, math.Sin(float64(i)), float64(2*(i%2)), float64(i))
				if i%5 == 0 {
					b.Dense[len(b.Dense)-3+i%3] = math.NaN()
				}
			}
			if err := w.Write(b); err != nil {
				t.Fatal(err)
			}
			want = append(want, b.Dense...)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if n := binary.LittleEndian.Uint32(file.Bytes()[file.Len()-10:]); int(n) > file.Len() || !bytes.HasSuffix(file.Bytes(), []byte(begins)) {
			t.Errorf("the footer has %d bytes", n)
		}
		r, err := NewReader(bytes.NewReader(file.Bytes()), int64(file.Len()), "t.arrow", Options{})
		if err != nil {
			t.Fatal(err)
		}
		got, err := readertest.Collect(t, r)
		if err != nil {
			t.Fatal(err)
		}
		if r.Schema().Names[1] != s.Names[1] || len(got.Dense) != len(want) {
			t.Fatalf("%q, %d cells", r.Schema().Names, len(got.Dense))
		}
		for i, v := range want {
			g := got.Dense[i]
			if i%3 == 1 && v == v && g == g {
				if a, b := r.Schema().Categories[1][int(g)], s.Categories[1][int(v)]; a != b {
					t.Fatalf("cell %d: %q instead of %q", i, a, b)
				}
				continue
			}
			if g != v && (g == g || v == v) {
				t.Fatalf("cell %d: %v instead of %v", i, g, v)
			}
		}
	}
	if _, err := NewWriter(&bytes.Buffer{}, &data.Schema{}); err == nil {
		t.Error("a table without columns is written")
	}
}

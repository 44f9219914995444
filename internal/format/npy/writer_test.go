package npy

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"testing"

	"fsa/data"
	"fsa/internal/readertest"
)

func TestWriterRefuses(t *testing.T) {
	for _, shape := range [][2]int{{0, 1}, {1, 0}, {-1, 3}} {
		if _, err := NewWriter(io.Discard, shape[0], shape[1]); err == nil {
			t.Errorf("%v accepted", shape)
		}
	}
	block := func(cells ...float64) *data.Block { return &data.Block{Rows: len(cells) / 2, Dense: cells} }
	begin := func(t *testing.T) *Writer {
		w, err := NewWriter(io.Discard, 2, 2)
		if err != nil {
			t.Fatal(err)
		}
		return w
	}
	t.Run("too few rows", func(t *testing.T) {
		w := begin(t)
		if err := w.Write(block(1, 2)); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err == nil {
			t.Error("accepted")
		}
	})
	t.Run("too many rows", func(t *testing.T) {
		if err := begin(t).Write(block(1, 2, 3, 4, 5, 6)); err == nil {
			t.Error("accepted")
		}
	})
	t.Run("other width", func(t *testing.T) {
		if err := begin(t).Write(&data.Block{Rows: 1, Dense: make([]float64, 3)}); err == nil {
			t.Error("accepted")
		}
	})
	t.Run("other type", func(t *testing.T) {
		w := begin(t)
		w.Type = Int8
		if err := w.Write(block(1, 2)); err == nil {
			t.Error("accepted")
		}
	})
	t.Run("beyond float32", func(t *testing.T) {
		wantError(t, "1e39", begin(t).Write(block(1, 2, 3, 1e39)), "row 2: column x1: 1e+39 cannot be written as float32")
		w := begin(t)
		w.Type = Float64
		if err := w.Write(block(1, 2, 3, 1e39)); err != nil {
			t.Error(err)
		}
	})
	t.Run("infinite", func(t *testing.T) {
		wantError(t, "float32", begin(t).Write(block(math.Inf(1), 2)), "row 1: column x0")
		w := begin(t)
		w.Type = Float64
		wantError(t, "float64", w.Write(block(1, 2, math.Inf(-1), 4)), "row 2: column x0")
	})
}

// TestHeaderLayout checks that others can map the file: cells begin at a multiple of 64.
func TestHeaderLayout(t *testing.T) {
	for _, rows := range []int{1, 99, 12345, 1e7} {
		b := appendHeader(nil, Float32, []int{rows, 10})
		if len(b)%64 != 0 || b[len(b)-1] != '\n' {
			t.Errorf("%d rows: header of %d bytes", rows, len(b))
		}
		if _, n, err := ReadHeader(bytes.NewReader(b), "h"); err != nil || n != len(b) {
			t.Errorf("%d rows: %v", rows, err)
		}
	}
}

func TestVector(t *testing.T) {
	want := make([]float64, 300000)
	for i := range want {
		want[i] = math.Sqrt(float64(i))
	}
	want[7] = math.NaN()
	var file bytes.Buffer
	if err := WriteVector(&file, want); err != nil {
		t.Fatal(err)
	}
	h, _, err := ReadHeader(bytes.NewReader(file.Bytes()), "v")
	if err != nil || h.Type != Float64 || len(h.Shape) != 1 {
		t.Errorf("header %v, %v", h, err)
	}
	got, err := ReadVector(&file, "v")
	if err != nil || !same(got, want) {
		t.Errorf("other elements came back: %v", err)
	}
	for shape, ok := range map[string]bool{"(4,)": true, "(1, 4)": true, "(4, 1)": true, "(2, 2)": false} {
		for _, order := range []string{"False", "True"} {
			v, err := ReadVector(bytes.NewReader(made(dictText("'|u1'", order, shape), 1, 2, 3, 4)), "v")
			if ok && (err != nil || !same(v, []float64{1, 2, 3, 4})) {
				t.Errorf("%s: %v, %v", shape, v, err)
			}
			if !ok {
				wantError(t, shape, err, "the array is 2×2 uint8, but a vector")
			}
		}
	}
	if err := WriteVector(io.Discard, nil); err == nil {
		t.Error("an empty vector was written")
	}
	wantError(t, "infinite", WriteVector(io.Discard, []float64{1, math.Inf(1)}), "row 2")
}

// TestNPZRoundTrip reads back each member by name.
func TestNPZRoundTrip(t *testing.T) {
	var file bytes.Buffer
	z := NewNPZWriter(&file)
	for _, name := range []string{"a", "X"} {
		w, err := z.Table(name, 1, 2)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Write(&data.Block{Rows: 1, Dense: []float64{float64(len(name)), float64(name[0])}}); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Vector("y", []float64{5, 6}); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	whole := file.Bytes()
	for array, want := range map[string]float64{"X": 'X', "a": 'a'} {
		v, err := ReadNPZVector(bytes.NewReader(whole), int64(len(whole)), "z", array)
		if err != nil || !same(v, []float64{1, want}) {
			t.Errorf("%s: %v, %v", array, v, err)
		}
	}
	v, err := ReadNPZVector(bytes.NewReader(whole), int64(len(whole)), "z", "")
	if err != nil || !same(v, []float64{5, 6}) {
		t.Errorf("the only vector: %v, %v", v, err)
	}
	// Every damaged byte and every cut is an error or harmless.
	for i := range whole {
		for _, bad := range [][]byte{whole[:i], append(append(bytes.Clone(whole[:i]), whole[i]^0x55), whole[i+1:]...)} {
			r, err := NewNPZReader(bytes.NewReader(bad), int64(len(bad)), "z", "X")
			if err == nil {
				_, err = readertest.Collect(t, r)
			}
			if len(bad) < len(whole) {
				wantError(t, fmt.Sprintf("cut to %d bytes", i), err, "z")
			}
		}
	}
}

package matlab_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"fsa/app/motion/matlab"
	"fsa/app/motion/matlab/matlabtest"
	"fsa/data"
)

func TestRead(t *testing.T) {
	for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
		x := matlabtest.Array(order, matlabtest.ClassDouble, []int32{1, 3}, "x", 9, matlabtest.Float64s(order, 1.5, -2, math.Inf(1)))
		small := matlabtest.Array(order, matlabtest.ClassDouble, []int32{2, 2}, "small", 1, []byte{1, 0xff, 3, 0x80})
		text := matlabtest.Array(order, 4, []int32{1, 2}, "text", 4, []byte{0, 'a', 0, 'b'})
		f, err := matlab.Read(bytes.NewReader(matlabtest.File(order, text, matlabtest.Compress(order, x), small)), "f.mat", "x", "small", "absent")
		if err != nil {
			t.Fatal(err)
		}
		if len(f) != 2 || !slices.Equal(f["x"].Values, []float64{1.5, -2, math.Inf(1)}) || !slices.Equal(f["x"].Dims, []int{1, 3}) {
			t.Errorf("%v: read %v", order, f)
		}
		if got := f["small"]; !slices.Equal(got.Values, []float64{1, -1, 3, -128}) || !slices.Equal(got.Dims, []int{2, 2}) {
			t.Errorf("%v: small is %v", order, got)
		}
	}
}

// TestKinds stores the same numbers in every numeric kind.
func TestKinds(t *testing.T) {
	order := binary.LittleEndian
	for kind, width := range map[uint32]int{1: 1, 2: 1, 3: 2, 4: 2, 5: 4, 6: 4, 12: 8, 13: 8} {
		var b []byte
		for _, v := range []byte{7, 100} {
			b = append(append(b, v), make([]byte, width-1)...)
		}
		f, err := matlab.Read(bytes.NewReader(matlabtest.File(order, matlabtest.Array(order, matlabtest.ClassDouble, []int32{2, 1}, "v", kind, b))), "", "v")
		if err != nil || !slices.Equal(f["v"].Values, []float64{7, 100}) {
			t.Errorf("kind %d: %v, %v", kind, f["v"], err)
		}
	}
	single := order.AppendUint32(nil, math.Float32bits(0.25))
	f, err := matlab.Read(bytes.NewReader(matlabtest.File(order, matlabtest.Array(order, 7, []int32{1, 1}, "v", 7, single))), "", "v")
	if err != nil || f["v"].Values[0] != 0.25 {
		t.Errorf("single: %v, %v", f["v"], err)
	}
}

// TestPacked reads an element that lies within its tag.
func TestPacked(t *testing.T) {
	order := binary.LittleEndian
	pack := func(kind uint32, b ...byte) []byte {
		return append(order.AppendUint32(nil, uint32(len(b))<<16|kind), append(b, make([]byte, 4-len(b))...)...)
	}
	body := slices.Concat(matlabtest.Element(order, 6, []byte{matlabtest.ClassDouble, 0, 0, 0, 0, 0, 0, 0}), matlabtest.Element(order, 5, []byte{1, 0, 0, 0, 1, 0, 0, 0}), pack(1, 'K'), pack(2, 3))
	f, err := matlab.Read(bytes.NewReader(matlabtest.File(order, matlabtest.Element(order, 14, body))), "", "K")
	if err != nil || f["K"] == nil || f["K"].Values[0] != 3 {
		t.Errorf("%v, %v", f, err)
	}
}

func TestRefused(t *testing.T) {
	le := binary.LittleEndian
	good := matlabtest.File(le, matlabtest.Compress(le, matlabtest.Array(le, matlabtest.ClassDouble, []int32{1, 2}, "x", 9, matlabtest.Float64s(le, 1, 2))))
	damaged := slices.Clone(good)
	damaged[150] ^= 0xff
	for name, c := range map[string]struct {
		bytes []byte
		says  string
	}{
		"empty":          {nil, "not a MATLAB 5 file"},
		"text":           {[]byte(strings.Repeat("no matlab here\n", 20)), "not a MATLAB 5 file"},
		"7.3":            {append([]byte("MATLAB 7.3 MAT-file"), make([]byte, 200)...), "-v7"},
		"cut short":      {good[:len(good)-20], "not complete"},
		"cut in a tag":   {append(slices.Clone(good), 1, 2, 3), "not complete"},
		"damaged":        {damaged, "damaged"},
		"cell":           {matlabtest.File(le, matlabtest.Array(le, 1, []int32{1, 1}, "x", 14, nil)), "cell array"},
		"struct":         {matlabtest.File(le, matlabtest.Array(le, 2, []int32{1, 1}, "x", 14, nil)), "structure"},
		"sparse":         {matlabtest.File(le, matlabtest.Array(le, 5, []int32{1, 1}, "x", 14, nil)), "sparse"},
		"unknown class":  {matlabtest.File(le, matlabtest.Array(le, 99, []int32{1, 1}, "x", 14, nil)), "class 99"},
		"complex":        {matlabtest.File(le, matlabtest.Array(le, matlabtest.ClassDouble|0x800, []int32{1, 1}, "x", 9, matlabtest.Float64s(le, 1))), "complex"},
		"unknown kind":   {matlabtest.File(le, matlabtest.Array(le, matlabtest.ClassDouble, []int32{1, 1}, "x", 77, matlabtest.Float64s(le, 1))), "kind 77"},
		"too few":        {matlabtest.File(le, matlabtest.Array(le, matlabtest.ClassDouble, []int32{3, 1}, "x", 9, matlabtest.Float64s(le, 1))), "8 bytes instead of 24"},
		"too many":       {matlabtest.File(le, matlabtest.Array(le, matlabtest.ClassDouble, []int32{1, 1}, "x", 9, matlabtest.Float64s(le, 1, 2))), "1 numbers, but 16 bytes"},
		"negative shape": {matlabtest.File(le, matlabtest.Array(le, matlabtest.ClassDouble, []int32{-1, 1}, "x", 9, nil)), "must have from 0 to"},
		"huge shape":     {matlabtest.File(le, matlabtest.Array(le, matlabtest.ClassDouble, []int32{1 << 30, 1 << 30}, "x", 9, nil)), "must have from 0 to"},
		"huge tag":       {matlabtest.File(le, append(le.AppendUint32(le.AppendUint32(nil, 14), 0xffffffff), 1, 2, 3)), "not complete"},
	} {
		_, err := matlab.Read(bytes.NewReader(c.bytes), "f.mat", "x")
		var bad *data.Error
		if !errors.As(err, &bad) || bad.File != "f.mat" || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v; want an error of f.mat that says %q", name, err, c.says)
		}
	}
}

// FuzzRead checks that any input is read or refused, and that the result has its declared shape.
func FuzzRead(f *testing.F) {
	le := binary.LittleEndian
	x := matlabtest.Array(le, matlabtest.ClassDouble, []int32{1, 3}, "x", 9, matlabtest.Float64s(le, 1.5, -2, 3))
	f.Add(matlabtest.File(le, x))
	f.Add(matlabtest.File(le, matlabtest.Compress(le, x)))
	f.Add(matlabtest.File(binary.BigEndian, matlabtest.Array(binary.BigEndian, 9, []int32{2, 1}, "x", 2, []byte{1, 2})))
	f.Fuzz(func(t *testing.T, b []byte) {
		got, err := matlab.Read(bytes.NewReader(b), "fuzz", "x", "s")
		if err != nil {
			var bad *data.Error
			if !errors.As(err, &bad) {
				t.Errorf("the error does not blame the data: %v", err)
			}
			return
		}
		for name, a := range got {
			n := 1
			for _, d := range a.Dims {
				n *= d
			}
			if n != len(a.Values) {
				t.Errorf("%s: shape %v, %d values", name, a.Dims, len(a.Values))
			}
		}
	})
}

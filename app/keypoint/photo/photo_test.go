package photo

import (
	"bytes"
	"encoding/binary"
	"errors"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"testing"

	"fsa/data"
	"fsa/internal/need"
)

func encode(t testing.TB, m image.Image) []byte {
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// Every kind of file gives the same picture.
func TestKinds(t *testing.T) {
	r := image.Rect(2, 1, 35, 30)
	grey, deep, deepRGB := image.NewGray(r), image.NewGray16(r), image.NewNRGBA64(r)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			v := uint8(3*x + 4*y)
			grey.SetGray(x, y, color.Gray{v})
			deep.SetGray16(x, y, color.Gray16{uint16(v)*257 + 60}) // rounds to v
			deepRGB.SetNRGBA64(x, y, color.NRGBA64{uint16(v) * 257, uint16(v) * 257, uint16(v) * 257, 65535})
		}
	}
	for name, m := range map[string]image.Image{"grey": grey, "16 bits": deep, "16 bits of colour": deepRGB} {
		got, err := Decode(bytes.NewReader(encode(t, m)), name)
		if err != nil {
			t.Fatal(err)
		}
		if got.W != 33 || got.H != 29 {
			t.Fatalf("%s: %d×%d", name, got.W, got.H)
		}
		for c := range 3 {
			if !bytes.Equal(got.Pix[c], grey.Pix) {
				t.Errorf("%s: channel %d differs", name, c)
			}
		}
	}
	var b bytes.Buffer
	if err := jpeg.Encode(&b, grey, &jpeg.Options{Quality: 95}); err != nil {
		t.Fatal(err)
	}
	got, err := Decode(&b, "jpeg")
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range grey.Pix {
		if d := int(got.Pix[1][i]) - int(v); d < -8 || d > 8 {
			t.Fatalf("a grey JPEG has %d for %d", got.Pix[1][i], v)
		}
	}
}

func TestBadFiles(t *testing.T) {
	good := encode(t, image.NewGray(image.Rect(0, 0, 50, 50)))
	huge := bytes.Clone(good)
	copy(huge[16:], []byte{0, 1, 0, 0, 0, 1, 0, 0}) // 65536×65536; the checksum is wrong, too
	for name, file := range map[string][]byte{
		"empty": nil, "text": []byte("x,y\n1,2\n"), "cut header": good[:20], "cut": good[:len(good)-20],
		"huge": huge, "start of JPEG": {0xff, 0xd8, 0xff}, "GIF": []byte("GIF89a\x01\x00\x01\x00\x00\x00\x00;"),
	} {
		if _, err := Decode(bytes.NewReader(file), name); !errors.Is(err, data.ErrBadData) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestRealPhotoCutOff(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join(need.Data(t, "faces"), "img", "helen_*.jpg"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("there are no photographs: %v", err)
	}
	file, err := os.ReadFile(paths[0])
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Decode(bytes.NewReader(file), paths[0]); err != nil {
		t.Fatal(err)
	}
	for _, share := range []int{2, 3, 10} {
		if _, err := Decode(bytes.NewReader(file[:len(file)/share]), paths[0]); !errors.Is(err, data.ErrBadData) {
			t.Errorf("a %d-th of the file: %v", share, err)
		}
	}
}

// A constant gradient is preserved, at the right position, at every level.
func TestPyramid(t *testing.T) {
	m := New(200, 120)
	for i := range m.Pix[0] {
		m.Pix[0][i], m.Pix[1][i], m.Pix[2][i] = uint8(i%200), uint8(2*(i/200)), 77
	}
	levels := Pyramid(m, 24)
	// 120/2^(i/4) ≥ 24 up to i = 9.
	if len(levels) != 10 || levels[4].W != 100 || levels[8].H != 30 {
		t.Fatalf("%d levels, %d wide, %d high", len(levels), levels[4].W, levels[8].H)
	}
	for i, l := range levels {
		if math.Abs(l.Scale-math.Pow(2, float64(i)/4)) > 1e-12 {
			t.Errorf("level %d has scale %v", i, l.Scale)
		}
		// Away from the edges, where the Gaussian is truncated.
		for y := 4; y < l.H-4; y++ {
			for x := 4; x < l.W-4; x++ {
				at := y*l.W + x
				if d := math.Abs(float64(l.Pix[0][at]) - l.Up(float64(x))); d > 1 {
					t.Fatalf("level %d: red at %d is %d, should be %.1f", i, x, l.Pix[0][at], l.Up(float64(x)))
				}
				if d := math.Abs(float64(l.Pix[1][at]) - 2*l.Up(float64(y))); d > 1 {
					t.Fatalf("level %d: green at %d is %d, should be %.1f", i, y, l.Pix[1][at], 2*l.Up(float64(y)))
				}
				if l.Pix[2][at] != 77 {
					t.Fatalf("level %d: blue is %d", i, l.Pix[2][at])
				}
			}
		}
		if x := l.Down(l.Up(3.25)); math.Abs(x-3.25) > 1e-9 {
			t.Errorf("level %d: 3.25 up and down is %v", i, x)
		}
	}
	if n := len(Pyramid(New(23, 500), 24)); n != 0 {
		t.Errorf("%d levels of a photo that is smaller than a window", n)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(encode(f, image.NewGray(image.Rect(0, 0, 5, 5))))
	f.Add([]byte{0xff, 0xd8, 0xff, 0xe0})
	f.Add(withExif([]byte{0xff, 0xd8}, exif(binary.LittleEndian, 8)))
	f.Fuzz(func(t *testing.T, file []byte) {
		m, err := Decode(bytes.NewReader(file), "fuzz")
		if err != nil {
			if !errors.Is(err, data.ErrBadData) {
				t.Fatalf("an error of another kind: %v", err)
			}
			return
		}
		if len(m.Pix[2]) != m.W*m.H {
			t.Fatalf("%d pixels of %d×%d", len(m.Pix[2]), m.W, m.H)
		}
	})
}

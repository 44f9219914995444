package pool

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"fsa/app/keypoint/photo"
)

// noisy returns an image of random pixels with some structure.
func noisy(w, h int, seed uint64) *photo.Image {
	r := rand.New(rand.NewPCG(seed, 0))
	m := photo.New(w, h)
	for c := range m.Pix {
		for i := range m.Pix[c] {
			m.Pix[c][i] = uint8(min(i%w*3+r.IntN(128), 255))
		}
	}
	return m
}

// pixel returns a pixel of an image whose edges are repeated outside.
func pixel(m *photo.Image, c, x, y int) int {
	return int(m.Pix[c][min(max(y, 0), m.H-1)*m.W+min(max(x, 0), m.W-1)])
}

// direct computes a feature of the window around (x, y) from its definition, pixel by pixel.
func direct(m *photo.Image, f Feature, x, y int) float64 {
	x0, y0 := x-Window/2, y-Window/2
	rectangle := func(i, j int, value func(x, y int) float64) float64 {
		sum := 0.0
		for dy := range int(f.H) {
			for dx := range int(f.W) {
				sum += value(x0+int(f.X)+i*int(f.W)+dx, y0+int(f.Y)+j*int(f.H)+dy)
			}
		}
		return sum
	}
	color := func(x, y int) float64 { return float64(pixel(m, int(f.Channel), x, y)) }
	switch f.Shape {
	case EdgeX:
		return rectangle(0, 0, color) - rectangle(1, 0, color)
	case EdgeY:
		return rectangle(0, 0, color) - rectangle(0, 1, color)
	case LineX:
		return rectangle(0, 0, color) - 2*rectangle(1, 0, color) + rectangle(2, 0, color)
	case LineY:
		return rectangle(0, 0, color) - 2*rectangle(0, 1, color) + rectangle(0, 2, color)
	case Checker:
		return rectangle(0, 0, color) - rectangle(1, 0, color) - rectangle(0, 1, color) + rectangle(1, 1, color)
	}
	gradient := func(x, y int) (length, angle float64) {
		dx := float64(pixel(m, int(f.Channel), x+1, y) - pixel(m, int(f.Channel), x-1, y))
		dy := float64(pixel(m, int(f.Channel), x, y+1) - pixel(m, int(f.Channel), x, y-1))
		angle = math.Atan2(dy, dx)
		if angle < 0 {
			angle += math.Pi
		}
		return math.Hypot(dx, dy), angle / math.Pi * 8
	}
	part := rectangle(0, 0, func(x, y int) float64 {
		length, angle := gradient(x, y)
		apart := math.Abs(angle - float64(f.Orientation))
		apart = min(apart, 8-apart)
		return length * max(0, 1-apart)
	})
	all := 4.0 * Window * Window
	for dy := range Window {
		for dx := range Window {
			length, _ := gradient(x0+dx, y0+dy)
			all += length
		}
	}
	return whole * part / all
}

func TestFeaturesAgainstDirectSums(t *testing.T) {
	const seed = 3
	t.Logf("seed %d", seed)
	p, err := New(2000, 1)
	if err != nil {
		t.Fatal(err)
	}
	m := noisy(60, 47, seed)
	e := NewExtractor(p)
	values := make([]float32, p.Len())
	for _, at := range [][2]int{{30, 20}, {0, 0}, {59, 46}, {12, 40}} {
		e.MoveTo(m, at[0], at[1])
		e.Values(values)
		for j, v := range values {
			f := p.Feature(j)
			want, allowed := direct(m, f, at[0], at[1]), 0.0
			if f.Shape == Cell {
				allowed = 1e-4 * whole // lengths are counted in sixteenths
			}
			if math.Abs(float64(v)-want) > allowed {
				t.Fatalf("%v of the window at %v is %v, pixel by pixel %v", f, at, v, want)
			}
		}
	}
}

// A tile of many windows has the same tables as each window by itself.
func TestTileIsItsWindows(t *testing.T) {
	m := noisy(80, 50, 5)
	var big, one Tile
	const all = 1<<PlaneCount - 1
	big.Fill(m, 3, 2, 40, 20, all)
	for _, at := range [][2]int{{0, 0}, {39, 19}, {17, 5}} {
		one.Fill(m, 3+at[0], 2+at[1], 1, 1, all)
		for p := range PlaneCount {
			sum := func(t *Tile, first int) uint32 { // over the whole window
				s := t.Sums[p][first:]
				return s[Window*t.Stride+Window] - s[Window*t.Stride] - s[Window] + s[0]
			}
			if a, b := sum(&big, at[1]*big.Stride+at[0]), sum(&one, 0); a != b {
				t.Fatalf("plane %d at %v: %d in the tile, %d alone", p, at, a, b)
			}
		}
		for c := range 3 {
			if a, b := big.Norm[c][at[1]*big.Stride+at[0]], one.Norm[c][0]; a != b {
				t.Fatalf("normaliser at %v: %v in the tile, %v alone", at, a, b)
			}
		}
	}
}

func TestPool(t *testing.T) {
	p, err := New(Haar, 1)
	if err != nil {
		t.Fatal(err)
	}
	if p.Len() != HOG+Haar || HOG != 864 {
		t.Fatalf("%d features, %d of them HOG", p.Len(), HOG)
	}
	// The list is part of the format of detectors: it must never change.
	if want := "hog864+haar61000-seed1-2ee2d606"; p.ID() != want {
		t.Errorf("the pool is %s, not %s", p.ID(), want)
	}
	seen := map[Feature]bool{}
	count := map[Shape]int{}
	for j := range p.Len() {
		f := p.Feature(j)
		if seen[f] {
			t.Fatalf("%v is there twice", f)
		}
		seen[f] = true
		count[f.Shape]++
		if int(f.X)+extent[f.Shape][0]*int(f.W) > Window || int(f.Y)+extent[f.Shape][1]*int(f.H) > Window {
			t.Fatalf("%v leaves the window", f)
		}
	}
	for s := EdgeX; s < shapes; s++ {
		if count[s] != Haar/5 {
			t.Errorf("%d features of shape %s", count[s], shapeNames[s])
		}
	}
	if q, err := New(Haar, 2); err != nil || q.ID() == p.ID() {
		t.Errorf("another seed gives the pool %s (%v)", q.ID(), err)
	}
	for _, n := range []int{-1, 1_000_000} {
		if _, err := New(n, 1); err == nil {
			t.Errorf("a pool of %d Haar features was made", n)
		}
	}
}

func TestRange(t *testing.T) {
	r := NewRange(-10, 246)
	for _, c := range []struct {
		v    float32
		want uint8
	}{{-10, 0}, {-9.5, 0}, {-9, 1}, {245, 255}, {246, 255}, {1 << 18, 255}, {-1 << 18, 0}, {118, 128}} {
		if got := r.Code(c.v); got != c.want {
			t.Errorf("Code(%v) = %d, want %d", c.v, got, c.want)
		}
	}
	if got := NewRange(5, 5).Code(100); got != 0 {
		t.Errorf("a constant becomes %d", got)
	}
}

func BenchmarkExtract(b *testing.B) {
	p, err := New(Haar, 1)
	if err != nil {
		b.Fatal(err)
	}
	m := noisy(300, 200, 1)
	e := NewExtractor(p)
	ranges := make([]Range, p.Len())
	for j := range ranges {
		ranges[j] = NewRange(-5000, 5000)
	}
	codes := make([]uint8, p.Len())
	i := 0
	for b.Loop() {
		e.MoveTo(m, i%m.W, i%m.H)
		e.Codes(codes, ranges)
		i++
	}
	b.ReportMetric(float64(b.N)*float64(p.Len())/b.Elapsed().Seconds()/1e6, "Mvalues/s")
}

func ExampleNew() {
	p, err := New(Haar, 1)
	if err != nil {
		panic(err)
	}
	fmt.Println(p.ID(), p.Len(), p.Feature(0), p.Feature(HOG))
	// Output: hog864+haar61000-seed1-2ee2d606 61864 hog-r-0-0-4x4-o0 edge-x-r-0-0-3x2
}
